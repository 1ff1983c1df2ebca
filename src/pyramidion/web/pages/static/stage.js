// The stage: the few big events that a game declares are drawn large, for a moment, over what does not matter just now. It takes no
// clicks, and never lies over where the viewer has to decide; where there is no room, the caption alone tells the event.
import { MOST, pace, run, stop } from "./timeline.js";

const LONG = 1600; // milliseconds, once the pieces have landed
const WIDEST = 800, HIGHEST = 480, NARROWEST = 220, LOWEST = 100, EDGE = 6; // pixels
const COLUMNS = 32, ROWS = 24; // of the grid in which a free place is looked for
const EXPLAINED = "#coach, #fragment .pointed";
const CONTROLS = "#status, #fragment :is(.can, .held), #actions :is(button, input, select, summary)";
const stage = document.getElementById("stage");
let rank = Infinity;

function leave() {
  stage.hidePopover();
  stage.replaceChildren();
  rank = Infinity;
}

// Draws the biggest of the events that have a stage, unless a bigger one stands there; returns its kind, for how long, and the
// place whose pieces it shows.
export function prepare(lines, delay) {
  // What the viewer has a part in comes first.
  const ordered = lines.filter((line) => line.stage).sort((one, other) => one.rank - other.rank || other.touches.includes("own") - one.touches.includes("own"));
  const first = ordered.find(({ kind, stage: named }) => named === kind);
  if (!first || first.rank > rank) return null;
  const { kind } = first, milliseconds = Math.min(LONG * Math.min(1, pace()), MOST - delay);
  // A game may say in a drawing what its event means for the viewer.
  const own = first.picture.querySelector(".own-words");
  own?.remove();
  const pictures = ordered.filter((line) => line.stage === kind).map(({ picture }) => picture);
  for (const other of pictures) other.querySelector(".own-words")?.remove();
  const drawn = document.createElement("div"), words = document.createElement("p");
  drawn.className = "drawn";
  drawn.append(...pictures);
  words.append(own ?? first.words);
  stop("stage");
  stage.replaceChildren(drawn, words);
  stage.dataset.kind = kind;
  stage.classList.toggle("climax", !first.rank);
  stage.style.setProperty("--start", `${delay}ms`);
  stage.classList.toggle("many", pictures.length > 3);
  rank = first.rank;
  run("stage", delay + milliseconds, leave);
  return { kind, delay, milliseconds, place: drawn.querySelector("[data-gather]")?.dataset.gather };
}

const boxes = (selector) => [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect());
// Where the stage lies when it has come in: while it does, it is drawn a little smaller.
function resting() {
  const left = parseFloat(stage.style.left), top = parseFloat(stage.style.top);
  return { left, top, right: left + stage.offsetWidth, bottom: top + stage.offsetHeight, height: stage.offsetHeight };
}
const meets = (one, other) => one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

// The largest free place for the stage in an area, as near to its middle as can be.
function place(area, taken) {
  const width = area.width / COLUMNS, height = area.height / ROWS, free = Array(COLUMNS).fill(0);
  const middle = (from, room, length, centre) => Math.min(from + room - length, Math.max(from, centre - length / 2));
  let best = null;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const left = area.left + column * width, top = area.top + row * height;
      free[column] = taken.some((box) => meets(box, { left, top, right: left + width, bottom: top + height })) ? 0 : free[column] + 1;
    }
    for (let first = 0; first < COLUMNS; first++) {
      for (let last = first, rows = Infinity; last < COLUMNS && free[last]; last++) {
        rows = Math.min(rows, free[last]);
        const wide = (last - first + 1) * width, high = rows * height;
        if (wide < NARROWEST || high < LOWEST) continue;
        const across = Math.min(wide, WIDEST), down = Math.min(high, HIGHEST);
        const left = middle(area.left + first * width, wide, across, area.left + area.width / 2);
        const top = middle(area.top + (row + 1 - rows) * height, high, down, area.top + area.height / 2);
        const off = Math.hypot(left + across / 2 - area.left - area.width / 2, top + down / 2 - area.top - area.height / 2);
        const worth = Math.min(across / WIDEST, down / HIGHEST) - off / 10000;
        if (worth > (best?.worth ?? 0)) best = { worth, left, top, width: across, height: down, from: area.top + (row + 1 - rows) * height, room: high };
      }
    }
  }
  return best;
}

// Makes the stage as tall as what it shows, which takes its size from the room; returns whether all of it has room.
function fit({ width, height }) {
  stage.style.width = `${width}px`;
  stage.style.maxHeight = `${height}px`;
  // Above pieces that still glide
  stage.showPopover();
  stage.classList.add("measured");
  const drawn = stage.querySelector(".drawn");
  const whole = () => [stage, drawn, ...drawn.querySelectorAll(".party")].every((part) =>
    part.scrollHeight <= part.clientHeight + EDGE && part.scrollWidth <= part.clientWidth + 1);
  let h = height / 100;
  do stage.style.setProperty("--h", `${h}px`); while (!whole() && (h *= .8) > 1);
  stage.classList.remove("measured");
  return h > 1;
}

// Where in its place the stage hides the fewest of the pieces that have acted; the nearer to the middle the better.
function clear({ top, height, from, room }) {
  const pieces = boxes("#fragment .lit"), box = resting(), best = { hidden: Infinity };
  for (let at = from; at <= from + room - box.height; at += EDGE) {
    const over = (piece) => Math.max(0, Math.min(piece.right, box.right) - Math.max(piece.left, box.left))
      * Math.max(0, Math.min(piece.bottom, at + box.height) - Math.max(piece.top, at));
    const hidden = pieces.reduce((sum, piece) => sum + over(piece), Math.abs(at + box.height / 2 - top - height / 2));
    if (hidden < best.hidden) Object.assign(best, { hidden, at });
  }
  return best.at ?? top;
}

// Where the viewer decides: among the pieces of the board that can be chosen, from the first to the last, or in the own area.
function deciding() {
  const all = boxes("#board .can"), edge = (of, side) => of(...all.map((box) => box[side]));
  const own = boxes("#own .can").length || !all.length ? boxes("#own") : [];
  if (!all.length) return own;
  return [...own, { left: edge(Math.min, "left"), top: edge(Math.min, "top"), right: edge(Math.max, "right"), bottom: edge(Math.max, "bottom") }];
}

// Puts the stage where it is in nobody's way; called after every position shown.
export function raise() {
  if (!stage.childElementCount) return;
  const due = document.getElementById("fragment").dataset.mine !== undefined;
  const taken = [...boxes(`#tabs, ${EXPLAINED}${due ? `, ${CONTROLS}` : ""}`), ...due ? deciding() : []];
  if (stage.matches(":popover-open") && !taken.some((box) => meets(box, resting()))) return;
  const { x, y, width, height } = document.getElementById("main").getBoundingClientRect();
  const area = new DOMRect(x + EDGE, y + EDGE, width - 2 * EDGE, height - 2 * EDGE);
  // Beside the pieces that it speaks of, and off one's own area while one has to decide anywhere, where there is room
  const lit = boxes("#fragment .lit"), own = due ? boxes("#own") : [];
  const where = place(area, [...taken, ...own, ...lit]) ?? place(area, [...taken, ...own]) ?? place(area, [...taken, ...lit]) ?? place(area, taken);
  if (!where) return stop("stage");
  stage.style.left = `${where.left}px`;
  stage.style.top = `${where.from}px`;
  if (!fit(where)) return stop("stage");
  stage.style.top = `${clear(where)}px`;
}
