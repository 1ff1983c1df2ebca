// A trial: a decision of a finished game that is made again. The address names game and decision (#trial=GAME.PLY), which
// this browser remembers. A line above the table says so, and how the move compares once it is made.
import { onShown } from "./motion.js";
const main = document.getElementById("main"), line = document.getElementById("trial"), KEY = `trial ${main.dataset.table}`;
let asked = "";

function origin() {
  const named = location.hash.startsWith("#trial=") ? location.hash.slice("#trial=".length) : null;
  try {
    if (named) sessionStorage.setItem(KEY, named);
    return named ?? sessionStorage.getItem(KEY);
  } catch { return named; }
}

// Called after every position shown.
async function compare() {
  const [game, ply] = origin()?.split(".") ?? [], { version } = document.getElementById("fragment").dataset;
  if (!line || !game || asked === version) return;
  asked = version;
  try {
    const query = new URLSearchParams({ table: main.dataset.table, ply });
    const answer = await fetch(`/t/${game}/analysis/trial?${query}`, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const text = await answer.text();
    if (line.innerHTML !== text) line.innerHTML = text;
    line.hidden = false;
  } catch { asked = ""; }
}

onShown(compare);
