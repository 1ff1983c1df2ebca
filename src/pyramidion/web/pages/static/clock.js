// The countdown, and the deadline in local time. The computer's clock may be wrong, so the script estimates the difference
// between the server's clock and the browser's running time; the response with the shortest delay gives the best estimate.
import { _, fill, ngettext } from "./words.js";

const SET_BACK = 5000; // milliseconds by which no answer is late
const URGENT = 15; // seconds before the end at which the clock looks so
const WARN = [60, 10]; // seconds before the end at which it is read out
let ahead = -Infinity, deadline = 0, most = Infinity, said = Infinity;

const $ = (id) => document.getElementById(id);
// Formats dates in the language of the page.
const tongue = navigator.languages.find((one) => one.split("-")[0] === document.documentElement.lang.split("-")[0]) ?? document.documentElement.lang;
const local = (date) => date.toLocaleString(tongue, Math.abs(date - Date.now()) < 86400000 / 2
  ? { hour: "2-digit", minute: "2-digit", second: "2-digit" } : { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

function words(seconds) {
  const d = Math.floor(seconds / 86400), h = Math.floor(seconds / 3600) % 24, m = Math.floor(seconds / 60) % 60, s = String(seconds % 60).padStart(2, "0");
  if (d) return fill(_("{d} d {h} h"), { d, h });
  return h ? `${h}:${String(m).padStart(2, "0")}:${s}` : `${m}:${s}`;
}

function tick() {
  const clock = $("clock");
  if (!clock || !deadline) return;
  const left = Math.max(0, Math.ceil(Math.min(most, deadline - ahead - performance.now()) / 1000));
  $("left").textContent = words(left);
  clock.classList.toggle("soon", left <= URGENT);
  const mark = WARN.findLast((one) => left <= one && one < said);
  if (mark !== undefined && left > 0) {
    said = mark;
    if ($("fragment").dataset.mine) $("live-clock").textContent = fill(ngettext("{left} second left.", "{left} seconds left.", left), { left });
  }
}

// Called after every position shown.
export function keepTime() {
  const clock = $("clock");
  if (!clock) { deadline = 0; return; }
  // If the server's clock was set back, follow it: deadlines use that clock.
  const here = Number(clock.dataset.now) - performance.now();
  ahead = here < ahead - SET_BACK ? here : Math.max(ahead, here);
  most = Number(clock.dataset.most ?? Infinity);
  const next = Number(clock.dataset.deadline);
  const until = $("until"), text = local(new Date(next));
  if (until.dataset.shown !== clock.dataset.deadline) {
    until.dataset.shown = clock.dataset.deadline;
    until.dateTime = new Date(next).toISOString();
    until.textContent = text;
  }
  if (next !== deadline) {
    deadline = next;
    const left = (deadline - ahead - performance.now()) / 1000;
    said = WARN.findLast((one) => left <= one) ?? Infinity;
    $("live-clock").textContent = fill(_("Deadline: {time}."), { time: text });
  }
  tick();
}

setInterval(tick, 250);
