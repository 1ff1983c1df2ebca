// Shows positions. A new one is in place at once; then copies of the pieces that moved glide, in the top layer, from where they lay
// to where they lie. With reduced motion what moved is outlined.
import { countIn } from "./count.js";
import { morph, parse } from "./morph.js";
import { prepare, raise } from "./stage.js";
import { outlined, pace, run, stop } from "./timeline.js";

const GLIDE = 300, STEPS = 300, LIT = 900; // milliseconds: one piece; between the first and the last piece; who acted
const LARGER = 3; // how much a piece grows at most on its way
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

// Where an element is; if it is not drawn, what shows its place (data-shows), or the nearest part of the page that is drawn: a phone
// shows of other players only their faces.
function boxOf(element) {
  const box = element.getBoundingClientRect(), { place } = element.dataset;
  if (box.width || !element.parentElement) return box;
  const instead = place && table().querySelector(`[data-shows="${CSS.escape(place)}"]`);
  return instead ? instead.getBoundingClientRect() : boxOf(element.parentElement);
}

// Where copies of a piece look like it: its parent, or what is left of it, in which its parents are made again.
function homeOf(piece) {
  const chain = [];
  for (let part = piece.parentElement; part !== table(); part = part.parentElement) chain.push(part);
  return chain;
}

function mount(mover, chain) {
  const left = chain.findIndex((part) => part.isConnected), gone = left < 0 ? chain : chain.slice(0, left);
  let inner = mover;
  for (const part of gone) {
    if (!part.matches("div, span, ul, li")) continue;
    const again = part.cloneNode(false);
    again.removeAttribute("id");
    again.style.display = "contents";
    again.append(inner);
    inner = again;
  }
  (chain[left] ?? table()).append(inner);
  return inner;
}

const placeOf = (piece) => piece.closest("[data-place]").dataset.place;

function survey() {
  const pieces = new Map(), piles = new Map(), numbers = new Map();
  for (const piece of table().querySelectorAll(PIECES)) {
    const box = boxOf(piece), seen = piece.checkVisibility();
    pieces.set(piece.dataset.key, { copy: piece.cloneNode(true), home: homeOf(piece), place: placeOf(piece), box, seen });
  }
  for (const pile of table().querySelectorAll("[data-flow]")) {
    const top = pile.firstElementChild;
    const count = Number(pile.dataset.count), seen = top.checkVisibility();
    piles.set(pile.dataset.key, { copy: top.cloneNode(true), home: homeOf(top), count, box: boxOf(top), seen });
  }
  for (const number of table().querySelectorAll(NUMBERS)) numbers.set(number, number.textContent);
  return { pieces, piles, numbers };
}

// What has moved from where to where, in the order in which it is told.
function movesSince({ pieces, piles }, lines, gathered) {
  const moves = [], from = [], to = new Map();
  for (const piece of table().querySelectorAll(PIECES)) {
    const { key } = piece.dataset, was = pieces.get(key), box = boxOf(piece);
    pieces.delete(key);
    const still = was && was.place === placeOf(piece) && Math.hypot(was.box.x - box.x, was.box.y - box.y) < 4;
    if (still || !(was?.seen || piece.checkVisibility())) continue;
    moves.push(was?.seen ? { key, piece, ...was, to: box } : { key, piece });
  }
  for (const [key, was] of pieces) if (was.seen && was.place !== gathered) moves.push({ key, ...was });
  for (const pile of table().querySelectorAll("[data-flow]")) {
    const { key, flow, count } = pile.dataset, was = piles.get(key);
    if (!was || was.count === Number(count)) continue;
    if (was.count > Number(count) && was.seen) from.push({ key, flow, ...was });
    else if (was.count < Number(count)) to.set(flow, { piece: pile.firstElementChild, to: boxOf(pile.firstElementChild) });
  }
  for (const move of from) if (to.has(move.flow)) moves.push({ ...move, ...to.get(move.flow), pile: true });
  const order = lines.map(({ touches }) => touches);
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
  // Its place is the copy's box: what the board says of where the piece lies counts no more.
  Object.assign(copy.style, { position: "relative", inset: "auto", gridArea: "1 / 1", margin: 0, width: "100%", height: "100%", translate: "none", transform: "none" });
  mover.append(copy);
  const whole = mount(mover, home);
  mover.showPopover();
  return { mover, cancel: () => whole.remove() };
}

