// A table's page: stream.js receives positions, motion.js shows them, paths.js lets the player act. The scripts of panels come
// before this one; each registers with `onShown` what to do after a position.
import { onShown, settled } from "./motion.js";
import { refresh, rest } from "./paths.js";
import { merge } from "./log.js";
import { offer } from "./replay.js";
import { conclude } from "./ending.js";
import { remember } from "./away.js";
import { listen } from "./sound.js";
import { connect } from "./stream.js";
import { keepTime } from "./clock.js";
import { passBy } from "./skip.js";
import "./rules.js";
import { underline } from "./terms.js";
import { follow } from "./watching.js";
import { settleZoom } from "./zoom.js";
import { settleTabs } from "./tabs.js";
import { _ } from "./words.js";

// The list of actions is folded until the player opens it, and then stays open.
const met = new WeakSet();
function openList() {
  const list = document.getElementById("list");
  if (!list || met.has(list)) return;
  met.add(list);
  let wish = null;
  try { wish = localStorage.getItem("list"); } catch { /* no wish */ }
  list.open = wish === "open";
  list.addEventListener("toggle", () => { try { localStorage.setItem("list", list.open ? "open" : "closed"); } catch { /* not remembered */ } });
}

function settle() {
  settleTabs();
  openList();
  refresh();
  rest();
  merge();
  offer();
  conclude();
  remember();
  listen();
  keepTime();
  passBy();
  settleZoom();
  underline();
  follow();
}

onShown(settle, true);
settled();
connect();

const copy = document.getElementById("copy");
copy.addEventListener("click", async () => {
  const words = copy.querySelector(".word"), before = words.textContent;
  try { await navigator.clipboard.writeText(copy.dataset.link); words.textContent = _("Copied"); } catch { prompt(_("Link to this table"), copy.dataset.link); }
  setTimeout(() => { words.textContent = before; }, 2000);
});
