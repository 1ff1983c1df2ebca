// Shows what is certain to follow from a choice, losses first. The server runs the rules ahead on what the seat knows.
import { shown } from "./motion.js";
import { settleTells } from "./tells.js";
import { _, fill } from "./words.js";

const page = document.getElementById("main").dataset;
const known = new Map();
let wanted = null, at = -1, timer = 0;

// Whether an action is known to take its own player out of the game.
export const loses = (action) => at === shown() && (known.get(action) ?? []).some((event) => event.own);

function tell(follows) {
  const preview = document.getElementById("preview");
  if (!preview) return;
  for (const old of preview.querySelectorAll(".ahead")) old.remove();
  // Announce eliminations first.
  for (const one of follows) {
    const line = document.createElement("p");
    line.className = one.falls ? "ahead harm" : "ahead";
    line.textContent = one.rule ? `${fill(_("Then: {event}"), { event: one.text })} (${one.rule})` : one.text;
    if (one.falls) preview.prepend(line); else preview.append(line);
  }
  blame(follows.flatMap((one) => one.pieces));
  settleTells();
}

// Mark the pieces for which an action would take its player out of the game.
function blame(keys) {
  for (const old of document.querySelectorAll(".to-blame")) old.classList.remove("to-blame");
  for (const key of keys) {
    for (const piece of document.querySelectorAll(`#own [data-key="${CSS.escape(key)}"]`)) piece.classList.add("to-blame");
  }
}

// Called with the previewed action, or null for a part of one; calls `done` once it is known what follows.
export function foretell(action, done) {
  wanted = action;
  clearTimeout(timer);
  blame([]);
  if (at !== shown()) { known.clear(); at = shown(); }
  if (!action || page.seat === undefined) return;
  if (known.has(action)) return tell(known.get(action));
  timer = setTimeout(async () => {
    try {
      const answer = await fetch(`/t/${page.table}/ahead?${new URLSearchParams({ action })}`);
      if (!answer.ok || at !== shown()) return;
      known.set(action, await answer.json());
      if (wanted !== action) return;
      tell(known.get(action));
      done();
    } catch { /* the choice can be made without it */ }
  }, 120);
}
