// The timeline plays events as beats: it highlights what an event concerns, shows its sentence and rule as a caption, puts big
// events on the stage, and moves the changed pieces. Live play, catching up and the replay all use it.
import { morph } from "./morph.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const SPEEDS = { slow: 1.7, normal: 1, fast: 0.45, off: 0 };
const LINE = 800, MORE = 180, STAGE = 1600, MOST = 3200; // milliseconds at normal speed
const caption = document.getElementById("caption"), stage = document.getElementById("stage");
const table = () => document.getElementById("fragment");
let hurry = () => {};
let playing = false;

export const telling = () => playing;
export const still = () => calm.matches || speed() === "off" || document.hidden;

export function speed() {
  let wish = null;
  try { wish = localStorage.getItem("speed"); } catch { /* normal */ }
  return wish in SPEEDS ? wish : "normal";
}

export function choose(wish) {
  try { localStorage.setItem("speed", wish); } catch { /* normal it stays */ }
  if (wish === "off") finish();
}

// Stops the running beats and shows the position that they lead to.
export const finish = () => hurry();

const lines = (root, from) => [...root.querySelectorAll("#recent > li")].filter((line) => Number(line.dataset.event) >= from);

// The beats from the position on the page to a later one. Neighbouring events of one position to which the server gave the same
// name form one beat.
export function beatsOf(fresh) {
  const now = table().querySelector("#recent").dataset, then = fresh.querySelector("#recent").dataset;
  if (now.eyes !== then.eyes) return [];
  const beats = [];
  for (const line of lines(fresh, Number(now.events))) {
    const last = beats.at(-1);
    if (last && last.name === line.dataset.beat && last.at === line.dataset.at) last.lines.push(line);
    else beats.push({ kind: line.dataset.kind, name: line.dataset.beat, at: line.dataset.at, lines: [line] });
  }
  for (const beat of beats) {
    beat.touches = [...new Set(beat.lines.flatMap((line) => line.dataset.touches.split(" ").filter(Boolean)))];
    const walkers = beat.lines.flatMap((line) => line.dataset.walks?.split(" ") ?? []);
    beat.walks = walkers.flatMap((one, n) => n % 2 ? [[walkers[n - 1], one]] : []);
    beat.pictures = beat.lines.flatMap((line) => [...line.querySelectorAll("template")]);
  }
  return beats;
}

// How long a beat is shown.
function length(beat) {
  const one = beat.pictures.length ? STAGE : LINE;
  return Math.min(one + MORE * (beat.lines.length - 1), MOST) * SPEEDS[speed()];
}

const find = (root, name) => root.querySelector(`#${CSS.escape(name)}`) ?? root.querySelector(`[data-key="${CSS.escape(name)}"]`);

// The parts of the board that a piece is in, before and after: where it lies, or itself where it stays.
function parts(fresh, name) {
  const found = new Map();
  for (const root of [table(), fresh]) {
    const place = find(root, name)?.closest("[data-place], [data-key]");
    if (!place) continue;
    const pick = place.dataset.place ? `[data-place="${CSS.escape(place.dataset.place)}"]` : `[data-key="${CSS.escape(place.dataset.key)}"]`;
    const old = table().querySelector(pick), next = fresh.querySelector(pick);
    if (old && next) found.set(old, next);
  }
  return found;
}

const swap = (one, other) => {
  const mark = document.createComment("");
  one.replaceWith(mark);
  other.replaceWith(one);
  mark.replaceWith(other);
};

// Two pieces change places. What belongs to the places, such as their letters, stays there.
function walk([one, other]) {
  const walkers = [one, other].map((name) => find(table(), name));
  if (walkers.includes(null)) return;
  swap(...walkers);
  const [here, there] = walkers.map((piece) => piece.querySelector("[data-stays]"));
  if (here && there) swap(here, there);
}

// Brings what a beat concerns to how it will be, unless a later beat concerns it as well.
function bring(fresh, beat, later) {
  beat.walks.forEach(walk);
  const rest = new Set(later.flatMap(({ touches }) => touches));
  for (const name of beat.touches) {
    if (rest.has(name) || name === "own" || name.startsWith("player-")) continue;
    for (const [old, next] of parts(fresh, name)) morph(old, next.cloneNode(true));
  }
}

function light(names, on) {
  for (const one of document.querySelectorAll("#fragment .lit")) one.classList.remove("lit");
  if (on) for (const name of names) find(table(), name)?.classList.add("lit");
}

