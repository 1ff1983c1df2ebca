// The slider through every position of a finished game, as this seat saw it or with everything open.
import { position } from "./motion.js";
import { _, fill } from "./words.js";

const page = document.getElementById("main").dataset;
const panel = document.getElementById("replay"), slider = document.getElementById("position"), at = document.getElementById("at"), everything = document.getElementById("everything");
let asking = null, known = -1;

const numbered = (version) => fill(_("{number} of {last}"), { number: version, last: slider.max });

async function show() {
  asking?.abort();
  asking = new AbortController();
  const version = Number(slider.value);
  at.textContent = numbered(version);
  try {
    const query = new URLSearchParams({ version: String(version) });
    if (everything.checked) query.set("open", "1");
    const answer = await fetch(`/t/${page.table}/fragment?${query}`, { signal: asking.signal });
    if (answer.ok) position(await answer.text(), { lively: Math.abs(version - known) === 1, replay: true });
    known = version;
  } catch { /* a newer position was asked for, or the connection is down; the slider stays where it is */ }
}

// Called after every position shown: once the game is over the replay appears.
export function offer() {
  const fragment = document.getElementById("fragment");
  // With everything open there are other positions than a seat sees.
  if (fragment.dataset.past !== undefined || fragment.classList.contains("over")) slider.max = fragment.dataset.last;
  if (fragment.dataset.past !== undefined || !fragment.classList.contains("over")) return;
  if (known < 0 || panel.hidden) { slider.value = slider.max; known = Number(slider.max); at.textContent = numbered(slider.max); }
  panel.hidden = false;
}

slider.addEventListener("input", show);
everything.addEventListener("change", show);
panel.addEventListener("submit", (event) => { event.preventDefault(); show(); });
