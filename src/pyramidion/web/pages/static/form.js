// The form for a new table: a row for each seat, names of players at this screen, presets, and the remembered name.
import { _, fill } from "./words.js";

const form = document.getElementById("new"), me = document.getElementById("me");
const others = form.querySelector("[data-all]"), presets = form.querySelector(".presets");
const NOT_KEPT = ["csrf", "game", "me", "drawn", "seed", "contribution", "cards", "title"];
const DIFFERS = JSON.parse(form.dataset.differs);
const KEY = `presets:${form.dataset.game}`;

const unchanged = (one) => one.type === "checkbox" ? one.checked === one.defaultChecked
  : one.tagName === "SELECT" ? [...one.options].every((option) => option.selected === option.defaultSelected)
  : one.value.trim() === one.defaultValue.trim();

// A bot that would play like another one with these seats, options or cards is not offered.
function offerBots(count) {
  const usual = [...form.elements].every((one) => (!one.name.startsWith("option-") && one.name !== "cards") || unchanged(one));
  for (const [bot, counts] of Object.entries(DIFFERS)) {
    const offered = usual && counts.includes(count);
    for (const option of form.querySelectorAll(`option[value="bot:${bot}"]`)) {
      option.hidden = option.disabled = !offered;
      if (!offered && option.selected) option.previousElementSibling.selected = true;
    }
  }
}

function fit() {
  const count = Number(new FormData(form).get("seats"));
  offerBots(count);
  const kinds = [];
  for (const row of form.querySelectorAll("[data-row]")) {
    row.hidden = Number(row.dataset.row) >= count;
    const kind = row.querySelector("select").value;
    row.querySelector("input").hidden = kind !== "here";
    if (!row.hidden && kind !== "me") kinds.push(kind);
  }
  others.value = kinds.every((kind) => kind === kinds[0]) ? kinds[0] ?? "" : "";
  // A pace that the game defines sets all time controls.
  const pace = form.elements.clock.value.startsWith("pace-");
  for (const one of form.querySelectorAll("[data-own-timing]")) one.hidden = pace;
  // Without open seats there is no waiting room.
  document.getElementById("starts").hidden = !kinds.includes("open");
}

form.addEventListener("change", (event) => {
  const changed = event.target;
  if (changed === others && others.value) {
    for (const select of form.querySelectorAll("[data-row] select")) if (select.value !== "me") select.value = others.value;
  }
  // "Me" can hold only one seat: choosing it elsewhere gives the old seat to a bot.
  if (changed.value === "me" && changed.name.startsWith("seat-")) {
    for (const other of form.querySelectorAll("[data-row] select")) if (other !== changed && other.value === "me") other.value = "bot:normal";
  }
  pressed(null);
  fit();
});

// This browser's contribution to the seed; without one the server draws it and says so.
form.addEventListener("submit", () => {
  document.getElementById("drawn").value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try { localStorage.setItem("name", me.value); } catch { /* not remembered */ }
});
try { me.value ||= localStorage.getItem("name") ?? ""; } catch { /* no name */ }

// Presets: those of the game, and those saved in this browser.
const fields = () => [...form.elements].filter((one) => one.name && !NOT_KEPT.includes(one.name));

function apply(values) {
  const kept = NOT_KEPT.map((name) => [name, form.elements[name]?.value]);
  form.reset();
  for (const [name, value] of kept) if (form.elements[name]) form.elements[name].value = value;
  for (const one of fields()) {
    if (!(one.name in values)) continue;
    const value = values[one.name];
    if (one.type === "radio") one.checked = one.value === value;
    else if (one.type === "checkbox") one.checked = value === one.value;
    else if (one.tagName !== "SELECT" || [...one.options].some((option) => option.value === value)) one.value = value;
  }
  fit();
}

function values() {
  const kept = {};
  for (const one of fields()) {
    if (one.type === "checkbox") kept[one.name] = one.checked ? one.value : "";
    else if (one.type !== "radio" || one.checked) kept[one.name] = one.value;
  }
  return kept;
}

const saved = () => { try { return JSON.parse(localStorage.getItem(KEY) ?? "{}"); } catch { return {}; } };
const keep = (all) => { try { localStorage.setItem(KEY, JSON.stringify(all)); } catch { /* not remembered */ } };

function pressed(button) {
  for (const one of presets.querySelectorAll("[data-values]")) one.setAttribute("aria-pressed", String(one === button));
}

function offer(name, chosen) {
  const both = document.createElement("span"), use = document.createElement("button"), drop = document.createElement("button");
  use.type = drop.type = "button";
  use.className = drop.className = "button";
  use.textContent = name;
  use.dataset.values = JSON.stringify(chosen);
  drop.textContent = "×";
  drop.setAttribute("aria-label", fill(_("Delete preset {name}"), { name }));
  drop.addEventListener("click", () => {
    const { [name]: gone, ...rest } = saved();
    keep(rest);
    both.remove();
  });
  both.append(use, drop);
  both.dataset.name = name;
  presets.append(both);
}

presets.addEventListener("click", (event) => {
  const button = event.target.closest("[data-values]");
  if (!button) return;
  apply(JSON.parse(button.dataset.values));
  pressed(button);
});
document.getElementById("save-preset").addEventListener("click", () => {
  const field = document.getElementById("preset-name"), name = field.value.trim();
  if (!name) { field.focus(); return; }
  keep({ ...saved(), [name]: values() });
  [...presets.querySelectorAll("[data-name]")].find((one) => one.dataset.name === name)?.remove();
  offer(name, values());
  pressed(presets.lastElementChild.querySelector("[data-values]"));
  field.value = "";
});
for (const [name, chosen] of Object.entries(saved())) offer(name, chosen);
presets.hidden = document.getElementById("all-others").hidden = false;
form.querySelector(".save-preset").hidden = false;
fit();
