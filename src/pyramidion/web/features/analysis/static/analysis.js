// The analysis of a finished game: starts it, shows its progress, and connects its chart to the replay slider.
import { advise } from "./advised.js";
import { onShown, shown } from "./motion.js";
import "./trial.js";
const page = document.getElementById("main").dataset;
const box = document.getElementById("analysis"), slider = document.getElementById("position"), everything = document.getElementById("everything");
const WAIT = 1000;
const chapters = document.getElementById("chapters");
const phone = matchMedia("(max-width: 939px)");
// The decision that is looked at, and the slider's value for its position.
let begun = false, plot = null, current = null, there = -1, awaited = false;

const numbers = (text) => text ? text.split(" ").map(Number) : [];
// The ply of each position of the slider.
const plies = () => numbers(slider.dataset.plies || (everything.checked ? plot.dataset.open : plot.dataset.positions));

function follow() {
  if (!plot) return;
  const at = plies()[Number(slider.value)] ?? Number(plot.dataset.plies);
  const x = String(Number(plot.dataset.width) * at / Math.max(1, Number(plot.dataset.plies)));
  const cursor = plot.querySelector(".cursor");
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
}

function go(ply) {
  const known = plies();
  let version = known.length - 1;
  while (version > 0 && known[version] > ply) version -= 1;
  slider.max = String(known.length - 1);
  if (Number(slider.value) === version) return;
  slider.value = String(version);
  slider.dispatchEvent(new Event("input"));
}

function pick(event) {
  const frame = plot.getBoundingClientRect();
  const part = Math.min(1, Math.max(0, (event.clientX - frame.left) / frame.width));
  go(Math.round(part * Number(plot.dataset.plies)));
}

function tie() {
  plot = box.querySelector(".plot svg");
  if (!plot) return;
  plot.addEventListener("pointerdown", (event) => { plot.setPointerCapture(event.pointerId); pick(event); });
  plot.addEventListener("pointermove", (event) => { if (plot.hasPointerCapture(event.pointerId)) pick(event); });
  for (const link of box.querySelectorAll("a[data-ply]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      discuss(link.closest(".decision"));
    });
  }
  for (const button of box.querySelectorAll("[data-walk]")) {
    button.addEventListener("click", () => discuss(besides(Number(button.dataset.walk))));
  }
  list();
  follow();
}

const decisions = () => [...box.querySelectorAll(".decision")];
const besides = (by) => decisions()[decisions().indexOf(current) + by];

// Goes to a decision's position, and outlines the pieces of the better action there. A phone shows this decision alone, below the board.
function discuss(decision) {
  current = decision;
  for (const one of decisions()) one.classList.toggle("current", one === current);
  for (const nth of current.querySelectorAll(".nth")) nth.textContent = `${decisions().indexOf(current) + 1} / ${decisions().length}`;
  box.parentElement.scrollTop = 0;
  for (const button of current.querySelectorAll("[data-walk]")) button.disabled = !besides(Number(button.dataset.walk));
  if (phone.matches) page.sheet = "decision";
  go(Number(current.querySelector("[data-ply]").dataset.ply));
  there = Number(slider.value);
  point();
}

function point() {
  if (current && shown() === there && Number(slider.value) === there) advise(current.dataset.action, (current.dataset.pieces ?? "").split(" ").filter(Boolean));
}

// The costliest decisions, beside the chapters that the replay can jump to.
function list() {
  const group = document.createElement("optgroup");
  group.label = box.querySelector(".judged h3")?.textContent ?? "";
  for (const link of box.querySelectorAll(".costly a[data-ply]")) group.append(new Option(link.textContent, `ply ${link.dataset.ply}`));
  for (const old of chapters.querySelectorAll("optgroup")) old.remove();
  if (group.childElementCount) chapters.append(group);
}

async function load() {
  try {
    const answer = await fetch(`/t/${page.table}/analysis?part=1`, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = document.createElement("template");
    fresh.innerHTML = await answer.text();
    const state = fresh.content.firstElementChild.dataset.state, old = box.querySelector("[data-state]");
    const bar = box.querySelector("progress"), next = fresh.content.querySelector("progress");
    // While it runs, only the progress bar changes, so that screen readers stay quiet.
    if (old?.dataset.state === state && bar && next) {
      bar.max = next.max;
      if (next.hasAttribute("value")) bar.value = next.value;
      box.querySelector(".done").textContent = fresh.content.querySelector(".done").textContent;
    } else {
      box.replaceChildren(fresh.content);
      tie();
      // On a phone the board then stands at the first decision, and nothing lies over it.
      if (state === "ready" && awaited && phone.matches && page.sheet === "actions" && decisions().length) discuss(decisions()[0]);
    }
    if (state === "waiting" || state === "running") setTimeout(load, WAIT);
  } catch {
    setTimeout(load, 5 * WAIT);
  }
}

// Called after every position shown: offers the analysis once the game is over, at every position unless the end is still unknown.
function examine() {
  const ended = document.body.classList.contains("ended") && page.untilHere === undefined;
  if (begun || !(ended || document.querySelector("#fragment.over"))) return;
  begun = true;
  box.hidden = false;
  load();
}

document.getElementById("analyse").addEventListener("submit", async (event) => {
  event.preventDefault();
  awaited = true;
  try {
    await fetch(event.target.action, { method: "POST", headers: { "X-CSRF": page.csrf }, body: new URLSearchParams(), redirect: "manual" });
  } catch { /* the button is still there */ }
  load();
});
for (const kind of ["input", "followed"]) slider.addEventListener(kind, follow);
everything.addEventListener("change", follow);
chapters.addEventListener("change", () => { if (chapters.value.startsWith("ply ")) go(Number(chapters.value.slice(4))); });

onShown(examine);
onShown(point);
examine();
