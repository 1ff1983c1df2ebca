// The coach of a lesson: shows one step at a time and what it points at. The tab remembers the step.
import { fetchFragment } from "./act.js";
import { known, onShown } from "./motion.js";
import { _ } from "./words.js";

const $ = (id) => document.getElementById(id);
const page = $("main").dataset;
const NAME = `coach-${page.table}`;
let current = null;
let folded = false;
// Whether the coach has opened the players' sheet, which is then closed again.
let opened = false;
const phone = matchMedia("(max-width: 939px)");

try { current = sessionStorage.getItem(NAME); } catch { /* begins at the first step */ }

const steps = () => [...document.querySelectorAll("#coach li")];

function named(word) {
  const name = CSS.escape(word);
  return document.querySelectorAll(`#fragment :is(#${name}, .${name}, [data-key="${name}"], [data-place="${name}"], [data-path~="${name}"], #actions [value="${name}"]:not(.row))`);
}

// Whether the players' sheet lies over a piece.
function covered(piece) {
  const sheet = $("others"), over = sheet.getBoundingClientRect(), place = piece.getBoundingClientRect();
  return !sheet.contains(piece) && place.width > 0 && place.left < over.right && place.right > over.left
    && place.top < over.bottom - 2 && place.bottom > over.top + 2;
}

function point(step, moved) {
  for (const old of document.querySelectorAll(".pointed")) old.classList.remove("pointed");
  // Where an opponent is a face only, what is theirs is pointed at there.
  const seen = (step?.dataset.point ?? "").split(" ").filter(Boolean).flatMap((word) => {
    const pieces = [...named(word)], visible = pieces.filter((piece) => piece.checkVisibility());
    return visible.length ? visible : pieces.map((piece) => piece.closest(".player") ?? piece);
  });
  for (const piece of seen) piece.classList.add("pointed");
  // On a phone their cards are in a sheet, which is open while the coach speaks of them, and never lies over what else is pointed at.
  const theirs = phone.matches && seen.some((piece) => piece.matches(".player"));
  if (theirs) page.sheet = "others";
  const open = theirs && !seen.some(covered);
  if ((theirs || opened) && !open && page.sheet === "others") page.sheet = "";
  opened = open;
  if (moved && seen.length) {
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    seen[0].scrollIntoView({ block: "nearest", inline: "nearest", behavior });
  }
}

// Called after every position shown, and when the learner turns a page.
function coach(moved = true) {
  const all = steps();
  if (!$("coach")) return point(null, false);
  let at = all.findIndex((one) => one.id === current);
  if (at < 0) at = 0;
  const step = all[at];
  if (step && step.id !== current) current = step.id;
  try { if (current) sessionStorage.setItem(NAME, current); } catch { /* not remembered */ }
  for (const one of all) one.hidden = one !== step;
  const count = $("coach-count");
  if (step) count.textContent = `${Number(step.id.slice("step-".length)) + 1} / ${count.dataset.of}`;
  const last = at >= all.length - 1, waits = $("coach-waits");
  if (waits) waits.hidden = !last;
  $("coach-back").hidden = at <= 0;
  $("coach-next").hidden = last;
  $("coach-show")?.toggleAttribute("hidden", !last);
  // The lesson is complete once its last step is read.
  const finished = last && $("coach").dataset.finished !== undefined;
  $("coach").classList.toggle("finished", finished);
  $("coach-title").textContent = finished ? _("Lesson complete") : _("Coach");
  $("coach-fold").hidden = false;
  $("coach-fold").setAttribute("aria-expanded", String(!folded));
  $("coach-fold").textContent = folded ? _("Show") : _("Hide");
  $("coach").classList.toggle("folded", folded);
  point(step, moved);
}

function turn(by) {
  const all = steps(), at = all.findIndex((one) => one.id === current);
  current = all[Math.min(Math.max(at + by, 0), all.length - 1)]?.id ?? current;
  coach();
  // The pressed button may no longer exist.
  if (document.activeElement === document.body || document.activeElement?.hidden) $("coach-says").focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const id = event.target.closest?.("button")?.id;
  if (id === "coach-next") turn(1);
  if (id === "coach-back") turn(-1);
  if (id === "coach-fold") { folded = !folded; coach(false); }
});

$("coaching")?.addEventListener("submit", async (event) => {
  if (!event.submitter) return;
  event.preventDefault();
  const address = event.submitter.getAttribute("formaction");
  try {
    const answer = await fetch(address, { method: "POST", headers: { "X-CSRF": page.csrf, Accept: "application/json" }, body: new URLSearchParams() });
    const data = await answer.json().catch(() => ({}));
    if (address.endsWith("/leave") || !answer.ok || known() < data.version) setTimeout(() => fetchFragment(), 300);
  } catch { /* the stream says when the server is back */ }
});

onShown(coach);
