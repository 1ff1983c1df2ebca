// Shows one position after another. Cards glide by View Transitions, tiles fly; with reduced motion what changed gets a brief outline.
import { morph, parse } from "./morph.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const table = () => document.getElementById("fragment");
const queue = [];
let running = null;
let idle = true;
let afterwards = () => {};

export const shown = () => Number(table().dataset.version);
let newest = shown();
export const known = () => newest;
export function onShown(callback) { afterwards = callback; }

function places(root) {
  const map = new Map();
  for (const spot of root.querySelectorAll("[data-place]")) {
    const things = spot.dataset.key ? [spot] : spot.querySelectorAll("[data-key]");
    things.forEach((thing, index) => map.set(thing.dataset.key, { thing, place: `${spot.dataset.place}/${index}` }));
  }
  return map;
}

function counts(root) {
  const map = new Map();
  for (const pile of root.querySelectorAll("[data-flow]")) {
    map.set(pile.dataset.key, { pile, flow: pile.dataset.flow, count: Number(pile.dataset.count), box: pile.firstElementChild.getBoundingClientRect() });
  }
  return map;
}

function fly(before) {
  const after = counts(table());
  const from = [], to = [];
  for (const [name, now] of after) {
    const was = before.get(name);
    if (!was || was.count === now.count) continue;
    now.pile.classList.add("fresh");
    setTimeout(() => now.pile.classList.remove("fresh"), 900);
    (now.count < was.count ? from : to).push(now);
  }
  if (calm.matches) return;
  for (const start of from) {
    const end = to.find((one) => one.flow === start.flow);
    if (!end || !end.box.width || !start.box.width) continue;
    const ghost = end.pile.firstElementChild.cloneNode(true);
    ghost.className += ` ghost ${[...end.pile.classList].filter((one) => one.startsWith("i-")).join(" ")}`;
    Object.assign(ghost.style, { left: `${start.box.left + scrollX}px`, top: `${start.box.top + scrollY}px`, width: `${start.box.width}px`, height: `${start.box.height}px` });
    document.getElementById("main").append(ghost);
    ghost.animate([{ transform: "none" }, { transform: `translate(${end.box.left - start.box.left}px, ${end.box.top - start.box.top}px)` }], { duration: 350, easing: "ease-out" })
      .finished.finally(() => ghost.remove());
  }
}

function swap(fresh) {
  const held = document.activeElement;
  const inside = table().contains(held) && held !== table();
  const before = counts(table());
  morph(table(), fresh);
  fly(before);
  afterwards();
  if (!inside) return;
  keepFocus(held);
  // What is still there but hidden or disabled now loses the focus only when the page is drawn.
  requestAnimationFrame(() => setTimeout(() => keepFocus(held)));
}

// The keyboard stays on the table: at the same thing, or on the headline where that is gone.
function keepFocus(held) {
  if (document.activeElement && document.activeElement !== document.body) return;
  const again = held.id ? document.getElementById(held.id) : held.dataset.key && table().querySelector(`[data-key="${CSS.escape(held.dataset.key)}"]`);
  again?.focus({ preventScroll: true });
  if (document.activeElement === document.body) document.getElementById("status").focus({ preventScroll: true });
}

async function show(fresh, lively) {
  const old = places(table()), next = places(fresh);
  const moved = new Set();
  for (const [name, { place }] of next) if (old.get(name)?.place !== place) moved.add(name);
  for (const name of old.keys()) if (!next.has(name)) moved.add(name);
  const still = !lively || document.hidden || moved.size === 0 || moved.size > 40;
  if (still || calm.matches || !document.startViewTransition) {
    swap(fresh);
    if (lively && calm.matches) {
      for (const [name, { thing }] of places(table())) {
        if (!moved.has(name)) continue;
        thing.classList.add("fresh");
        setTimeout(() => thing.classList.remove("fresh"), 900);
      }
    }
    return;
  }
  const label = (map) => { for (const [name, { thing }] of map) thing.style.viewTransitionName = moved.has(name) ? name : ""; };
  label(old);
  running = document.startViewTransition(() => { swap(fresh); label(places(table())); });
  await running.finished.catch(() => {});
  running = null;
  for (const { thing } of places(table()).values()) thing.style.viewTransitionName = "";
}

async function work() {
  idle = false;
  while (queue.length) {
    const { fresh, lively } = queue.shift();
    document.getElementById("skip").hidden = queue.length < 3;
    await show(fresh, lively && queue.length < 4);
  }
  document.getElementById("skip").hidden = true;
  idle = true;
}

// Queues a position; those that came meanwhile are shown one after the other. A live position never goes back behind one that
// is known already, and leaves alone whoever is looking at an earlier one.
export function position(html, { lively = true, replay = false } = {}) {
  const fresh = parse(html);
  if (!replay) {
    const version = Number(fresh.dataset.version);
    if (version < newest || table().dataset.past !== undefined) return;
    newest = version;
  }
  queue.push({ fresh, lively });
  if (idle) return work();
}

// Jumps to the newest position at once.
export function skip() {
  if (queue.length > 1) queue.splice(0, queue.length - 1);
  if (queue.length) queue[0].lively = false;
  running?.skipTransition();
}
