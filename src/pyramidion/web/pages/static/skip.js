// Passes automatically, unless the player or a rated game wants otherwise, when passing is the only action and everybody knows it. It waits
// the same short time after each position, so that the player sees it happen.
import { post } from "./act.js";
import { skips } from "./keys.js";
import { shown } from "./motion.js";
import { _ } from "./words.js";

const MOMENT = 900; // milliseconds
let meant = null;

// Called after every position shown.
export function passBy() {
  const { skipped } = document.getElementById("fragment").dataset, version = shown();
  if (!skipped || !skips()) return;
  const told = _("You can only pass. Passing for you.");
  for (const line of document.querySelectorAll(".asks")) line.textContent = told; // also where the same position was drawn again
  if (meant === version) return;
  meant = version;
  document.getElementById("live").textContent = told;
  setTimeout(() => {
    const now = document.getElementById("fragment").dataset.skipped;
    if (skips() && now === skipped && shown() === version) post(skipped);
  }, MOMENT);
}

document.getElementById("skip-passes").addEventListener("change", passBy);
