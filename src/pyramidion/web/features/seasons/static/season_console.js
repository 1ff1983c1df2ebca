// The host's console of a season: countdowns, and commands for tables without leaving the page.
import { _, fill, ngettext } from "./words.js";

const main = document.getElementById("main");
const seen = new Map(); // the server's clock when a deadline was first shown, against the browser's running time

function words(seconds) {
  const d = Math.floor(seconds / 86400), h = Math.floor(seconds / 3600) % 24, m = Math.floor(seconds / 60) % 60, s = String(seconds % 60).padStart(2, "0");
  if (d) return fill(_("{d} d {h} h"), { d, h });
  return h ? `${h}:${String(m).padStart(2, "0")}:${s}` : `${m}:${s}`;
}

function tick() {
  for (const clock of main.querySelectorAll("[data-deadline]")) {
    const { deadline, now } = clock.dataset;
    if (!seen.has(now)) seen.set(now, Number(now) - performance.now());
    const left = Math.max(0, Math.ceil((Number(deadline) - seen.get(now) - performance.now()) / 1000));
    clock.querySelector("[data-left]").textContent = words(left);
    clock.classList.toggle("soon", left <= 60);
  }
}

function tell(id, sentence) {
  const line = document.getElementById(id);
  line.textContent = sentence;
  line.hidden = !sentence;
  if (sentence) line.scrollIntoView({ block: "nearest" });
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.classList.contains("table-form")) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  let data = {}, refused = "";
  const button = event.submitter;
  if (button) button.disabled = true; // a second click would be refused
  try {
    const answer = await fetch(form.action, { method: "POST", headers: { "X-CSRF": main.dataset.csrf, Accept: "application/json" }, body });
    data = await answer.json().catch(() => ({}));
    if (!answer.ok) refused = data.detail || _("The server rejected the request.");
  } catch {
    refused = _("Cannot reach the server. Nothing was changed.");
  }
  if (button) button.disabled = false;
  tell("table-refused", refused);
  if (refused) return;
  const line = document.getElementById("table-link");
  tell("table-link", data.link ? line.dataset.words.replace("{link}", data.link) : "");
  form.reset();
  form.closest("details")?.removeAttribute("open");
  if (form.contains(document.activeElement)) document.activeElement.blur();
  dispatchEvent(new Event("look"));
});

// The form for a result says how many tokens of life are given, and is not sent with another number than the format's.
function count() {
  for (const group of main.querySelectorAll("[data-tokens]")) {
    const inputs = [...group.querySelectorAll("input")], wanted = Number(group.dataset.tokens);
    const given = inputs.reduce((sum, input) => sum + Number(input.value), 0);
    group.querySelector("[data-given]").textContent = fill(_("{given} of {wanted}"), { given, wanted });
    const wrong = _("This format gives out {wanted} tokens of life; the result has {given}.");
    inputs[0]?.setCustomValidity(given === wanted ? "" : fill(wrong, { given, wanted }));
  }
}

// Where a host chooses games and a clock, a line says how long the matches take: live, and with all the time used.
function lengthInWords(seconds) {
  const days = Math.ceil(seconds / 86400), hours = Math.ceil(seconds / 3600), minutes = Math.ceil(seconds / 60);
  if (seconds > 48 * 3600) return fill(ngettext("{n} day", "{n} days", days), { n: days });
  if (seconds > 2 * 3600) return fill(ngettext("{n} hour", "{n} hours", hours), { n: hours });
  return fill(ngettext("{n} minute", "{n} minutes", minutes), { n: minutes });
}

function estimate() {
  for (const line of main.querySelectorAll("[data-length]")) {
    const { game, duel, clock } = line.closest("form").elements;
    const matches = [game, duel].map((select) => select?.selectedOptions[0]?.dataset ?? {});
    // A match that the host has declared may have a time of its own, whatever the clock.
    const lengths = matches.map(({ waits, seconds }) => Number(seconds ?? (waits || 0) * clock.value));
    const timed = matches.filter((_match, nth) => lengths[nth]), longest = lengths.reduce((sum, length) => sum + length, 0);
    const live = timed.every(({ minutes }) => minutes) && timed.reduce((sum, { minutes }) => sum + 60 * minutes, 0);
    const words = live && live < longest ? _("About {live} if everyone plays at once, at most about {time} if everyone takes all the time.")
      : _("At most about {time}, if everyone takes all the time.");
    const clocked = [game, duel].map((select) => select?.selectedOptions[0]).filter((match) => clock.value && !match?.dataset.seconds && Number(match?.dataset.waits));
    const why = clocked.map((match) => {
      const n = Number(match.dataset.waits);
      const told = ngettext("{match}: the clock gives {time} to {n} decision.", "{match}: the clock gives {time} to each of {n} decisions in a row.", n);
      return fill(told, { match: match.text.trim(), n, time: clock.selectedOptions[0].text });
    });
    const told = [fill(words, { live: lengthInWords(live), time: lengthInWords(longest) }), ...why];
    line.textContent = longest ? told.filter(Boolean).join(" ") : "";
    line.hidden = !longest;
  }
}

function look() { tick(); count(); estimate(); }

document.addEventListener("input", () => { count(); estimate(); });
look();
setInterval(tick, 1000);
addEventListener("news", look);
