// Playing by touching the board. Each button in the list of legal actions names the pieces to touch (data-steps), in any order.
// The page always shows the consequences before it commits: hover shows them and a click commits; a tap shows them, a second tap commits.
import { foretell, loses } from "./ahead.js";
import { explain, forgive, post, reached, refuse, remark } from "./act.js";
import { confirms } from "./keys.js";
import { shown } from "./motion.js";
import { ask, drawCommit, drawPlaced } from "./prompts.js";
import { settleTells } from "./tells.js";
import { _ } from "./words.js";

let picks = [];
let armed = null;
let seen = "";
// The picks of an action being sent, and the position at which it was chosen.
let sent = null;
// The pointing device: "mouse", "touch", "pen", or "keys".
let pointer = "mouse";

const $ = (id) => document.getElementById(id);
const pieces = () => document.querySelectorAll("#fragment [data-path]");
const ids = (piece) => piece.dataset.path.split(" ");
const families = (piece) => piece.dataset.for?.split(" ");

function legal() {
  return [...document.querySelectorAll("#actions [data-steps]")].map((button) => ({
    button, action: button.value, steps: button.dataset.steps.split(" "), family: button.dataset.family,
  })).filter(({ button, steps }) => steps[0].includes(":") || button.dataset.chosenFirst !== undefined);
}

const continuing = (chosen) => legal().filter(({ steps }) => chosen.every((id) => steps.includes(id)));

// Whether a piece is a part of an action: all that it stands for is among the action's steps.
export function fits(piece, { steps, family }) {
  const allowed = families(piece);
  return (!allowed || allowed.includes(family)) && ids(piece).every((id) => steps.includes(id));
}

function chosenWith(piece, from = picks) {
  return [...new Set([...from, ...ids(piece)])];
}

const held = (piece) => picks.length > 0 && ids(piece).every((id) => picks.includes(id)) && continuing(picks).some((one) => fits(piece, one));

// The consequences of an action, or of a part of one, as the game's page wrote them.
function consequences(action, chosen) {
  const find = (name) => document.querySelector(`.previews [data-preview="${CSS.escape(name)}"]`);
  const parts = [action && find(action)].filter(Boolean);
  if (!parts.length) parts.push(...chosen.map(find).filter(Boolean));
  return parts.map((part) => part.cloneNode(true));
}

// While nothing is picked: what the buttons do, or else how to play.
function idle() {
  const shown = $("preview");
  foretell(null);
  drawPlaced([]);
  mark([]);
  if (!shown) return;
  shown.replaceChildren();
  shown.dataset.rests = "";
  for (const button of document.querySelectorAll("#actions .quick [data-steps]")) shown.append(...consequences(button.value, []));
  for (const pick of document.querySelectorAll("#actions .pick[aria-pressed='true']")) shown.append(...consequences(pick.value, pick.dataset.steps.split(" ")));
  for (const number of document.querySelectorAll(".number[data-family]")) {
    const { family } = number.dataset;
    shown.append(...consequences(family, []), ...number.matches(".changed") ? consequences(`typed:${family}`, []) : []);
    count(number);
  }
  shown.dataset.idle = legal().length ? _("You can select anything highlighted. Point at it to preview the move.") : "";
}

// The game's explanation for a piece that cannot be used now.
function describe(piece) {
  const parts = consequences(null, ids(piece));
  if (parts.length) tell(parts);
}

// The numbers on the board that a preview changes are shown as they would be: its words say which, by name (data-marks).
function mark(parts) {
  for (const number of document.querySelectorAll("#fragment [data-becomes]")) delete number.dataset.becomes;
  for (const [name, text] of parts.flatMap((part) => Object.entries(JSON.parse(part.dataset.marks ?? "{}")))) {
    const number = document.querySelector(`#own [data-mark="${CSS.escape(name)}"]`);
    if (number && number.textContent.trim() !== text) number.dataset.becomes = text;
  }
}

function tell(parts) {
  const shown = $("preview");
  shown?.replaceChildren(...parts);
  mark(parts);
  delete shown?.dataset.rests;
  settleTells();
}

