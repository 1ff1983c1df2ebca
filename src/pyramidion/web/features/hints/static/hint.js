// The hint: requested with a button, shown above the actions, with its pieces marked on the board; cleared when the position changes.
import { onShown, shown } from "./motion.js";
import { _ } from "./words.js";

const page = document.getElementById("main").dataset;
const THINKING = _("Thinking…"), UNREACHABLE = _("Cannot reach the server. No hint available.");
const line = () => document.getElementById("hint-text");
let asked = -1;

// Say what to do, why, and with which pieces. A phone has room for the action and its reason, and leaves out the others' chances.
function say(text, { why = "", brief = "", pieces = [] } = {}) {
  for (const old of document.querySelectorAll(".hinted")) old.classList.remove("hinted");
  const answer = line();
  if (!answer) return;
  const part = (name, words) => Object.assign(document.createElement("span"), { className: name, textContent: words });
  answer.replaceChildren(...why ? [part("whole", text), part("brief", brief), " ", part("why", why)] : [text]);
  answer.hidden = !text;
  for (const piece of document.querySelectorAll("#fragment [data-path]")) {
    if (piece.dataset.path.split(" ").some((id) => pieces.includes(id))) piece.classList.add("hinted");
  }
}

// Called after every position shown.
function forget() {
  if (asked < 0 || asked === shown()) return;
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
    if (data.why) more = { why: data.why, brief: `${data.label}.` };
    more.pieces = data.pieces;
  } catch {
    sentence = UNREACHABLE;
  }
  if (asked === version && shown() === version) say(sentence, more);
});

addEventListener("reconnected", () => { if (line()?.textContent === UNREACHABLE) say(""); });
onShown(forget);
