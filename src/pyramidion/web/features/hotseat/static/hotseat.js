// A shared screen: asks the server after every position who is next. Only the server knows which seat is open.
import { onShown } from "./motion.js";
import { morph, parse } from "./morph.js";

const page = document.getElementById("main").dataset;
const bar = () => document.getElementById("hotseat");
let asked = "";

// Called after every position shown.
async function passOn() {
  const fragment = document.getElementById("fragment");
  const position = `${fragment.dataset.version} ${fragment.dataset.past ?? ""}`;
  if (!bar() || position === asked) return;
  if (!asked) { asked = position; return; }
  asked = position;
  try {
    const answer = await fetch(`/t/${page.table}/screen`, { headers: { Accept: "text/html" } });
    if (!answer.ok || position !== asked) return;
    const fresh = parse((await answer.text()).trim());
    if (fresh) morph(bar(), fresh);
    else if (page.seat === undefined) location.reload(); // after the game seats are no longer hidden
    else bar().remove();
  } catch { /* the next position asks again */ }
}

// A page restored from the browser's cache may show a seat that is no longer open.
addEventListener("pageshow", (event) => { if (event.persisted && bar()) location.reload(); });

onShown(passOn);
