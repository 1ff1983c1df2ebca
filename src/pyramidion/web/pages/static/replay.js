// The replay of a finished game: a slider through every position, as any seat saw it or with everything revealed. It plays the
// same events as the live game, and leaves the time to read each.
import { position } from "./motion.js";
import { choose, finish, looked, speed } from "./timeline.js";
import { _, fill } from "./words.js";

const page = document.getElementById("main").dataset;
const $ = (id) => document.getElementById(id);
const panel = $("replay"), slider = $("position"), at = $("at"), everything = $("everything");
const eyes = $("eyes"), chapters = $("chapters"), player = $("replay-play");
const own = page.seat ?? "spectator";
let asking = null, known = -1, playing = false, listed = "";

// A game watched from its beginning: its length and everything that comes later appear only when the end is reached.
const unknown = () => page.untilHere !== undefined;
const newest = () => unknown() ? Infinity : Number(slider.max);

const numbered = (version) => unknown() ? String(version) : fill(_("{number} of {last}"), { number: version, last: slider.max });
const seenBy = () => everything.checked ? "all" : eyes.value;

// Shows the slider's position; beats play only on a step to the next position.
async function show({ lively = Math.abs(Number(slider.value) - known) === 1 } = {}) {
  asking?.abort();
  asking = new AbortController();
  const version = Number(slider.value);
  at.textContent = numbered(version);
  list();
  try {
    const query = new URLSearchParams({ version: String(version), seat: seenBy() });
    if (unknown()) query.set("until_here", "1");
    const answer = await fetch(`/t/${page.table}/fragment?${query}`, { signal: asking.signal });
    if (!answer.ok) return;
    known = version;
    finish();
    await position(await answer.text(), { lively, replay: true });
  } catch { /* a newer position was asked for, or the connection is down; the slider stays where it is */ }
}

// The chapters to jump to, and the number of actions before each position (for the analysis).
async function list() {
  const wanted = seenBy();
  if (unknown() || listed === wanted) return;
  listed = wanted;
  try {
    const answer = await fetch(`/t/${page.table}/chapters?${new URLSearchParams({ seat: wanted })}`);
    if (!answer.ok || listed !== wanted) return;
    const data = await answer.json();
    slider.dataset.plies = data.plies.join(" ");
    const options = data.chapters.map((one) => new Option(one.text, String(one.at)));
    // Keep the costliest decisions, which come from the analysis.
    chapters.replaceChildren(new Option("–", ""), ...options, ...chapters.querySelectorAll("optgroup"));
  } catch { listed = ""; }
}

// With other eyes the same moment has another number: positions differ in how many actions came before them.
async function look() {
  pause();
  const plies = () => (slider.dataset.plies ?? "").split(" ").map(Number);
  const from = slider.value, ply = plies()[Number(from)];
  await list();
  const moved = slider.value !== from; // while the chapters were fetched
  const last = plies().findLastIndex((before) => before <= ply);
  if (last >= 0) {
    slider.max = String(plies().length - 1);
    if (!moved) slider.value = String(last);
  }
  return show({ lively: false });
}

function go(version, how) {
  const next = Math.min(newest(), Math.max(0, version));
  if (next === Number(slider.value) && known === next) return;
  slider.max = String(Math.max(Number(slider.max), next));
  slider.value = String(next);
  slider.dispatchEvent(new Event("followed"));
  return show(how);
}

function pause() {
  playing = false;
  player.setAttribute("aria-pressed", "false");
}

async function play() {
  if (playing) return pause();
  playing = true;
  player.setAttribute("aria-pressed", "true");
  if (Number(slider.value) >= newest()) await go(0, { lively: false });
  while (playing && Number(slider.value) < newest()) {
    await go(Number(slider.value) + 1);
    if (known !== Number(slider.value)) break; // the position could not be fetched
    await looked();
  }
  pause();
}

function reveal() {
  delete page.untilHere;
  for (const one of document.querySelectorAll(".later")) one.hidden = false;
  at.textContent = numbered(slider.value);
  list();
}

// Called after every position shown: once the game is over the replay appears.
export function offer() {
  const fragment = $("fragment");
  if (unknown()) {
    if (fragment.dataset.past !== undefined) return;
    slider.max = fragment.dataset.last;
    reveal();
  }
  // With other eyes there are other positions.
  if (fragment.dataset.past !== undefined || fragment.classList.contains("over")) slider.max = fragment.dataset.last;
  if (fragment.dataset.past !== undefined || !fragment.classList.contains("over")) return;
  if (known < 0 || panel.hidden) {
    slider.value = slider.max;
    known = Number(slider.max);
    at.textContent = numbered(slider.max);
    list();
  }
  panel.hidden = false;
}

// Starts from the first position; the button of the ending.
export function replay() {
  pause();
  panel.hidden = false;
  panel.scrollIntoView({ block: "nearest" });
  go(0, { lively: false })?.then(play);
}

async function copy() {
  const query = new URLSearchParams({ at: slider.value, seat: seenBy() });
  if (unknown()) query.set("until_here", "1");
  const link = `${location.origin}/t/${page.table}?${query}`, word = $("replay-link").querySelector(".word"), before = word.textContent;
  try { await navigator.clipboard.writeText(link); word.textContent = _("Copied"); } catch { prompt(_("Link to this position"), link); }
  setTimeout(() => { word.textContent = before; }, 2000);
}

slider.addEventListener("input", () => { pause(); show(); });
eyes.addEventListener("change", () => { everything.checked = false; look(); });
everything.addEventListener("change", look);
chapters.addEventListener("change", () => { pause(); if (/^\d+$/.test(chapters.value)) go(Number(chapters.value), { lively: false }); });
panel.addEventListener("submit", (event) => { event.preventDefault(); show(); });
player.addEventListener("click", play);
$("replay-first").addEventListener("click", () => { pause(); go(0, { lively: false }); });
$("replay-back").addEventListener("click", () => { pause(); go(Number(slider.value) - 1, { lively: false }); });
$("replay-on").addEventListener("click", () => { pause(); go(Number(slider.value) + 1); });
$("replay-last").addEventListener("click", () => { pause(); go(Number(slider.max), { lively: false }); });
$("replay-link").addEventListener("click", copy);

// A position as a file, as the viewer sees it. The browser draws the PNG from the SVG, at twice its size.
const pictured = () => `/t/${page.table}/position.svg?${new URLSearchParams({ at: slider.value, seat: seenBy() })}`;
$("replay-svg").addEventListener("click", () => { $("replay-svg").href = pictured(); });
$("replay-png").addEventListener("click", async () => {
  const image = new Image(), canvas = document.createElement("canvas"), link = document.createElement("a");
  try {
    const answer = await fetch(pictured());
    if (!answer.ok) return;
    // Only a picture from a data address may be drawn and read again.
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
    await image.decode();
  } catch { return; }
  canvas.width = 2 * image.naturalWidth;
  canvas.height = 2 * image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  link.href = canvas.toDataURL("image/png");
  link.download = `pyramidion-${page.table}-${slider.value}.png`;
  link.click();
});
// A link to a position opens with the replay in view.
if (new URLSearchParams(location.search).has("at")) {
  known = Number(slider.value);
  panel.hidden = false;
  list();
}
for (const one of document.querySelectorAll(".speed-choice")) {
  one.value = speed();
  one.addEventListener("change", () => {
    choose(one.value);
    for (const other of document.querySelectorAll(".speed-choice")) other.value = one.value;
  });
}
