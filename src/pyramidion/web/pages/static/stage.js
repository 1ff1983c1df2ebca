// The stage: the few big events that a game declares are drawn large, for a moment, over what does not matter just now. It takes no
// clicks, and never lies over what the viewer can choose from; where there is no room, the caption alone tells the event.
import { MOST, pace, run, stop } from "./timeline.js";

const LONG = 1600; // milliseconds
const WIDEST = 720, HIGHEST = 440, NARROWEST = 220, LOWEST = 130; // pixels
const COLUMNS = 32, ROWS = 24; // of the grid in which a free place is looked for
const CONTROLS = "#fragment :is(.can, .held), #actions :is(button, input, select, summary)";
const stage = document.getElementById("stage");
let rank = Infinity;

function leave() {
  stage.hidden = true;
  stage.replaceChildren();
  rank = Infinity;
}

// Draws the biggest of the events that have a stage, unless a bigger one stands there; returns its kind and for how long.
export function prepare(lines, delay) {
  const [first] = lines.filter(({ dataset }) => dataset.stage === dataset.kind).sort((one, other) => one.dataset.rank - other.dataset.rank);
  if (!first || first.dataset.rank > rank) return null;
  const { stage: kind } = first.dataset, milliseconds = Math.min(LONG * Math.min(1, pace()), MOST - delay);
  const parts = lines.filter((line) => line.dataset.stage === kind);
  const drawn = document.createElement("div"), words = document.createElement("p");
  drawn.className = "drawn";
  for (const part of parts) drawn.append(part.querySelector("template").content.cloneNode(true));
  words.append(...first.querySelector(".beat-text").cloneNode(true).childNodes);
  stop("stage");
  stage.replaceChildren(drawn, words);
  stage.dataset.kind = kind;
  stage.style.setProperty("--start", `${delay}ms`);
  stage.classList.toggle("many", parts.length > 3);
  rank = Number(first.dataset.rank);
  run("stage", delay + milliseconds, leave);
  return { kind, milliseconds };
}

const boxes = (selector) => [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect());
const meets = (one, other) => one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

// The largest free place for the stage in an area, as near to its middle as it can be.
function place(area, taken) {
  const width = area.width / COLUMNS, height = area.height / ROWS, free = Array(COLUMNS).fill(0);
  let best = null;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const left = area.left + column * width, top = area.top + row * height;
      free[column] = taken.some((box) => meets(box, { left, top, right: left + width, bottom: top + height })) ? 0 : free[column] + 1;
    }
    for (let first = 0; first < COLUMNS; first++) {
      for (let last = first, rows = Infinity; last < COLUMNS && free[last]; last++) {
        rows = Math.min(rows, free[last]);
        const wide = (last - first + 1) * width, high = rows * height, size = Math.min(wide / WIDEST, high / HIGHEST, 1);
        if (wide < NARROWEST || high < LOWEST || size <= (best?.size ?? 0)) continue;
        best = { size, left: area.left + first * width, top: area.top + (row + 1 - rows) * height, wide, high };
      }
    }
  }
  if (!best) return null;
  const across = Math.min(best.wide, WIDEST), down = Math.min(best.high, HIGHEST);
  const middle = (from, room, length, centre) => Math.min(from + room - length, Math.max(from, centre - length / 2));
  return {
    left: middle(best.left, best.wide, across, area.left + area.width / 2), width: across,
    top: middle(best.top, best.high, down, area.top + area.height / 2), height: down,
  };
}

// Puts the stage where it is in nobody's way; called after every position shown.
export function raise() {
  if (!stage.childElementCount) return;
  const due = document.getElementById("fragment").dataset.mine !== undefined;
  const taken = boxes(`#status, #tabs${due ? `, ${CONTROLS}` : ""}`);
  if (!stage.hidden && !taken.some((box) => meets(box, stage.getBoundingClientRect()))) return;
  const main = document.getElementById("main").getBoundingClientRect();
  const where = place(main, taken);
  if (!where) return stop("stage");
  for (const [name, value] of Object.entries(where)) stage.style[name] = `${value}px`;
  stage.hidden = false;
}
