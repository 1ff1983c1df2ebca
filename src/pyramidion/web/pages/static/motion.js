// Shows one position after another, each with the beats that lead to it (timeline.js). Cards glide by View Transitions, tiles
// fly; with reduced motion what changed gets a brief outline.
import { countIn, stopCount } from "./count.js";
import { morph, parse } from "./morph.js";
import { beatsOf, count, finish, numbers, play, speed } from "./timeline.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const table = () => document.getElementById("fragment");
const queue = [];
let running = null;
let idle = true;
const afterwards = [];

const eyes = (root = table()) => root.querySelector("#recent").dataset.eyes;
const own = document.getElementById("main").dataset.seat ?? "spectator";

export const shown = () => Number(table().dataset.version);
let newest = shown();
export const known = () => newest;
// Callbacks for after every position shown; the page's own comes first.
export function onShown(callback, first = false) { if (first) afterwards.unshift(callback); else afterwards.push(callback); }
export function settled() { for (const callback of afterwards) callback(); }

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
    Object.assign(ghost.style, {
      left: `${start.box.left + scrollX}px`, top: `${start.box.top + scrollY}px`,
      width: `${start.box.width}px`, height: `${start.box.height}px`,
    });
    document.getElementById("main").append(ghost);
    const way = `translate(${end.box.left - start.box.left}px, ${end.box.top - start.box.top}px)`;
    ghost.animate([{ transform: "none" }, { transform: way }], { duration: 350, easing: "ease-out" })
      .finished.finally(() => ghost.remove());
  }
}

function swap(fresh) {
  const held = document.activeElement;
  const inside = table().contains(held) && held !== table();
  const before = counts(table());
  morph(table(), fresh);
  fly(before);
  settled();
  if (!inside) return;
  keepFocus(held);
  // An element that is now hidden or disabled loses the focus only when the page is drawn.
  requestAnimationFrame(() => setTimeout(() => keepFocus(held)));
}

// Keep the keyboard focus on the same element, or move it to the headline if that is gone.
function keepFocus(held) {
  if (document.activeElement && document.activeElement !== document.body) return;
  const again = held.id ? document.getElementById(held.id) : held.dataset.key && table().querySelector(`[data-key="${CSS.escape(held.dataset.key)}"]`);
  again?.focus({ preventScroll: true });
  if (document.activeElement === document.body) document.getElementById("status").focus({ preventScroll: true });
}

const name = (map, moved) => { for (const [key, { thing }] of map) thing.style.viewTransitionName = moved.has(key) ? key : ""; };

// Changes the table; moved pieces glide to their new places, or walk, which takes longer.
async function glide(change, moved, walks = false) {
  const still = speed() === "off" || document.hidden || moved.size === 0 || moved.size > 40;
  const before = numbers();
  if (still || calm.matches || !document.startViewTransition) {
    change();
    count(before);
    return;
  }
  name(places(table()), moved);
  document.documentElement.classList.toggle("walking", walks);
  // Numbers begin to count with the first picture after the change: otherwise they would show the end first.
  running = document.startViewTransition(() => { change(); name(places(table()), moved); count(before); });
  await running.finished.catch(() => {});
  running = null;
  document.documentElement.classList.remove("walking");
  for (const { thing } of places(table()).values()) thing.style.viewTransitionName = "";
}

function movedTo(fresh) {
  const old = places(table()), next = places(fresh), moved = new Set();
  for (const [key, { place }] of next) if (old.get(key)?.place !== place) moved.add(key);
  for (const key of old.keys()) if (!next.has(key)) moved.add(key);
  return moved;
}

async function show(fresh, lively) {
  const moved = lively ? movedTo(fresh) : new Set();
  const arrive = async () => {
    await glide(() => swap(fresh), moved);
    if (lively && calm.matches) {
      for (const [key, { thing }] of places(table())) {
        if (!moved.has(key)) continue;
        thing.classList.add("fresh");
        setTimeout(() => thing.classList.remove("fresh"), 900);
      }
    }
  };
  const some = (change, walkers) => glide(change, new Set([...moved, ...walkers]), walkers.length > 0);
  await play(lively ? beatsOf(fresh) : [], fresh, some, arrive);
}

// Live play never lags by more than a round: queued positions older than one turn of each player are skipped.
const round = () => Number(table().dataset.seats);

async function work() {
  idle = false;
  while (queue.length) {
    const { fresh, lively, reveal } = queue.shift();
    document.getElementById("skip").hidden = queue.length < 2;
    if (reveal && lively && !calm.matches) await countIn(reveal);
    await show(fresh, lively && queue.length < round());
  }
  document.getElementById("skip").hidden = true;
  idle = true;
}

// Queues a position; those that came meanwhile are shown one after the other. A live position never goes back behind one that
// is known already, and leaves alone whoever is looking at an earlier one.
export function position(html, { lively = true, replay = false, reveal = null } = {}) {
  const fresh = parse(html);
  if (!replay) {
    // Whoever lost a seat, or opened another one, needs another page.
    if (eyes(fresh) !== own) { location.reload(); return; }
    const version = Number(fresh.dataset.version);
    if (version < newest || table().dataset.past !== undefined || eyes() !== own) return;
    newest = version;
    if (queue.length >= round()) finish();
  }
  // How much of a count is left is known when it arrives; it may have to wait for positions before it.
  queue.push({ fresh, lively, reveal: reveal && { ...reveal, due: performance.now() + reveal.left } });
  if (idle) return work();
}

// Jumps to the newest position at once.
export function skip() {
  if (queue.length > 1) queue.splice(0, queue.length - 1);
  if (queue.length) queue[0].lively = false;
  stopCount();
  finish();
  running?.skipTransition();
}
