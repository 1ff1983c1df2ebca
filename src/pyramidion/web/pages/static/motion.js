// Shows positions. A new one is in place at once; then copies of the pieces that moved glide, in the top layer, from where they lay
// to where they lie. With reduced motion what moved is outlined.
import { countIn } from "./count.js";
import { morph, parse } from "./morph.js";
import { prepare, raise } from "./stage.js";
import { outlined, pace, run, stop } from "./timeline.js";

const GLIDE = 300, STEPS = 300, LIT = 900; // milliseconds: one piece; between the first and the last piece; who acted
const CROWD = 40; // pieces that move at once are a new layout and not a move
const PIECES = "[data-place][data-key], [data-place] [data-key]";
const NUMBERS = ":is(.cash, .points, .sum, [data-number])";
const table = () => document.getElementById("fragment");
const eyes = (root = table()) => root.querySelector("#recent").dataset.eyes;
const own = document.getElementById("main").dataset.seat ?? "spectator";
const afterwards = [];

export const shown = () => Number(table().dataset.version);
let newest = shown(), asked = 0;
export const known = () => newest;
// Callbacks for after every position shown; the page's own comes first.
export function onShown(callback, first = false) { if (first) afterwards.unshift(callback); else afterwards.push(callback); }
export function settled() { for (const callback of afterwards) callback(); }

// Where an element is, or the nearest part of the page that is drawn: a phone shows of other players only their faces.
function boxOf(element) {
  const box = element.getBoundingClientRect();
  return box.width || !element.parentElement ? box : boxOf(element.parentElement);
}

const placeOf = (piece) => piece.closest("[data-place]").dataset.place;

function survey() {
  const pieces = new Map(), piles = new Map(), numbers = new Map();
  for (const piece of table().querySelectorAll(PIECES)) {
    pieces.set(piece.dataset.key, { copy: piece.cloneNode(true), home: piece.parentElement, place: placeOf(piece), box: boxOf(piece) });
  }
  for (const pile of table().querySelectorAll("[data-flow]")) {
    const top = pile.firstElementChild;
    piles.set(pile.dataset.key, { copy: top.cloneNode(true), home: pile, count: Number(pile.dataset.count), box: boxOf(top) });
  }
  for (const number of table().querySelectorAll(NUMBERS)) numbers.set(number, number.textContent);
  return { pieces, piles, numbers };
}

// What has moved from where to where, in the order in which it is told.
function movesSince({ pieces, piles }, lines) {
  const moves = [], from = [], to = new Map();
  for (const piece of table().querySelectorAll(PIECES)) {
    const { key } = piece.dataset, was = pieces.get(key), box = boxOf(piece);
    pieces.delete(key);
    const still = was && was.place === placeOf(piece) && Math.hypot(was.box.x - box.x, was.box.y - box.y) < 4;
    if (!still) moves.push({ key, piece, ...was, to: box });
  }
  for (const [key, was] of pieces) moves.push({ key, ...was });
  for (const pile of table().querySelectorAll("[data-flow]")) {
    const { key, flow, count } = pile.dataset, was = piles.get(key);
    if (!was || was.count === Number(count)) continue;
    if (was.count > Number(count)) from.push({ key, flow, ...was });
    else to.set(flow, { piece: pile.firstElementChild, to: boxOf(pile.firstElementChild) });
  }
  for (const move of from) if (to.has(move.flow)) moves.push({ ...move, ...to.get(move.flow) });
  const order = lines.map(({ dataset }) => dataset.touches.split(" "));
  const at = ({ key }) => { const n = order.findIndex((keys) => keys.includes(key)); return n < 0 ? order.length : n; };
  return moves.sort((one, other) => at(one) - at(other));
}

