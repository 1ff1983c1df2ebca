// Sending what was chosen, and asking why something cannot be chosen.
import { known, position, shown } from "./motion.js";

const page = document.getElementById("main").dataset;
const home = `/t/${page.table}`;
const answers = new Map();
let busy = false;

export function refuse(why) {
  const line = document.getElementById("refused");
  if (!line || !why?.reason) return;
  line.textContent = why.rule && !why.reason.includes(why.rule) ? `${why.reason} (${why.rule})` : why.reason;
  line.hidden = false;
}

// The newest position, asked for because the stream has not brought it.
export async function fetchFragment(query = "") {
  const answer = await fetch(`${home}/fragment${query}`, { headers: { Accept: "text/html" } });
  if (answer.ok) position(await answer.text());
}

export async function explain(touched, picked) {
  const query = new URLSearchParams({ ids: touched.join(" "), picks: picked.join(" ") });
  const name = `${shown()} ${query}`;
  if (!answers.has(name)) {
    try {
      const answer = await fetch(`${home}/refusal?${query}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) return null;
      answers.set(name, await answer.json());
    } catch {
      return null;
    }
  }
  return answers.get(name);
}

export async function post(action) {
  if (busy) return;
  busy = true;
  const version = shown();
  try {
    const answer = await fetch(`${home}/act`, {
      method: "POST", headers: { "X-CSRF": page.csrf, Accept: "application/json" }, body: new URLSearchParams({ action, version: String(version) }),
    });
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) {
      if (answer.status === 409) await fetchFragment();
      refuse({ rule: told.rule, reason: told.reason || told.detail || "The server did not accept that." });
      return;
    }
    setTimeout(() => { if (known() < told.version) fetchFragment(); }, 600);
  } catch {
    refuse({ reason: "The server cannot be reached. Your choice was not sent." });
  } finally {
    busy = false;
  }
}

document.getElementById("act").addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button) return;
  event.preventDefault();
  const amount = button.name === "family" && button.closest(".number").querySelector("input[type=number]");
  post(amount ? `${button.value} ${amount.valueAsNumber}` : button.value);
});
