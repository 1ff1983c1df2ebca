// Pages of seasons and tournaments: times in the reader's time zone, copy buttons, and updates without reloading.
import { _ } from "./words.js";
import { morph } from "./morph.js";
import { localise } from "./times.js";

const main = document.getElementById("main");
const EVERY = 5000, LONGEST = 60000;
let wait = EVERY;

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const link = new URL(button.dataset.copy, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    const words = button.textContent;
    button.textContent = _("Copied");
    setTimeout(() => { button.textContent = words; }, 2000);
  } catch {
    const shown = button.closest("li")?.querySelector("input[readonly]");
    if (shown) shown.select(); else prompt(_("Copy link"), link);
  }
});

// Do not replace a form that is being filled in, or that somebody has opened to confirm something: it might then mean somebody else.
const filled = (field) => field.type === "checkbox" ? field.checked !== field.defaultChecked
  : field.tagName === "SELECT" ? [...field.options].some((one) => one.selected !== one.defaultSelected && one.defaultSelected)
    : field.value !== field.defaultValue;
const filling = () => main.contains(document.activeElement) && document.activeElement.matches("input, textarea, select")
  || main.querySelector("details[open] [name=sure]") !== null
  || [...main.querySelectorAll("input:not([type=hidden]), textarea, select")].some(filled);

let timer;
async function look() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await fetch(main.dataset.news);
      const data = answer.ok ? await answer.json() : null;
      if (data && data.version !== main.dataset.version) {
        const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html").getElementById("main");
        if (fresh?.dataset.news && filling()) {
          // The parts that no form is in are kept up to date meanwhile.
          for (const part of main.querySelectorAll("[data-always]")) {
            const now = fresh.querySelector(`#${CSS.escape(part.id)}`);
            if (now) morph(part, now);
          }
        } else if (fresh?.dataset.news) {
          morph(main, fresh);
        }
        localise(main);
        dispatchEvent(new Event("news"));
      }
      wait = EVERY;
    } catch {
      wait = Math.min(wait * 2, LONGEST);
    }
  }
  timer = setTimeout(look, wait);
}
// Other scripts ask for the news at once.
addEventListener("look", () => { clearTimeout(timer); look(); });

// Dates are entered in the time zone of the browser; without scripts in UTC.
for (const field of main.querySelectorAll("input[name=zone][type=hidden]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value;
  for (const words of field.form.querySelectorAll("[data-zone]")) words.textContent = field.value;
}

localise(main);
// The show is a recording, so it has no updates.
if (main.dataset.news) timer = setTimeout(look, wait);
