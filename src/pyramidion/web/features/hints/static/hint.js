// The hint: requested with a button, shown above the actions, with its pieces marked on the board; cleared when the position changes.
import { onShown, shown } from "./motion.js";
import { _ } from "./words.js";

const page = document.getElementById("main").dataset;
const THINKING = _("Thinking…"), CLOSE = _("Too close to call."), UNREACHABLE = _("Cannot reach the server. No hint available.");
const line = () => document.getElementById("hint-text");
let asked = -1, marked = [];

// Say what to do, why, and with which pieces. A phone has room for the action and its reason, and leaves out the others' chances.
function say(text, { why = "", brief = "", pieces = [] } = {}) {
  marked = pieces;
  mark();
  const answer = line();
  if (!answer) return;
  const part = (name, words) => Object.assign(document.createElement("span"), { className: name, textContent: words });
  answer.replaceChildren(...why ? [part("whole", text), part("brief", brief), " ", part("why", why)] : [text]);
  answer.hidden = !text;
}

function mark() {
  for (const piece of document.querySelectorAll("#fragment [data-path]")) {
    piece.classList.toggle("hinted", piece.dataset.path.split(" ").some((id) => marked.includes(id)));
  }
}

// Called after every position shown; the same position may have been drawn anew.
function forget() {
  if (asked < 0) return;
  if (asked === shown()) return mark();
  asked = -1;
  say("");
}

document.getElementById("hinting").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (asked === shown() && line()?.textContent === THINKING) return;
  const version = asked = shown();
  say(THINKING);
  let sentence, more = {};
  try {
    const headers = { "X-CSRF": page.csrf, Accept: "application/json" };
    const answer = await fetch(`/t/${page.table}/hint`, { method: "POST", headers, body: new URLSearchParams(new FormData(event.target)) });
    const data = await answer.json().catch(() => ({}));
    sentence = data.sentence || data.detail || _("No hint available right now.");
    if (data.why) more = { why: data.why, brief: data.close ? `${CLOSE} ${data.label}.` : `${data.label}.` };
    more.pieces = data.pieces;
  } catch {
    sentence = UNREACHABLE;
  }
  if (asked === version && shown() === version) say(sentence, more);
});

addEventListener("reconnected", () => { if (line()?.textContent === UNREACHABLE) say(""); });
onShown(forget);
