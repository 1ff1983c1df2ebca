// Shows the invitation while there is an open seat.
import { onShown } from "./motion.js";
const bar = () => document.getElementById("invite");
const openSeats = () => Number(document.getElementById("fragment").dataset.openSeats);
let before = openSeats();

// Called after every position shown.
async function invite() {
  const now = openSeats();
  if (now === before) return;
  before = now;
  if (!now) return void bar()?.remove();
  if (bar()) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("invite");
    if (fresh && openSeats() && !bar()) document.getElementById("main").before(fresh);
  } catch { /* the link is on the page in any case */ }
}

onShown(invite);