function preview(action, chosen) {
  tell(consequences(action, chosen));
  seen = chosen.join(" ");
  drawPlaced(chosen);
  foretell(action, () => drawCommit(armed, picks));
}

export function refresh() {
  const actions = $("actions");
  if (!actions) return;
  const arrived = sent !== null && sent.picks === picks && shown() > sent.version;
  if (arrived || (picks.length && !continuing(picks).length)) picks = [];
  const left = continuing(picks), due = actions.querySelector("[data-steps], .number") !== null;
  armed = picks.length && left.length === 1 ? left[0] : null;
  for (const piece of pieces()) {
    const taken = held(piece);
    const can = !taken && left.some((one) => fits(piece, one));
    piece.classList.toggle("can", can);
    piece.classList.toggle("held", taken);
    if (can || taken) piece.removeAttribute("aria-disabled"); else piece.setAttribute("aria-disabled", "true");
    // While something is to be decided, also by a button alone, the Tab key passes over pieces that cannot be chosen.
    if (due && !can && !taken) piece.tabIndex = -1; else if (piece.tabIndex < 0) piece.removeAttribute("tabindex");
    if (piece.matches("button")) piece.setAttribute("aria-pressed", String(taken));
  }
  followInList(left);
  remark();
  document.body.classList.toggle("choosing", picks.length > 0);
  actions.classList.toggle("armed", Boolean(armed));
  for (const number of document.querySelectorAll("#actions .number[data-saved]")) count(number);
  if (picks.length) preview(armed?.action, armed ? armed.steps : picks); else idle();
  settleTells();
  ask(picks, left, armed, pointer === "touch" && armed && !confirms() && !loses(armed.action) && document.querySelector("#fragment .held[data-armed]"));
  drawCommit(armed, picks);
}

// The list of moves follows what is picked: it shows those that still can become of it.
function followInList(left) {
  const rows = document.querySelectorAll("#list .row[data-steps]"), fitting = new Set(left.map(({ button }) => button));
  for (const row of rows) {
    row.hidden = picks.length > 0 && !fitting.has(row);
    row.setAttribute("aria-pressed", String(row === armed?.button));
  }
  for (const group of document.querySelectorAll("#list .actions")) {
    group.hidden = group.previousElementSibling.hidden = !group.querySelector(".row:not([hidden])");
  }
}

// A row of the list or a button that is chosen first picks its move, as touching its pieces does; the main button or another click makes it.
function choose(row, again) {
  forgive();
  if (row === armed?.button) return void (again || confirms() || loses(row.value) || commit());
  picks = row.dataset.steps.split(" ");
  refresh();
}

export function clear() {
  picks = [];
  seen = "";
  forgive();
  refresh();
}

// Whether an action may begin with a piece; one that only ever comes later explains itself while another is held.
const begins = (piece) => legal().some((one) => fits(piece, one) && ids(piece).includes(one.steps[0]));

let asked = null;
// Why a piece cannot follow what is held; shown only if it is still the one that was asked about.
async function why(piece) {
  asked = piece;
  const said = await explain(ids(piece), picks);
  if (asked !== piece) return;
  refuse(said, piece);
  clearTimeout(unread);
  if (said?.reason) unread = setTimeout(dismiss, 2500 + 40 * said.reason.length);
}

// A refusal goes once there was time to read it, or at the next touch; what it stood in front of is shown again.
let unread = 0;
function dismiss() {
  clearTimeout(unread);
  if ($("refused")?.hidden !== false) return;
  asked = null;
  forgive();
  refresh();
}

function point(piece) {
  if (!piece.matches(".can, .held") && picks.length && !begins(piece)) return void why(piece);
  const options = continuing(picks).filter((one) => fits(piece, one));
  if (!options.length && !picks.length) return void describe(piece);
  if (!options.length || held(piece)) return;
  const chosen = chosenWith(piece);
  // Where a single action is left, a click makes it ready.
  const done = options.length === 1 ? options[0] : options.find(({ steps }) => steps.length === chosen.length);
  preview(done?.action, chosen);
}

