// Sends the chosen action, and explains why something cannot be chosen.
import { known, position, shown } from "./motion.js";
import { settleTells } from "./tells.js";
import { _, fill } from "./words.js";

const page = document.getElementById("main").dataset;
const home = `/t/${page.table}`;
const answers = new Map();
let busy = false, accepted = "";

// Draws a sum that would exceed a limit: a box for each unit, filled, empty or too many.
function drawn([there, more, limit]) {
  const sum = document.createElement("span");
  sum.className = "sum";
  sum.setAttribute("role", "img");
  sum.setAttribute("aria-label", fill(_("{there} so far, {more} more, limit {limit}"), { there, more, limit }));
  for (let n = 0; n < Math.max(limit, there + more); n++) {
    const unit = document.createElement("i");
    unit.className = `${n < there ? "there" : n < there + more ? "more" : ""} ${n >= limit ? "over" : ""}`.trim();
    if (n === limit) unit.classList.add("first");
    sum.append(unit);
  }
  const words = document.createElement("b");
  words.textContent = `${there} + ${more} > ${limit}`;
  sum.append(words);
  return sum;
}

// Shows why something cannot be taken: the sentence, the sum, and on the board the pieces that are in the way.
export function refuse(why, touched = null) {
  const line = document.getElementById("refused");
  if (!line || !why?.reason) return;
  unmark();
  line.textContent = why.rule && !why.reason.includes(why.rule) ? `${why.reason} (${why.rule})` : why.reason;
  if (why.total) line.append(drawn(why.total));
  if (touched) marks.push([touched, "not-here"]);
  for (const id of why.pieces ?? []) {
    for (const piece of document.querySelectorAll(`:is(#own, #board) [data-path~="${CSS.escape(id)}"]`)) marks.push([piece, "in-the-way"]);
  }
  remark();
  line.hidden = false;
  settleTells();
}

// Keep the marks on the board when the page is updated meanwhile.
let marks = [];
export function remark() {
  for (const [piece, mark] of marks) piece.classList.add(mark);
}

function unmark() {
  for (const [piece, mark] of marks) piece.classList.remove(mark);
  marks = [];
}

export function forgive() {
  unmark();
  const line = document.getElementById("refused");
  if (line) line.hidden = true;
  settleTells();
}

// Fetches the latest position if the event stream has not delivered it.
export async function fetchFragment(query = "") {
  const answer = await fetch(`${home}/fragment${query}`, { headers: { Accept: "text/html" } });
  if (answer.ok) position(await answer.text());
}

// Resolves to why the touched pieces cannot be taken after the picked ones, or to null if the table does not say.
async function askTable(touched, picked) {
  const query = new URLSearchParams({ ids: touched.join(" "), picks: picked.join(" ") });
  const name = `${shown()} ${query}`;
  if (!answers.has(name)) {
    try {
      const answer = await fetch(`${home}/refusal?${query}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) return null;
      answers.set(name, await answer.json());
    } catch {
      return null;
    }
  }
  return answers.get(name);
}

// Asks before a serious mistake; resolves to whether to play the action anyway.
function sure(reason) {
  const box = document.getElementById("sure");
  document.getElementById("sure-text").textContent = reason;
  box.returnValue = "no";
  box.showModal();
  return new Promise((done) => { box.addEventListener("close", () => done(box.returnValue === "yes"), { once: true }); });
}

// Sends the form with an action, which loads a page.
function sendForm(action) {
  const form = document.getElementById("act"), field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "action", value: action });
  form.append(field);
  form.submit();
  return null;
}

// Resolves to the version that the action led to, or to null where it was not accepted.
// With `asked` the player has answered the question whether to play it.
async function play(action, asked = false) {
  const version = shown(), sent = `${version} ${action}`;
  if (busy || sent === accepted) return null; // a second tap, or a pass by itself, before the page shows what the first led to
  busy = true;
  try {
    const answer = await fetch(`${home}/act`, {
      method: "POST", headers: { "X-CSRF": page.csrf, Accept: "application/json" },
      body: new URLSearchParams({ action, version: String(version), ...(page.seat && { seat: page.seat }), ...(!asked && { ask: "yes" }) }),
    });
    const data = await answer.json().catch(() => ({}));
    if (data.error === "sure") {
      busy = false;
      return await sure(data.reason) ? await play(action, true) : null;
    }
    if (!answer.ok) {
      if (answer.status === 409) await fetchFragment();
      refuse({ rule: data.rule, reason: data.reason || data.detail || _("The server rejected the request.") });
      return null;
    }
    accepted = sent;
    dispatchEvent(new CustomEvent("acted"));
    // Several people share this screen, and another one's turn has come: the curtain is a page of its own.
    if (data.passed) return void location.assign(home);
    setTimeout(() => { if (known() < data.version) fetchFragment(); }, 250);
    return data.version;
  } catch {
    refuse({ reason: _("Cannot reach the server. Your move was not sent.") });
    return null;
  } finally {
    busy = false;
  }
}

// What a number field says: `bid 12`, or nothing while it holds no number that it may.
function typed(box) {
  const field = box.querySelector("input[type=number]");
  if (field.value === "") field.value = field.min;
  return field.reportValidity() ? `${box.dataset.family} ${field.valueAsNumber}` : null;
}

// Resolves when the page shows a position, or gives up after five seconds without it.
export async function reached(version) {
  for (let tries = 0; shown() < version && tries < 100; tries++) await new Promise((next) => { setTimeout(next, 50); });
}

// Numbers that were typed and not saved are saved before a submission is confirmed (a button with data-saves).
async function submit(button) {
  forgive();
  if (button.name === "family") {
    const action = typed(button.closest(".number"));
    if (action) await play(action);
    return;
  }
  for (const box of button.dataset.saves === undefined ? [] : document.querySelectorAll("#actions .number.changed")) {
    const action = typed(box), version = action && await play(action);
    if (!version) return;
    await reached(version);
  }
  await play(button.value);
}

// A table plays actions and explains refusals while the page stays. A puzzle has no table: an action is its answer, and
// the form is sent as without scripts.
export const { explain, post } = page.table ? atTable() : { explain: async () => null, post: sendForm };

function atTable() {
  document.getElementById("act").addEventListener("submit", (event) => {
    if (!event.submitter) return;
    event.preventDefault();
    submit(event.submitter);
  });
  // The server was away when something was sent, and is back.
  addEventListener("reconnected", forgive);
  return { explain: askTable, post: play };
}
