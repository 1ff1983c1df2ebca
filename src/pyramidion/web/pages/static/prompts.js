// The question to the player follows what is chosen: above the board and in the panel the same words say what comes next, and the
// button that makes the move says where it would take the player out of the game. A space that is chosen for a card shows it.
import { loses } from "./ahead.js";
import { _, fill } from "./words.js";

const $ = (id) => document.getElementById(id);

// What to choose next for the first action that `left` holds, in the words of the game (Presentation.next_steps).
function next(picks, left) {
  const { steps, family } = left[0], words = JSON.parse($("actions").dataset.next ?? "{}");
  return words[`${family} ${steps.findIndex((step) => !picks.includes(step))}`] ?? "";
}

// With `again`, a second tap on the piece confirms as well.
export function ask(picks, left, armed, again) {
  const confirm = again ? _("Tap again to confirm, or choose something else") : _("Confirm, or choose something else");
  const words = !picks.length ? "" : armed ? confirm : next(picks, left);
  for (const line of document.querySelectorAll(".question > .follow-up")) line.textContent = words;
}

// The main button takes the place of a button that is chosen first, so that nothing moves; else it is the first.
function standIn(commit, chosen) {
  const focused = document.activeElement, buttons = [...document.querySelectorAll("#actions [data-chosen-first]")];
  for (const button of buttons) button.hidden = button === chosen;
  const place = buttons.includes(chosen) ? chosen : commit.parentElement.querySelector(":scope > .button");
  if (place !== commit && commit.nextElementSibling !== place) place.before(commit);
  if (focused?.hidden && focused === chosen) setTimeout(() => commit.focus());
}

export function drawCommit(armed, picks) {
  const commit = $("commit");
  if (!commit) return; // nothing can be picked
  const fatal = armed !== null && loses(armed.action);
  const move = armed ? armed.button.dataset.label ?? armed.button.textContent : "";
  standIn(commit, armed?.button);
  commit.hidden = !armed;
  commit.classList.toggle("fatal", fatal);
  commit.textContent = fatal ? fill(_("{move} and lose"), { move }) : move;
  $("clear").hidden = !picks.length;
}

// An empty space (data-takes: the kind of piece that goes there) shows the piece that is chosen or pointed at together with it.
export function drawPlaced(chosen) {
  for (const old of document.querySelectorAll("#own .to-come")) old.remove();
  for (const space of document.querySelectorAll("#own [data-takes]")) {
    const piece = chosen.includes(space.dataset.path) && chosen.find((id) => id.startsWith(space.dataset.takes));
    const drawn = piece && document.querySelector(`#board [data-path="${CSS.escape(piece)}"] > svg`)?.cloneNode(true);
    if (!drawn) continue;
    drawn.classList.add("to-come");
    space.append(drawn);
  }
}
