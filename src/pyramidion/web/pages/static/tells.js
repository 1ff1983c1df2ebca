// What stands beside the actions: one thing at a time. A refusal comes before a preview, a preview before a hint, and a hint before what
// the buttons do, which is shown while nothing is picked. The page says which (data-tells), and the style sheets do the rest.
const filled = (id) => {
  const line = document.getElementById(id);
  return line?.childNodes.length > 0 && !line.hidden;
};

function current() {
  if (filled("refused")) return "refused";
  const rests = document.getElementById("preview")?.dataset.rests !== undefined;
  if (filled("preview") && !rests) return "preview";
  if (filled("hint-text")) return "hint";
  return filled("preview") ? "rests" : "nothing";
}

// Called by whatever has written there, and after every position shown.
export function settleTells() { document.body.dataset.tells = current(); }