// The piece that is pointed at: the focus of somebody who uses keys, or what lies under the mouse.
function pointedAt() {
  if (pointer === "keys") return document.querySelector("#fragment:not([data-past]) [data-path]:is(.can, .held):focus-visible");
  return pointer === "mouse" ? [...document.querySelectorAll("#fragment:not([data-past]) [data-path]:hover")].pop() : null;
}

// A position that changes under a resting mouse or focus: what lies there now is pointed at, but not at once, since the second
// click of a double click must not take it. The same position drawn anew leaves pointed at what was.
let resting = 0, rested = "";
export function rest() {
  const version = $("fragment").dataset.version;
  const again = () => {
    resting = 0;
    const piece = pointedAt();
    if (piece) point(piece);
  };
  if (version === rested) return void ((resting && pointer !== "keys") || again());
  rested = version;
  clearTimeout(resting);
  resting = setTimeout(again, 500);
}

async function touch(piece) {
  asked = null;
  clearTimeout(unread);
  forgive();
  const before = seen;
  if (held(piece)) {
    if (armed && !confirms() && !loses(armed.action) && before === armed.steps.join(" ") && ids(piece).every((id) => armed.steps.includes(id)) && piece.dataset.armed) return commit();
    picks = picks.filter((id) => !ids(piece).includes(id));
    return refresh();
  }
  let from = picks;
  let options = continuing(from).filter((one) => fits(piece, one));
  if (!options.length && picks.length && begins(piece)) {
    from = [];
    options = legal().filter((one) => fits(piece, one));
  }
  if (!options.length) {
    describe(piece);
    return !picks.length && piece.dataset.says !== undefined ? null : why(piece);
  }
  const chosen = chosenWith(piece, from);
  const done = options.find(({ steps }) => steps.length === chosen.length);
  picks = chosen;
  // A payment that has begun goes on with a tap (data-direct).
  if (done && (before === chosen.join(" ") || piece.dataset.direct !== undefined) && !confirms() && !loses(done.action)) return send(done.action);
  for (const other of pieces()) delete other.dataset.armed;
  if (done) piece.dataset.armed = "1";
  refresh();
}

function commit() {
  if (armed) return send(armed.action);
}

// What was picked stays in hand until the position that came of it is shown; what has been picked since then is not touched.
async function send(action) {
  const mine = picks;
  // A second click while the first is on its way would be refused: it was meant for the same position.
  if (sent?.picks === mine) return;
  sent = { picks: mine, version: shown() };
  const version = await post(action);
  if (version !== null) await reached(version);
  if (sent?.picks === mine) sent = null;
  if (picks !== mine) return;
  picks = [];
  seen = "";
  refresh();
}

// A number field: its input, its slider, and the sums that its family's consequences show.
// A lowest number is no suggestion: its button stands back until a number has been chosen.
let weighed = "";
const named = (number) => `${shown()} ${number.dataset.family}`;
const amountOf = (number) => number.querySelector("input[type=number]");

function count(number) {
  const amount = amountOf(number), slide = number.querySelector("input[type=range]");
  const value = Number(amount.value || 0);
  if (slide && document.activeElement !== slide) slide.value = String(value);
  const family = CSS.escape(number.dataset.family);
  const own = document.querySelectorAll(`#preview :is([data-preview="${family}"], [data-preview="typed:${family}"]) [data-sum]`);
  for (const sum of [...own, ...number.querySelectorAll("[data-sum]")]) {
    const [base, factor] = sum.dataset.sum.split(" ").map(Number);
    sum.textContent = String(base + factor * value);
  }
  for (const risk of document.querySelectorAll(`#preview [data-preview="${family}"] [data-above]`)) risk.hidden = value <= Number(risk.dataset.above);
  number.classList.toggle("unset", number.dataset.saved === undefined && weighed !== named(number) && value === Number(amount.min));
  // What is typed and not saved is marked; a card says with data-saved what is.
  if (number.dataset.saved !== undefined) number.classList.toggle("changed", number.dataset.saved !== String(value));
}

