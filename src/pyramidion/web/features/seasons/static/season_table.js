// A season at its tables. Most pages of tables belong to no season, or to nobody who reads its conversations.
import "./portraits.js";
import { onShown } from "./motion.js";
if (document.getElementById("season-talk")) import("./talk.js");

// Whoever came from a slide of the show goes back to it from the result, too.
const back = document.getElementById("way-back");
const lead = () => document.getElementById("ending-season")?.setAttribute("href", back.getAttribute("href"));
if (back?.getAttribute("href").includes("/show/")) {
  lead();
  onShown(lead);
}

// Tells a contestant that the hosts are waiting, until they have decided. The stream says that there may be news.
const nudge = document.getElementById("season-nudge");
async function ask() {
  try {
    const answer = await fetch(nudge.dataset.news);
    if (!answer.ok) return;
    nudge.textContent = (await answer.json()).waiting ?? "";
    nudge.hidden = !nudge.textContent;
  } catch { /* the stream says so when it is back */ }
}
if (nudge) {
  addEventListener("talk", ask);
  nudge.addEventListener("click", () => { nudge.hidden = true; });
  onShown(() => { if (!nudge.hidden) ask(); });
}
