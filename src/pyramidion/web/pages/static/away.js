// What happened while the player was away: offers to play the positions since the last event that this browser has shown.
import { position } from "./motion.js";
import { INPUTS, looked, telling } from "./timeline.js";
import { fill, ngettext } from "./words.js";

const page = document.getElementById("main").dataset;
const LATEST = 40; // positions that are played at most
const KEY = `seen:${page.table}:${page.seat ?? "spectator"}`, SIZE = 1_000_000;
const box = document.getElementById("away");
const fragment = () => document.getElementById("fragment");
const recent = () => document.getElementById("recent");
const live = () => fragment().dataset.past === undefined && recent().dataset.eyes === (page.seat ?? "spectator");

function seen() {
  try { return Number(localStorage.getItem(KEY) ?? -1); } catch { return -1; }
}

// Called after every position shown: an event on a visible page counts as seen.
export function remember() {
  if (!live() || document.hidden || !box.hidden) return;
  try { localStorage.setItem(KEY, recent().dataset.events); } catch { /* nothing is offered next time */ }
}

const missed = () => [...recent().children].filter((line) => Number(line.dataset.event) >= seen());

// The position before an event, as the replay counts.
const before = (line) => Math.max(0, Number(line.dataset.at) % SIZE - 1);

function offer() {
  const news = seen() < 0 || !live() ? [] : missed();
  if (!news.length) return remember();
  const count = Number(recent().dataset.events) - seen();
  box.querySelector(".what").textContent = fill(ngettext("{n} event since you last looked.", "{n} events since you last looked.", count), { n: count });
  box.hidden = false;
}

function done() {
  box.hidden = true;
  remember();
}

const fetched = async (query) => {
  const answer = await fetch(`/t/${page.table}/fragment?${new URLSearchParams(query)}`);
  return answer.ok ? answer.text() : null;
};

async function watch() {
  const last = Number(fragment().dataset.last), first = Math.max(last - LATEST, ...missed().slice(0, 1).map(before));
  let busy = false;
  const act = () => { busy = true; };
  box.hidden = true;
  for (const input of INPUTS) document.addEventListener(input, act);
  try {
    for (let version = first; version < last && !busy; version++) {
      const then = await fetched({ version: String(version) });
      if (!then) break;
      await position(then, { lively: version > first, replay: true });
      await looked();
    }
    // With live positions that arrived meanwhile.
    const now = await fetched({});
    if (now) await position(now, { lively: !busy, replay: true });
  } catch { location.reload(); }
  for (const input of INPUTS) document.removeEventListener(input, act);
  done();
}

document.getElementById("away-play").addEventListener("click", watch);
document.getElementById("away-skip").addEventListener("click", done);
// A player who goes on playing does not need it; who asks for a hint is not playing yet, and nothing moves meanwhile.
document.getElementById("table").addEventListener("click", (event) => { if (!box.hidden && !event.target.closest("#hint-panel, .hint-panel")) done(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden && !telling()) offer(); });
offer();