// On a phone the headline lies between the board and the other players: a piece that goes there fades, and does not fly over the words.
function above(box, to) {
  const line = document.getElementById("status").getBoundingClientRect(), crosses = (low, high) => low.top >= line.bottom && high.bottom <= line.top;
  return matchMedia("(max-width: 939px)").matches && (crosses(box, to) || crosses(to, box));
}

// On a phone the other players' areas lie over the board while one chooses there: no piece flies over them to somewhere else.
let flights = [];
function clearPlayers() {
  const players = table().querySelector("#others"), over = players.getBoundingClientRect();
  if (!matchMedia("(max-width: 939px)").matches || !players.querySelector(".can")) return;
  const beside = (one, other) => Math.max(one.bottom, other.bottom) <= over.top || Math.min(one.top, other.top) >= over.bottom;
  for (const { piece, box, to, parts } of flights) {
    if (!players.contains(piece) && box && !beside(box, to ?? box)) for (const part of parts) part.cancel();
  }
}

// Sets one piece in motion; returns what has to end.
function glide(move, delay, duration) {
  const { piece, box, to, pile } = move, timing = { duration, delay, easing: "cubic-bezier(.2, .7, .3, 1)", fill: "both" };
  if (!box) return [piece.animate({ opacity: [0, 1], transform: ["translateY(-10px)", "none"] }, timing)];
  const { mover, cancel } = copied(move), parts = [{ cancel }];
  if (!to) parts.push(mover.animate({ opacity: [1, 0], transform: ["none", "translateY(10px)"] }, timing));
  else {
    const x = to.x + to.width / 2 - box.x - box.width / 2, y = to.y + to.height / 2 - box.y - box.height / 2;
    const scale = Math.min(to.width / box.width, to.height / box.height, LARGER) || 1, alike = Math.abs(to.width / to.height - box.width / box.height) < .1;
    const there = `translate(${x}px, ${y}px) scale(${scale})`;
    parts.push(mover.animate(above(box, to) ? [{ transform: "none" }, { transform: "none", opacity: 0, offset: .4 },
      { transform: there, opacity: 0, offset: .4 }, { transform: there, opacity: 1 }] : { transform: ["none", there] }, timing));
    // What lies there looks different: one becomes the other on the way.
    if (!alike) parts.push(mover.animate({ opacity: [1, 1, 0] }, timing));
    // A pile is there throughout: a copy of its top is added to it.
    if (!pile) parts.push(piece.animate({ opacity: alike ? [0, 0] : [0, 0, 1] }, { ...timing, fill: "backwards" }));
  }
  parts[1].onfinish = cancel;
  return parts;
}

// Who else has acted, and the pieces that an event names.
function light(lines) {
  const keys = new Set(lines.flatMap(({ touches }) => touches.filter((key) => key !== "own")));
  const lit = [...keys].map((key) => table().querySelector(`#${CSS.escape(key)}, [data-key="${CSS.escape(key)}"]`)).filter(Boolean);
  for (const part of lit) part.classList.add("lit");
  return lit;
}

