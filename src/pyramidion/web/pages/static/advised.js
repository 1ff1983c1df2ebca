// The pieces of an action that is recommended, outlined on the board for as long as its position is shown.
import { onShown, shown } from "./motion.js";
import { fits } from "./paths.js";

let advised = null, at = -1;

function mark() {
  if (at !== shown()) advised = null;
  for (const piece of document.querySelectorAll("#fragment [data-path]")) piece.classList.toggle("hinted", advised !== null && fits(piece, advised));
}

// Outlines the pieces of an action, given as notation and as the ids that it is made of; none without ids.
export function advise(action = "", steps = []) {
  advised = steps.length ? { steps, family: action.split(" ")[0] } : null;
  at = shown();
  mark();
}

onShown(mark);
