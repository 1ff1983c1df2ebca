// The home page: keeps "Your games" up to date, in the tab as well.
import { morph, parse } from "./morph.js";

const SHOWN = 5000, HIDDEN = 15000;
const yours = document.getElementById("yours"), icon = document.querySelector("link[rel=icon]");
const plain = { title: "Pyramidion", icon: icon.href };

function mark() {
  const turns = yours.querySelector("[data-turns]")?.dataset;
  document.title = turns?.title ? `${turns.title} · ${plain.title}` : plain.title;
  const wanted = turns?.title ? document.getElementById("main").dataset.turnIcon : plain.icon;
  if (icon.getAttribute("href") !== wanted) icon.href = wanted;
}

async function look() {
  try {
    const answer = await fetch("/your-games", { headers: { Accept: "text/html" } });
    if (answer.ok) morph(yours, parse(`<div id="yours">${await answer.text()}</div>`));
    mark();
  } catch { /* the next look may find the server */ }
}

let timer = 0;
function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => look().finally(wait), document.hidden ? HIDDEN : SHOWN);
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) look().finally(wait); });
addEventListener("pageshow", (event) => { if (event.persisted) look(); });
mark();
wait();

// An installed app without a connection shows our own offline page.
navigator.serviceWorker?.register("/sw.js").catch(() => { /* private windows may refuse */ });
