// The board that moves on the home page: a recorded game, one position after another in which the drawn area changes. It begins in
// the middle of the game, and it rests while it is not seen.
import { parse } from "./morph.js";

const PAUSE = 1700, AT_REST = 18;
const box = document.getElementById("showcase"), calm = matchMedia("(prefers-reduced-motion: reduce)");
let seen = true;

async function show(ply) {
  const answer = await fetch(`/showcase/${ply}`, { headers: { Accept: "text/html" } });
  if (!answer.ok) return null;
  const fresh = parse(await answer.text()), change = () => box.replaceChildren(fresh);
  if (calm.matches || document.hidden || !document.startViewTransition) change();
  else await document.startViewTransition(change).updateCallbackDone;
  return Number(fresh.dataset.next);
}

async function play(ply) {
  try {
    const resting = calm.matches || document.hidden || !seen;
    const next = resting && box.querySelector(".frame") ? ply : await show(calm.matches ? AT_REST : ply);
    if (next !== null) setTimeout(play, PAUSE, next);
  } catch { /* the picture stays */ }
}

new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; }).observe(box);
play(AT_REST);