// What a number that is being chosen leads to, where the game's page says so (typed:FAMILY).
function weigh(number) {
  weighed = named(number);
  count(number);
  if (picks.length || !consequences(`typed:${number.dataset.family}`, []).length) return;
  idle();
  settleTells();
}

function within(event) {
  const piece = event.target.closest?.("#fragment [data-path]");
  return piece && !document.querySelector("#fragment[data-past]") ? piece : null;
}

document.addEventListener("pointerdown", (event) => { pointer = event.pointerType; }, true);
// Keys scroll the page, and what then passes under a mouse that nobody moved is not pointed at.
let place = null;
function moved({ clientX, clientY }) {
  const before = place;
  place = `${clientX} ${clientY}`;
  return before !== null && before !== place;
}
document.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse" || !moved(event) || pointer !== "keys") return;
  pointer = "mouse";
  pointOver(event);
}, true);

// A row of the list previews its move, and so does a choice; what a button does stands there already, and is shown on the board.
function consider(button) {
  if (button.matches(".row, .pick, [data-chosen-first]")) preview(button.value, button.dataset.steps.split(" "));
  else if (!picks.length) mark(consequences(button.value, []));
}

function pointOver(event) {
  const piece = within(event), button = event.target.closest?.("#actions [data-steps]");
  if (piece) point(piece);
  else if (button) consider(button);
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "mouse" && pointer !== "keys") pointOver(event);
});
document.addEventListener("pointerout", (event) => {
  if (event.pointerType === "mouse" && pointer !== "keys" && (within(event) || event.target.closest?.("#actions [data-steps]"))) {
    seen = "";
    if (asked && asked === within(event)) { asked = null; forgive(); }
    refresh();
  }
});
document.addEventListener("focusin", (event) => {
  const piece = within(event), button = event.target.closest?.("#actions [data-steps]");
  if (button?.matches(":focus-visible")) consider(button);
  if (!piece || !piece.matches(":focus-visible")) return;
  asked = null;
  forgive();
  refresh();
  point(piece);
});
document.addEventListener("click", (event) => {
  const piece = within(event);
  if (piece) {
    if (pointer !== "mouse" && event.detail > 0 && !held(piece)) seen = "";
    return void touch(piece);
  }
  if (!event.target.closest?.("#refused")) dismiss();
  const row = event.target.closest?.("#list .row[data-steps*=':'], #actions [data-chosen-first]");
  if (row) {
    event.preventDefault();
    return choose(row, event.detail > 1);
  }
  const step = event.target.closest?.("[data-step]");
  if (step) {
    const number = step.closest(".number"), amount = amountOf(number);
    amount.value = String(Math.min(Number(amount.max), Math.max(Number(amount.min), Number(amount.value || 0) + Number(step.dataset.step))));
    return weigh(number);
  }
  // The main button takes the place of a chosen one, which the second click of a double click was meant for.
  if (event.target.closest?.("#commit")) return void (armed?.button.dataset.chosenFirst !== undefined && event.detail > 1 || commit());
  if (event.target.closest?.("#clear")) clear();
});
document.addEventListener("input", (event) => {
  const number = event.target.closest?.(".number[data-family]");
  if (!number) return;
  if (event.target.type === "range") amountOf(number).value = event.target.value;
  weigh(number);
});
// A piece may have a key of its own (data-hotkey): rock, paper and scissors are R, P and S.
function struck(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.closest?.("input, select, textarea, dialog")) return null;
  return document.querySelector(`#fragment:not([data-past]) [data-hotkey="${CSS.escape(event.key.toLowerCase())}"].can`);
}

document.addEventListener("keydown", () => { pointer = "keys"; }, true);
document.addEventListener("keydown", (event) => {
  const piece = struck(event);
  if (piece) {
    event.preventDefault();
    point(piece);
    return void touch(piece);
  }
  if (event.key === "Escape" && picks.length) clear();
  if (event.key === "Enter" && event.target.matches?.(".number[data-family] input[type=number]")) {
    event.preventDefault();
    event.target.closest(".number").querySelector("button[name=family]").click();
  }
});