// A copy that is only looked at: nothing on the board takes it for a piece.
function copied({ copy, home, box }) {
  for (const part of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of ["id", "name", "data-key", "data-path", "data-place", "data-flow", "tabindex"]) part.removeAttribute(name);
    part.classList.remove("can", "held", "lit", "fresh", "not-here", "in-the-way");
  }
  const mover = document.createElement("span");
  mover.className = "mover";
  mover.popover = "manual";
  mover.ariaHidden = "true";
  Object.assign(mover.style, { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` });
  mover.append(copy);
  (home.isConnected ? home : table()).append(mover);
  mover.showPopover();
  return mover;
}

// Sets one piece in motion; returns what has to end.
function glide(move, delay, duration) {
  const { piece, box, to } = move, timing = { duration, delay, easing: "cubic-bezier(.2, .7, .3, 1)", fill: "both" };
  if (!box) return [piece.animate({ opacity: [0, 1], transform: ["translateY(-10px)", "none"] }, timing)];
  const mover = copied(move);
  const parts = [{ cancel: () => mover.remove() }];
  if (!to) parts.push(mover.animate({ opacity: [1, 0], transform: ["none", "translateY(10px)"] }, timing));
  else {
    const x = to.x + to.width / 2 - box.x - box.width / 2, y = to.y + to.height / 2 - box.y - box.height / 2;
    const scale = Math.min(to.width / box.width, to.height / box.height) || 1, alike = Math.abs(to.width / to.height - box.width / box.height) < .1;
    parts.push(mover.animate({ transform: ["none", `translate(${x}px, ${y}px) scale(${scale})`] }, timing));
    // What lies there looks different: one becomes the other on the way.
    if (!alike) parts.push(mover.animate({ opacity: [1, 1, 0] }, timing));
    parts.push(piece.animate({ opacity: alike ? [0, 0] : [0, 0, 1] }, { ...timing, fill: "backwards" }));
  }
  return parts;
}

// Who else has acted, and the pieces that an event names.
function light(lines) {
  const keys = new Set(lines.flatMap(({ dataset }) => dataset.touches.split(" ").filter((key) => key && key !== "own")));
  const lit = [...keys].map((key) => table().querySelector(`#${CSS.escape(key)}, [data-key="${CSS.escape(key)}"]`)).filter(Boolean);
  for (const part of lit) part.classList.add("lit");
  return lit;
}

// Sets everything in motion that an update has changed; returns for how long.
function move(before, lines) {
  const factor = pace(), moves = movesSince(before, lines);
  const lit = light(lines), parts = [];
  let length = 0;
  if (outlined() || moves.length > CROWD) {
    const changed = moves.flatMap(({ piece }) => piece ?? []);
    for (const piece of changed) piece.classList.add("lit");
    lit.push(...changed);
  } else {
    const step = moves.length > 1 ? Math.min(60, STEPS / (moves.length - 1)) * factor : 0;
    moves.forEach((one, n) => parts.push(...glide(one, n * step, GLIDE * factor)));
    for (const [number, was] of before.numbers) {
      if (number.isConnected && number.textContent !== was) parts.push(number.animate({ scale: [1.3, 1] }, GLIDE * factor));
    }
    length = moves.length ? (moves.length - 1) * step + GLIDE * factor : 0;
  }
  if (lit.length || parts.length) {
    run("pieces", Math.max(length, lit.length ? LIT * factor : 0), () => {
      for (const part of parts) part.cancel();
      for (const part of lit) part.classList.remove("lit");
    });
  }
  return { pieces: moves.length, milliseconds: length };
}

// The events that the page has not told yet.
function news(fresh) {
  const since = Number(table().querySelector("#recent").dataset.events);
  return eyes(fresh) !== eyes() ? [] : [...fresh.querySelectorAll("#recent > li")].filter((line) => Number(line.dataset.event) >= since);
}

function show(fresh, lively) {
  stop("pieces");
  const lines = lively ? news(fresh) : [], before = lively && pace() ? survey() : null;
  const held = document.activeElement, inside = table().contains(held) && held !== table();
  morph(table(), fresh);
  const moved = before && move(before, lines), stage = before && prepare(lines, moved.milliseconds);
  settled();
  raise();
  if (lines.length) dispatchEvent(new CustomEvent("beat", { detail: { version: shown(), ...moved, stage } }));
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

// Shows a position, perhaps after a countdown. A live position never goes back behind one that is known already, and leaves alone
// whoever is looking at an earlier one.
export async function position(html, { lively = true, replay = false, reveal = null } = {}) {
  const fresh = parse(html);
  if (!replay) {
    // Whoever lost a seat, or opened another one, needs another page.
    if (eyes(fresh) !== own) { location.reload(); return; }
    const version = Number(fresh.dataset.version);
    if (version < newest || table().dataset.past !== undefined || eyes() !== own) return;
    newest = version;
  }
  const turn = ++asked;
  stop("countdown");
  if (reveal && lively && !outlined()) await countIn(reveal);
  if (turn === asked) show(fresh, lively);
}