// Sets everything in motion that an update has changed; returns for how long.
function move(before, lines, gathered) {
  const factor = pace(), moves = movesSince(before, lines, gathered);
  const lit = light(lines), parts = [];
  flights = [];
  let length = 0;
  if (outlined() || moves.length > CROWD) {
    const changed = moves.flatMap(({ piece }) => piece ?? []);
    for (const piece of changed) piece.classList.add("lit");
    lit.push(...changed);
  } else {
    const step = moves.length > 1 ? Math.min(60, STEPS / (moves.length - 1)) * factor : 0;
    // In the top layer what is shown last lies on top: that is the piece that moves first.
    flights = [...moves.entries()].reverse().map(([n, one]) => ({ ...one, parts: glide(one, n * step, GLIDE * factor) }));
    parts.push(...flights.flatMap((flight) => flight.parts));
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

// The pieces that a stage is about crumble there: they come together in it, and fall one by one.
function gather({ pieces }, { place, delay, milliseconds }) {
  const slot = document.querySelector("#stage:popover-open [data-gather]"), to = slot?.getBoundingClientRect();
  const all = [...pieces.values()].filter((was) => was.seen && was.place === place).sort((one, other) => other.box.top - one.box.top);
  if (!slot || !all.length || outlined()) return;
  const edge = (of, side) => of(...all.map(({ box }) => box[side]));
  const left = edge(Math.min, "left"), right = edge(Math.max, "right"), top = edge(Math.min, "top"), bottom = edge(Math.max, "bottom");
  const scale = Math.min(to.width / (right - left), to.height / (bottom - top), 4);
  slot.classList.add("gathered");
  const parts = all.map((was, n) => {
    const { mover, cancel } = copied(was), { box } = was, falls = .3 + .45 * n / all.length;
    const x = to.left + to.width / 2 - (left + right) / 2, y = to.top + to.height / 2 - (top + bottom) / 2;
    const out = [box.x + box.width / 2 - (left + right) / 2, box.y + box.height / 2 - (top + bottom) / 2].map((far) => far * (scale - 1));
    const there = `translate(${x + out[0]}px, ${y + out[1]}px) scale(${scale})`;
    const down = `translate(${x + out[0]}px, ${y + out[1] + to.height / 2}px) rotate(${n % 2 ? 70 : -70}deg) scale(${scale})`;
    mover.animate([{ transform: "none" }, { transform: there, offset: .18 }, { transform: there, opacity: 1, offset: falls, easing: "ease-in" },
      { transform: down, opacity: 0, offset: falls + .2 }, { transform: down, opacity: 0 }], { duration: delay + milliseconds, fill: "both" });
    return cancel;
  });
  run("ruin", delay + milliseconds, () => { for (const cancel of parts) cancel(); });
}

// The events that the page has not told yet.
function news(fresh) {
  const since = Number(table().querySelector("#recent").dataset.events);
  const lines = eyes(fresh) !== eyes() ? [] : [...fresh.querySelectorAll("#recent > li")].filter(({ dataset }) => Number(dataset.event) >= since);
  return lines.map((line) => ({
    kind: line.dataset.kind, stage: line.dataset.stage, rank: Number(line.dataset.rank), touches: line.dataset.touches.split(" ").filter(Boolean),
    words: line.querySelector(".beat-text").cloneNode(true), picture: line.querySelector("template")?.content.cloneNode(true),
  }));
}

function show(fresh, lively) {
  stop("pieces");
  const lines = lively ? news(fresh) : [], before = lively && pace() ? survey() : null;
  const held = document.activeElement, inside = table().contains(held) && held !== table();
  morph(table(), fresh);
  const stage = before && prepare(lines, (GLIDE + STEPS) * Math.min(1, pace())), moved = before && move(before, lines, stage?.place);
  settled();
  clearPlayers();
  raise();
  if (stage?.place) gather(before, stage);
  if (lines.length) dispatchEvent(new CustomEvent("beat", { detail: { version: shown(), ...moved, stage } }));
  if (!inside) return;
  keepFocus(held);
  // An element that is now hidden or disabled loses the focus only when the page is drawn.
  requestAnimationFrame(() => setTimeout(() => keepFocus(held)));
}

// Keep the keyboard focus on the same element, or move it to the headline if that is gone or if its player is due and it is a piece
// that cannot be chosen: from the headline the Tab key leads to the first that can.
function keepFocus(held) {
  const aside = table().dataset.mine !== undefined && document.activeElement?.matches("[data-path]:not(.can, .held)");
  if (aside) document.getElementById("status").focus({ preventScroll: true });
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
    if (table().dataset.past !== undefined) return;
    // Whoever lost a seat, or opened another one, needs another page.
    if (eyes(fresh) !== own) { location.reload(); return; }
    const version = Number(fresh.dataset.version);
    if (version < newest || eyes() !== own) return;
    newest = version;
  }
  const turn = ++asked;
  stop("countdown");
  if (reveal && lively && pace() && !outlined()) await countIn(reveal);
  if (turn === asked) show(fresh, lively);
}
