// The end of a game: when the last events have been told, shows the result on the stage, with links to go on.
import { told } from "./timeline.js";
import { replay } from "./replay.js";
import { turnTo } from "./tabs.js";
import { _ } from "./words.js";

const page = document.getElementById("main").dataset;
const fragment = () => document.getElementById("fragment");
const over = () => fragment().classList.contains("over") && fragment().dataset.past === undefined;
// On returning to a finished game, show the board, with the result beside it.
let shown = over();

function stage() {
  if (!over()) return;
  document.body.dataset.ending = "1";
  if (document.activeElement === document.body) document.getElementById("result").focus({ preventScroll: true });
}

const close = () => { delete document.body.dataset.ending; };

// Called after every position shown.
export function conclude() {
  if (!over()) return close();
  if (shown) return;
  shown = true;
  told().then(stage);
}

async function share(button) {
  const link = `${location.origin}/t/${page.table}`, title = document.title;
  try {
    if (navigator.share) return await navigator.share({ title, url: link });
    await navigator.clipboard.writeText(link);
    button.lastChild.data = _("Copied");
  } catch { /* somebody changed their mind */ }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#ending-actions .button, #replay-result");
  if (!button) return;
  if (button.id === "ending-close") close();
  else if (button.id === "ending-share") share(button);
  else if (button.id === "ending-replay") { close(); replay(); }
  else if (button.id === "replay-result") stage();
  else if (button.id === "ending-analyse") {
    close();
    turnTo("actions");
    document.getElementById("main").dataset.sheet = "actions";
    document.getElementById("analysis").scrollIntoView({ block: "start" });
  }
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
