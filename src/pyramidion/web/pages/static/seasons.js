// Pages of seasons and tournaments: times in the reader's time zone, copy buttons, and updates without reloading.
import { _ } from "./words.js";
import { morph } from "./morph.js";
import { localise } from "./times.js";

const main = document.getElementById("main");
const EVERY = 5000, LONGEST = 60000;
let wait = EVERY;

document.addEventListener("click", async (event) => {
  const shared = event.target.closest("[data-share]");
  if (shared) navigator.share({ title: document.title, url: shared.dataset.share }).catch(() => { /* the person changed their mind */ });
  const button = event.target.closest("[data-copy], [data-copy-text]");
  if (!button) return;
  const link = button.dataset.copyText ?? new URL(button.dataset.copy, location.href).href;
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

// A form that somebody is filling in, or has opened to confirm something, stays as it is while everything around it changes:
// it might otherwise mean somebody else. One that now asks for something else gives way.
const FIELDS = "input:not([type=hidden]), textarea, select";
const filled = (field) => field.type === "checkbox" ? field.checked !== field.defaultChecked
  : field.tagName === "SELECT" ? [...field.options].some((one) => one.selected !== one.defaultSelected && one.defaultSelected)
    : field.value !== field.defaultValue;
const touched = (form) => (form.contains(document.activeElement) && document.activeElement.matches(FIELDS))
  || (form.matches("details[open] form") && form.querySelector("[name=sure]") !== null)
  || [...form.querySelectorAll(FIELDS)].some(filled);
const asks = (form) => [form.getAttribute("action"), ...[...form.querySelectorAll("input[type=hidden]")]
  .filter((field) => !["csrf", "key"].includes(field.name)).map((field) => `${field.name}=${field.getAttribute("value")}`)].join(" ");
const keeps = (old, fresh) => old.nodeName === "FORM" && touched(old) && asks(old) === asks(fresh);

// Takes over what is new; the drawers of forms that are being filled in stay open, and the cursor stays where it is.
function update(fresh) {
  const active = document.activeElement, drawers = new Set();
  for (const form of [...main.querySelectorAll("form")].filter(touched)) {
    for (let at = form.closest("details"); at; at = at.parentElement.closest("details")) if (at.open) drawers.add(at);
  }
  morph(main, fresh, keeps);
  for (const drawer of drawers) drawer.open = true;
  if (active.isConnected && active !== document.activeElement) active.focus();
}

// What a page needs before it is shown: local times, and buttons that only some browsers have.
function prepare(root) {
  localise(root);
  for (const button of root.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
  if (matchMedia("(min-width: 1000px)").matches) for (const fold of root.querySelectorAll("[data-wide-open]")) fold.open = true;
}

// A link to a fold leads to what is in it.
function unfold() {
  const fold = document.getElementById(location.hash.slice(1));
  if (fold?.matches("details")) fold.open = true;
}
addEventListener("hashchange", unfold);

async function refresh() {
  const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html").getElementById("main");
  if (fresh) prepare(fresh);
  if (fresh?.dataset.news) update(fresh);
  dispatchEvent(new Event("news"));
}

// A name that this browser remembers from a table or another form, and remembers from here on.
for (const field of main.querySelectorAll("[data-own-name]")) {
  try { field.value ||= localStorage.getItem("name") ?? ""; } catch { /* no name */ }
  field.form.addEventListener("submit", () => { try { localStorage.setItem("name", field.value.trim()); } catch { /* not remembered */ } });
}

let timer;
async function look() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await fetch(main.dataset.news);
      const data = answer.ok ? await answer.json() : null;
      if (data && data.version !== main.dataset.version) await refresh();
      wait = EVERY;
    } catch {
      wait = Math.min(wait * 2, LONGEST);
    }
  }
  timer = setTimeout(look, wait);
}
// Forms that are answered where they are: the page gets what is new, and stays where the finger is. What is refused is shown by
// the page that answers the form itself.
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-stay]");
  if (!form || form.dataset.sending) return;
  event.preventDefault();
  form.dataset.sending = "1";
  try {
    const answer = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(new FormData(form)) });
    if (!answer.ok) return form.submit();
    const place = form.closest("section, details.panel");
    form.reset();
    await refresh();
    place?.querySelector("[role=status]")?.scrollIntoView({ block: "nearest" });
  } catch {
    form.submit();
  } finally {
    delete form.dataset.sending;
  }
});
// Other scripts ask for the news at once.
addEventListener("look", () => { clearTimeout(timer); look(); });

prepare(main);
unfold();
// The show is a recording, so it has no updates.
if (main.dataset.news) timer = setTimeout(look, wait);
