// A room's page: looks now and then whether somebody has come, draws what this browser contributes, and goes to the table when it begins.
import { morph, parse } from "./morph.js";

const page = document.getElementById("main").dataset;
const notice = document.getElementById("notice");
const EVERY = 2000, LONGEST = 15000;
let wait = EVERY, timer = 0;

const place = () => document.getElementById("room-now").dataset.place;

async function look() {
  clearTimeout(timer);
  try {
    // The address names the conversation that is shown.
    const asked = new URLSearchParams(location.search);
    asked.set("since", place());
    const answer = await fetch(`/t/${page.table}/room?${asked}`, { headers: { Accept: "application/json" } });
    if (answer.status === 200) {
      const data = await answer.json();
      if (data.begun) return location.replace(`/t/${page.table}`);
      morph(document.getElementById("room-now"), parse(data.html));
    }
    notice.hidden = answer.ok;
    wait = answer.ok ? EVERY : Math.min(wait * 2, LONGEST);
  } catch {
    notice.hidden = false;
    wait = Math.min(wait * 2, LONGEST);
  }
  if (!notice.hidden) notice.textContent = notice.dataset.lost;
  timer = setTimeout(look, wait);
}

// Drawn when a form is sent, so that nothing of it lies in the page before.
document.addEventListener("submit", (event) => {
  for (const field of event.target.querySelectorAll("[data-draws]")) {
    field.value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  const name = event.target.querySelector("#name");
  if (name) try { localStorage.setItem("name", name.value); } catch { /* not remembered */ }
});
try { document.getElementById("name").value ||= localStorage.getItem("name") ?? ""; } catch { /* no name, or nowhere to sit */ }

const copy = document.getElementById("copy");
copy.addEventListener("click", async () => {
  const words = copy.querySelector(".word"), before = words.textContent;
  try { await navigator.clipboard.writeText(copy.dataset.link); words.textContent = copy.dataset.copied; } catch { prompt("", copy.dataset.link); }
  setTimeout(() => { words.textContent = before; }, 2000);
});

addEventListener("pagehide", () => clearTimeout(timer));
addEventListener("pageshow", (event) => { if (event.persisted) look(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
timer = setTimeout(look, wait);

// What somebody has opened stays open when a form brings the page again.
const OPENED = `opened:${page.table}`;
const opened = () => { try { return JSON.parse(sessionStorage.getItem(OPENED) ?? "[]"); } catch { return []; } };
for (const id of opened()) document.getElementById(id)?.setAttribute("open", "");
document.addEventListener("toggle", (event) => {
  const ids = [...document.querySelectorAll("details[id][open]")].map((one) => one.id);
  if (event.target.id) try { sessionStorage.setItem(OPENED, JSON.stringify(ids)); } catch { /* not remembered */ }
}, true);
