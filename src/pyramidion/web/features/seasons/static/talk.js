// The conversations of a season beside the board. The event stream only says that there is something new; the script then
// fetches the whole part, as the reader may see it, and merges it, so that what is being written and what is open stay.
import { morph } from "./morph.js";
import { shownPanel, turnTo } from "./tabs.js";
import { localise } from "./times.js";
import { count } from "./unread.js";
import { _, fill, ngettext } from "./words.js";

const drawer = document.getElementById("season-talk"), opener = document.getElementById("season-talk-open");
const said = document.getElementById("season-talk-said"), home = opener.getAttribute("href");
const part = () => document.getElementById("talk-part");
let busy = false, again = false, stale = true;
// The keys of requests whose answers have not come: the same message sent again counts once.
const keys = new Map();

const open = () => shownPanel() === "season-talk";

function badge() {
  const unread = part().dataset.reader === undefined ? 0 : count(part(), open() && document.visibilityState === "visible");
  const mark = opener.querySelector(".unread");
  mark.hidden = !unread;
  mark.textContent = unread ? String(unread) : "";
  opener.setAttribute("aria-label", unread
    ? fill(ngettext("Season, {count} new message", "Season, {count} new messages", unread), { count: unread }) : _("Season"));
}

const written = (form) => [...form.elements].some((field) => field.matches("textarea, [type=text]") && field.value.trim());
const lines = () => part().querySelector("details[open] .talk-lines");

function merge(fresh) {
  // A form that holds a draft stays, although it could not be sent any more: sending it says why.
  if ([...part().querySelectorAll("form")].some((form) => written(form) && !fresh.querySelector(`#${form.id}`))) return;
  const log = lines(), atEnd = log && log.scrollHeight - log.scrollTop - log.clientHeight < 40, focused = document.activeElement;
  localise(fresh);
  morph(part(), fresh);
  if (focused !== document.activeElement && drawer.contains(focused)) focused.focus();
  if (atEnd) lines()?.scrollTo(0, lines().scrollHeight);
}

// Not while nobody looks: the page asks when it is looked at again.
async function load() {
  stale = true;
  if (document.visibilityState !== "visible") return;
  if (busy) { again = true; return; }
  busy = true;
  try {
    const answer = await fetch(`${home}?part=1`);
    if (!answer.ok) return;
    const holder = document.createElement("template");
    holder.innerHTML = await answer.text();
    const fresh = holder.content.querySelector("#talk-part");
    if (!fresh) return;
    stale = false;
    merge(fresh);
    badge();
  } catch { /* the stream says so when it is back */ } finally {
    busy = false;
    if (again) { again = false; load(); }
  }
}

function tell(text, refused = false) {
  said.hidden = !text;
  said.textContent = text;
  said.classList.toggle("refused", refused);
}

async function send(form) {
  const body = new URLSearchParams(new FormData(form)), button = form.querySelector("button");
  body.set("key", keys.get(form.id) ?? body.get("key"));
  keys.set(form.id, body.get("key"));
  button.disabled = true;
  tell("");
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", headers: { Accept: "application/json" }, body });
    const data = await answer.json().catch(() => ({}));
    keys.delete(form.id);
    if (!answer.ok) {
      tell(data.detail ?? _("The server rejected the request."), true);
      await load();  // The forms get new keys; drafts stay.
      return;
    }
    form.reset();
    if (form.id === "confess") tell(_("Recorded."));
    if (form.id === "form-alliance") form.closest("details").open = false;
    await load();
  } catch {
    tell(_("Cannot reach the server. Your message was not sent."), true);
  } finally { button.disabled = false; }
}

function show(yes) {
  turnTo(yes ? "season-talk" : "actions");
  if (!yes) { opener.focus(); return; }
  load();
  (part().querySelector("details[open] textarea") ?? document.getElementById("season-talk-close")).focus();
}

drawer.addEventListener("submit", (event) => { event.preventDefault(); send(event.target); });
drawer.addEventListener("toggle", ({ target }) => {
  tell("");
  badge();
  if (!target.open) return;
  lines()?.scrollTo(0, lines().scrollHeight);
  if (matchMedia("(hover: hover)").matches) target.querySelector("textarea, input[type=text]")?.focus();
}, true);
drawer.addEventListener("keydown", (event) => {
  if (event.key === "Escape") show(false);
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.target.matches(".say textarea")) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
  event.stopPropagation();
});
opener.setAttribute("role", "button");
opener.addEventListener("click", (event) => { event.preventDefault(); show(!open()); });
opener.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); show(!open()); } });
document.getElementById("season-talk-close").addEventListener("click", () => show(false));
addEventListener("tab", ({ detail }) => { drawer.hidden = detail !== "season-talk"; badge(); });
addEventListener("talk", load);
document.addEventListener("visibilitychange", () => (stale ? load() : badge()));
load();
