// The show: space, arrows or a swipe fetch the next slide. What stands on the same board in both glides to its new place.
import { localise } from "./times.js";
import { remember as rememberWatched } from "./watched.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const main = () => document.getElementById("main");
const FAR = 50; // pixels of a swipe
const SMALLEST = 40; // percent of its size at which a board is drawn
let going = false, start = null;

const board = () => main().querySelector(".example[data-table]");
const pieces = () => new Map([...(board()?.querySelectorAll("[data-key]") ?? [])].map((piece) => [piece.dataset.key, piece]));

// Styles of a game come with its first board. The page is shown when they are there.
function addStyles(fresh) {
  const known = new Set([...document.querySelectorAll("link[rel=stylesheet]")].map((link) => link.getAttribute("href")));
  const missing = [...fresh.querySelectorAll("link[rel=stylesheet]")].filter((link) => !known.has(link.getAttribute("href")));
  return Promise.all(missing.map((link) => new Promise((done) => {
    const added = document.createElement("link");
    Object.assign(added, { rel: "stylesheet", onload: done, onerror: done });
    added.href = link.getAttribute("href");
    document.head.append(added);
  })));
}

// A board that would not fit on the screen together with its lines is drawn smaller.
function fit() {
  const shown = board()?.querySelector(".shown");
  if (!shown) return;
  for (let percent = 100; percent >= SMALLEST; percent -= 5) {
    shown.style.zoom = `${percent}%`;
    if (document.documentElement.scrollHeight <= innerHeight) break;
  }
}

function shown() {
  localise(main());
  fit();
  rememberWatched(main().querySelector("[data-seen]"));
}

function glide(before) {
  if (calm.matches) return;
  for (const [key, piece] of pieces()) {
    const was = before.get(key), now = piece.getBoundingClientRect();
    const across = was ? was.left - now.left : 0, down = was ? was.top - now.top : 0;
    if (Math.abs(across) + Math.abs(down) < 2) continue;
    piece.animate([{ transform: `translate(${across}px, ${down}px)` }, { transform: "none" }], { duration: 700, easing: "ease-in-out" });
  }
}

async function go(link, remember = true) {
  if (!link || going) return;
  going = true;
  const href = typeof link === "string" ? link : link.href;
  try {
    const answer = await fetch(href);
    if (!answer.ok) throw new Error(answer.statusText);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    await addStyles(fresh);
    const table = board()?.dataset.table;
    const places = new Map([...pieces()].map(([key, piece]) => [key, piece.getBoundingClientRect()]));
    main().replaceWith(document.adoptNode(fresh.getElementById("main")));
    shown();
    if (remember) history.pushState(null, "", href);
    scrollTo(0, 0);
    if (table !== undefined && board()?.dataset.table === table) glide(places);
  } catch {
    location.assign(href); // the browser says what is wrong
  } finally {
    going = false;
  }
}

const next = () => go(main().querySelector("a[rel=next]"));
const back = () => go(main().querySelector("a[rel=prev]"));

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[rel=next], a[rel=prev], a.skip-match");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link);
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("a, button, input, select, textarea, summary, [tabindex]") && event.key === " ") return;
  if (event.key === " " || event.key === "ArrowRight" || event.key === "PageDown") { event.preventDefault(); next(); }
  if (event.key === "ArrowLeft" || event.key === "PageUp") { event.preventDefault(); back(); }
});
document.addEventListener("pointerdown", (event) => { start = event.pointerType === "mouse" ? null : { x: event.clientX, y: event.clientY }; });
document.addEventListener("pointerup", (event) => {
  if (!start) return;
  const across = event.clientX - start.x, down = event.clientY - start.y;
  start = null;
  if (Math.abs(across) < FAR || Math.abs(across) < 2 * Math.abs(down)) return;
  if (across < 0) next(); else back();
});
addEventListener("popstate", () => go(location.href, false));
shown();
addEventListener("load", fit);
addEventListener("resize", fit);
