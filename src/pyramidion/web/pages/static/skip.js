// Plays the only possible action automatically, unless the player or a rated game wants otherwise, where everybody knows that there is no
// other. It waits until the position has been told, and a moment more, so that the player sees it happen. A lesson leaves it to the learner.
import { post } from "./act.js";
import { skips } from "./keys.js";
import { shown } from "./motion.js";
import { told } from "./timeline.js";
import { _, fill } from "./words.js";

const MOMENT = 900; // milliseconds
let meant = null;

// Called after every position shown.
export function passBy() {
  const { forced, forcedLabel } = document.getElementById("fragment").dataset, version = shown();
  if (!forced || !skips() || document.getElementById("coach")) return;
  const words = forced === "pass" ? _("You can only pass. Passing for you.") : fill(_("Only one option: {move}. Playing it for you."), { move: forcedLabel });
  for (const line of document.querySelectorAll(".asks")) line.textContent = words; // also where the same position was drawn again
  if (meant === version) return;
  meant = version;
  document.getElementById("live").textContent = words;
  setTimeout(async () => {
    await told();
    const now = document.getElementById("fragment").dataset.forced;
    if (skips() && now === forced && shown() === version) post(forced);
  }, MOMENT);
}

document.getElementById("skip-passes").addEventListener("change", passBy);