function say(beat) {
  const said = document.createDocumentFragment();
  for (const line of beat.lines.slice(0, 6)) {
    const text = document.createElement("p");
    text.append(...line.querySelector(".beat-text").cloneNode(true).childNodes);
    said.append(text);
  }
  const big = beat.pictures.length > 0;
  stage.hidden = !big;
  if (big) {
    const board = document.getElementById("board").getBoundingClientRect();
    const height = Math.min(innerHeight, board.bottom) - Math.max(0, board.top);
    stage.style.top = `${Math.max(56, board.top + (height > 160 ? Math.max(0, height - 320) / 2 : 0))}px`;
    stage.dataset.kind = beat.kind;
    stage.classList.toggle("many", beat.pictures.length > 3);
    stage.querySelector(".drawn").replaceChildren(...beat.pictures.map((picture) => {
      const box = document.createElement("div");
      box.className = "drawing";
      box.append(picture.content.cloneNode(true));
      return box;
    }));
    stage.querySelector(".said").replaceChildren(said);
  } else caption.replaceChildren(said);
  caption.hidden = big;
}

function quiet() {
  caption.hidden = stage.hidden = true;
  light([], false);
  delete document.body.dataset.telling;
  playing = false;
  dispatchEvent(new Event("beatsdone"));
}

// Numbers that a change has made different count up or down to what they are.
const NUMBERS = "#fragment :is(.cash, .points, .sum, [data-number])";
export function numbers() {
  const before = new Map();
  for (const one of document.querySelectorAll(NUMBERS)) if (one.firstChild?.nodeType === 3) before.set(one, one.firstChild.data);
  return before;
}

export function count(before) {
  if (still()) return;
  for (const [one, was] of before) {
    const node = one.firstChild, now = node?.data, from = Number(was.match(/\d+/)?.[0]), to = Number(now?.match(/\d+/)?.[0]);
    if (!one.isConnected || was === now || Number.isNaN(from) || Number.isNaN(to) || from === to) continue;
    const begun = performance.now();
    let written = now;
    const tick = (at) => {
      if (node.data !== written) return; // a newer position says otherwise
      const part = Math.min(1, (at - begun) / 350);
      written = part === 1 ? now : now.replace(/\d+/, String(Math.round(from + (to - from) * part)));
      node.data = written;
      if (part < 1) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}

// Plays beats up to a new position: `glide` moves the pieces while a change is made, `arrive` shows the position itself,
// which the last beat does. Resolves when the last has been looked at, or at once when somebody is in a hurry.
export async function play(beats, fresh, glide, arrive) {
  if (!beats.length || speed() === "off" || document.hidden) return arrive();
  let hurried = false;
  const ended = new Promise((resolve) => { hurry = () => { hurried = true; resolve(); }; });
  const away = () => { if (document.hidden) hurry(); };
  document.addEventListener("visibilitychange", away);
  playing = true;
  for (const [n, beat] of beats.entries()) {
    const last = n === beats.length - 1;
    document.body.dataset.telling = last ? "last" : "on";
    light(beat.touches, true);
    say(beat);
    dispatchEvent(new CustomEvent("beat", { detail: beat.pictures.length ? "big" : "line" }));
    if (last) await arrive();
    else await glide(() => bring(fresh, beat, beats.slice(n + 1)), beat.walks.flat());
    light(beat.touches, true);
    if (!hurried) await Promise.race([ended, new Promise((next) => { setTimeout(next, length(beat)); })]);
    if (!hurried) continue;
    if (!last) await arrive();
    break;
  }
  document.removeEventListener("visibilitychange", away);
  hurry = () => {};
  quiet();
}

// Whether the board is still behind: what can be done there is over.
export const behind = () => document.body.dataset.telling === "on";

// A click on the table or the space bar goes on. While the board is behind a click is nothing else.
function skips(event) {
  if (!playing || !event.target.closest?.("#table, #stage, #caption")) return;
  const late = behind();
  finish();
  if (late && !event.target.closest("a, summary")) { event.preventDefault(); event.stopPropagation(); }
}
document.addEventListener("click", skips, true);
document.addEventListener("keydown", (event) => {
  if (!playing || event.key !== " " || event.target.closest?.("input, select, textarea, dialog, [contenteditable]")) return;
  event.preventDefault();
  event.stopPropagation();
  finish();
}, true);
