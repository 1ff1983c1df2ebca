// The hint: requested with a button, shown below it, and cleared when the position changes.
import { onShown, shown } from "./motion.js";
import { _ } from "./words.js";

const page = document.getElementById("main").dataset;
const THINKING = _("Thinking…"), UNREACHABLE = _("Cannot reach the server. No hint available.");
const line = () => document.getElementById("hint-text");
let asked = -1;

function say(text) {
  const answer = line();
  if (!answer) return;
  answer.textContent = text;
  answer.hidden = !text;
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
  let sentence;
  try {
    const headers = { "X-CSRF": page.csrf, Accept: "application/json" };
    const answer = await fetch(`/t/${page.table}/hint`, { method: "POST", headers, body: new URLSearchParams(new FormData(event.target)) });
    const data = await answer.json().catch(() => ({}));
    sentence = data.sentence || data.detail || _("No hint available right now.");
  } catch {
    sentence = UNREACHABLE;
  }
  if (asked === version && shown() === version) say(sentence);
});

addEventListener("reconnected", () => { if (line()?.textContent === UNREACHABLE) say(""); });
onShown(forget);
