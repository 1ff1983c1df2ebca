// Shows what is certain to follow from a choice, losses first. The server runs the rules ahead on what the seat knows.
import { shown } from "./motion.js";
import { settleTells } from "./tells.js";
import { _, fill } from "./words.js";

const page = document.getElementById("main").dataset;
const known = new Map();
let wanted = null, at = -1, timer = 0;

function tell(follows) {
  const preview = document.getElementById("preview");
  if (!preview) return;
  for (const old of preview.querySelectorAll(".ahead")) old.remove();
  // Announce eliminations first.
  for (const one of follows) {
    const line = document.createElement("p");
    line.className = one.falls ? "ahead harm" : "ahead";
    line.textContent = `${fill(_("Then: {event}"), { event: one.text })} (${one.rule})`;
    if (one.falls) preview.prepend(line); else preview.append(line);
  }
  settleTells();
}

// Called with the previewed action, or null for a part of one.
export function foretell(action) {
  wanted = action;
  clearTimeout(timer);
  if (at !== shown()) { known.clear(); at = shown(); }
  if (!action || page.seat === undefined) return;
  if (known.has(action)) return tell(known.get(action));
  timer = setTimeout(async () => {
    try {
      const answer = await fetch(`/t/${page.table}/ahead?${new URLSearchParams({ action })}`);
      if (!answer.ok || at !== shown()) return;
      known.set(action, await answer.json());
      if (wanted === action) tell(known.get(action));
    } catch { /* the choice can be made without it */ }
  }, 120);
}
