// The lobby: updated every few seconds while the page is visible.
import { morph, parse } from "./morph.js";
import { _, fill } from "./words.js";

const list = document.getElementById("lobby"), news = document.getElementById("lobby-news");
const tables = () => new Set([...list.querySelectorAll(".lobby [data-key]")].map((one) => one.dataset.key));

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`/lobby/tables${location.search}`, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const before = tables();
    morph(list, parse(`<div id="lobby">${await answer.text()}</div>`));
    const more = [...tables()].filter((one) => !before.has(one)).length;
    if (more) news.textContent = fill(_("New open tables: {count}"), { count: more });
  } catch { /* the next look may find the server */ }
}

setInterval(look, 4000);
document.addEventListener("visibilitychange", look);
