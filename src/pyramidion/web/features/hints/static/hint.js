// The hint: requested with a button, shown where previews are shown, with its pieces outlined on the board; cleared when the position changes.
import { advise } from "./advised.js";
import { onShown, shown } from "./motion.js";
import { settleTells } from "./tells.js";
import { _ } from "./words.js";

const page = document.getElementById("main").dataset;
const THINKING = _("Thinking…"), CLOSE = _("Too close to call."), UNREACHABLE = _("Cannot reach the server. No hint available.");
const line = () => document.getElementById("hint-text");
let asked = -1;

// Say what to do and why. A phone has room for the action and its reason, and leaves out the others' chances.
function say(text, { why = "", brief = "" } = {}) {
  const answer = line();
  if (!answer) return;
  const part = (name, words) => Object.assign(document.createElement("span"), { className: name, textContent: words });
  answer.replaceChildren(...why ? [part("brief", brief), " ", part("why", why), " ", part("whole", text)] : [text]);
  answer.hidden = !text;
  settleTells();
}

// Called after every position shown; the same position may have been drawn anew.
function forget() {
  if (asked < 0 || asked === shown()) return;
  asked = -1;
  say("");
}

document.getElementById("hinting").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (asked === shown() && line()?.textContent === THINKING) return;
  const version = asked = shown();
  advise();
  say(THINKING);
  let sentence, hint = {}, more = {};
  try {
    const headers = { "X-CSRF": page.csrf, Accept: "application/json" };
    const answer = await fetch(`/t/${page.table}/hint`, { method: "POST", headers, body: new URLSearchParams(new FormData(event.target)) });
    hint = await answer.json().catch(() => ({}));
    sentence = hint.sentence || hint.detail || _("No hint available right now.");
    if (hint.why) more = { why: hint.why, brief: hint.close ? `${hint.label}. ${CLOSE}` : `${hint.label}.` };
  } catch {
    sentence = UNREACHABLE;
  }
  if (asked !== version || shown() !== version) return;
  advise(hint.action, hint.pieces);
  say(sentence, more);
});

addEventListener("reconnected", () => { if (line()?.textContent === UNREACHABLE) say(""); });
onShown(forget);
