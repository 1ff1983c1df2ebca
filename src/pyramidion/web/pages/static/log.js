// The log grows by the latest events that come with each position; what was missed is asked for. New lines are read out.
// Beside an earlier position it shows what had been told by then, and what was taken back is struck through.
import { shownPanel, turnTo } from "./tabs.js";

const page = document.getElementById("main").dataset;
const list = document.querySelector("#log ol");
const recent = () => document.getElementById("recent").dataset;
const numberOf = (line) => Number(line.dataset.event);
let last = Number(list.firstElementChild?.dataset.event ?? -1);
let asking = false;
// Seen with other eyes the log is another one, with numbers of its own.
const own = recent().eyes;
let eyes = own;

function add(lines, quietly = false) {
  const news = [];
  for (const line of lines) {
    const number = numberOf(line);
    if (number <= last) continue;
    last = number;
    const copy = document.createElement("li");
    copy.dataset.event = line.dataset.event;
    copy.append(...(line.querySelector(".beat-text") ?? line).cloneNode(true).childNodes);
    copy.classList.toggle("fresh", !quietly);
    list.prepend(copy);
    news.push(copy.textContent.trim());
  }
  if (news.length && !quietly) document.getElementById("live").textContent = news.slice(-4).join(" ");
}

function strike(line) {
  if (line.firstElementChild?.nodeName === "DEL") return;
  const struck = document.createElement("del");
  struck.append(...line.childNodes);
  line.append(struck);
}

function settle() {
  const count = Number(recent().events), undone = new Set(recent().undone.split(" ").filter(Boolean).map(Number));
  for (const line of list.children) {
    line.hidden = numberOf(line) >= count;
    if (undone.has(numberOf(line))) strike(line);
  }
}

async function ask(quietly) {
  asking = true;
  const before = last, asked = eyes;
  try {
    const query = new URLSearchParams({ since: String(last + 1), until: recent().events, seat: eyes });
    const answer = await fetch(`/t/${page.table}/log?${query}`);
    if (answer.ok && asked === eyes) {
      const holder = document.createElement("template");
      holder.innerHTML = await answer.text();
      add(holder.content.querySelectorAll("li"), quietly);
    }
  } catch { /* the next position asks again */ } finally { asking = false; }
  // What has come meanwhile.
  if (last > before || asked !== eyes) merge();
}

export async function merge() {
  if (eyes !== recent().eyes) {
    eyes = recent().eyes;
    last = -1;
    list.replaceChildren();
  }
  if (asking) return;
  const count = Number(recent().events), lines = [...document.querySelectorAll("#recent > li")];
  if (count > last + 1) {
    if (numberOf(lines[0]) > last + 1) return void ask(document.getElementById("fragment").dataset.past !== undefined || eyes !== own);
    add(lines);
  }
  settle();
}

const drawer = document.getElementById("log"), opener = document.getElementById("log-open"), closer = document.getElementById("log-close");
addEventListener("tab", ({ detail }) => { drawer.classList.toggle("open", detail === "log"); closer.hidden = detail !== "log"; });
function show(yes) {
  turnTo(yes ? "log" : "actions");
  (yes ? closer : opener).focus();
}
opener.addEventListener("click", () => show(shownPanel() !== "log"));
closer.addEventListener("click", () => show(false));
drawer.addEventListener("keydown", (event) => { if (event.key === "Escape" && shownPanel() === "log") show(false); });
