// The chat beside the board: the same panel as on the chat page, updated line by line, so that screen readers announce only
// new messages. The event stream only says that there is something new; the script then fetches what the viewer may read.
import { known } from "./motion.js";
import { turnTo } from "./tabs.js";
import { _, fill, ngettext } from "./words.js";

const page = document.getElementById("main").dataset;
const home = `/t/${page.table}`;
const drawer = document.getElementById("chat"), openers = [...document.querySelectorAll(".chat-open")];
let busy = false, again = false, opened = null, before = document.activeElement, saving = 0;
// The seats of the open conversation ("" for everyone), and the draft of each conversation.
let talk = "";
const drafts = new Map();

const $ = (id) => document.getElementById(id);
const post = (path, body) => fetch(`${home}${path}`, { method: "POST", headers: { "X-CSRF": page.csrf, Accept: "application/json" }, body: signed(body) });
// On a shared screen another seat may be open by now; do nothing for that seat that was meant for this one.
function signed(body) {
  const said = new URLSearchParams(body);
  if (page.seat !== undefined) said.set("seat", page.seat);
  return said;
}

function badge(count) {
  for (const opener of openers) {
    const mark = opener.querySelector(".unread");
    mark.hidden = !count;
    mark.textContent = count ? String(count) : "";
    opener.setAttribute("aria-label", count ? fill(ngettext("Chat, {count} new message", "Chat, {count} new messages", count), { count }) : _("Chat"));
  }
}

function times(part) {
  for (const time of part.querySelectorAll("time")) {
    const at = new Date(time.dateTime), today = at.toDateString() === new Date().toDateString();
    const clock = { hour: "2-digit", minute: "2-digit" }, date = { weekday: "short", day: "numeric", month: "short" };
    time.textContent = at.toLocaleString(document.documentElement.lang, today ? clock : { ...date, ...clock });
  }
}

const open = () => !drawer.hidden;
const looking = () => open() && document.visibilityState === "visible";

const inTalk = (seats) => seats.split(" ").filter(Boolean).map((seat) => `&with=${seat}`).join("");

// The open conversation counts as read; the others keep their counts of unread messages.
async function see() {
  const last = [...document.querySelectorAll("#chat-lines > li")].pop();
  if (!looking() || !last || page.seat === undefined || !Number($("chat-part").dataset.unread)) return;
  const answer = await post("/chat/seen", { line: last.dataset.line }).catch(() => null);
  if (answer?.ok) { $("chat-part").dataset.unread = "0"; await count(); }
}

function mergeTalks(fresh) {
  const now = $("talks"), next = fresh.querySelector("#talks");
  if (!now || !next) return;
  const links = (nav) => [...nav.querySelectorAll("a.talk")];
  if (links(now).map((link) => link.outerHTML).join() === links(next).map((link) => link.outerHTML).join()) return;
  const focused = document.activeElement?.closest?.("a.talk")?.dataset.talk;
  for (const link of links(now)) link.remove();
  now.prepend(...links(next));
  if (focused !== undefined) links(now).find((link) => link.dataset.talk === focused)?.focus();
}

function mergeLines(fresh) {
  const list = $("chat-lines"), log = $("chat-log"), below = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  const known = new Map([...list.children].map((line) => [line.id, line]));
  for (const line of [...fresh.querySelectorAll("#chat-lines > li")]) {
    const old = known.get(line.id);
    if (!old) list.append(line);
    else if (old.className.includes("removed") !== line.className.includes("removed")) old.replaceWith(line);
  }
  if (below) log.scrollTop = log.scrollHeight;
}

async function load() {
  if (busy) { again = true; return; }
  busy = true;
  try {
    if (!open()) return await count();
    const asked = talk, answer = await fetch(`${home}/chat?part=1${inTalk(asked)}`);
    if (!answer.ok || asked !== talk) return;
    const holder = document.createElement("template");
    holder.innerHTML = await answer.text();
    const fresh = holder.content.querySelector("#chat-part");
    if (fresh.dataset.seat !== page.seat) return;
    times(fresh);
    if ($("chat-part")?.dataset.form === fresh.dataset.form) {
      mergeLines(fresh);
      mergeTalks(fresh);
      if (fresh.querySelector("#chat-empty") === null) $("chat-empty")?.remove();
      $("chat-part").dataset.unread = fresh.dataset.unread;
    } else {
      // Keep the draft of each conversation.
      keepDraft();
      const notes = $("notes-text")?.value, kept = $("notes-state")?.textContent;
      $("chat-part")?.remove();
      drawer.append(fresh);
      if ($("chat-text")) $("chat-text").value = drafts.get(talk) ?? "";
      if (notes !== undefined) { $("notes-text").value = notes; $("notes-state").textContent = kept; }
      $("chat-log").scrollTop = $("chat-log").scrollHeight;
    }
    await count();
    await see();
  } catch { /* the stream says so when it is back */ } finally {
    busy = false;
    if (again) { again = false; load(); }
  }
}

async function count() {
  if (page.seat === undefined) return;
  const answer = await fetch(`${home}/chat/unread`);
  if (!answer.ok) return;
  const data = await answer.json();
  badge(data.unread);
  if (data.tell) sayLooking();
}

function keepDraft() {
  if ($("chat-text")) drafts.set($("chat-part").dataset.talk, $("chat-text").value);
}

async function turnToTalk(seats) {
  talk = seats;
  await load();
  ($("chat-text") ?? $("chat-log"))?.focus();
}

// Players who see a table get no notifications about what happened before; the page reports regularly what it shows.
let saying = 0;
function sayLooking() {
  if (saying) return;
  const say = () => { if (document.visibilityState === "visible") post("/looking", { version: String(known()) }).catch(() => null); };
  saying = setInterval(say, 20000);
  document.addEventListener("visibilitychange", say);
  say();
}

function head() {
  if (drawer.querySelector("header")) return;
  const header = document.createElement("header"), title = document.createElement("h2"), close = document.createElement("button");
  title.textContent = _("Chat");
  close.type = "button";
  close.className = "tool";
  close.id = "chat-close";
  close.setAttribute("aria-label", _("Close chat"));
  close.innerHTML = '<svg class="icon" aria-hidden="true"><use href="#m-close"/></svg>';
  close.addEventListener("click", () => show(false));
  header.append(title, close);
  drawer.prepend(header);
}

async function show(yes) {
  if (yes) before = document.activeElement;
  head();
  turnTo(yes ? "chat" : "actions");
  if (!yes) { (before?.isConnected ? before : openers[0]).focus(); return; }
  opened ??= load();
  await opened;
  opened = null;
  ($("chat-text") ?? $("chat-close")).focus();
}

async function send(form, submitter) {
  const refused = $("chat-refused"), button = form.querySelector("button"), text = $("chat-text");
  button.disabled = true;
  try {
    const answer = await post("/chat", new FormData(form, submitter));
    const data = await answer.json().catch(() => ({}));
    refused.hidden = answer.ok;
    if (!answer.ok) { refused.textContent = data.detail ?? _("The server rejected the request."); return; }
    text.value = "";
    await load();
  } catch {
    refused.hidden = false;
    refused.textContent = _("Cannot reach the server. Your message was not sent.");
  } finally { button.disabled = false; }
}

async function keepNotes() {
  const text = $("notes-text").value;
  // Meanwhile another conversation may be opened, which draws the form anew.
  const tell = (words) => { $("notes-state").textContent = words; };
  clearTimeout(saving);
  saving = 0;
  try {
    const answer = await post("/notes", { notes: text });
    const data = await answer.json().catch(() => ({}));
    tell(answer.ok ? _("Saved.") : data.detail ?? _("Not saved."));
  } catch { tell(_("Not saved: cannot reach the server.")); }
}

drawer.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (event.target.id === "chat-group") {
    const seats = new FormData(event.target).getAll("with");
    if (seats.length) await turnToTalk(seats.join(" "));
  }
  if (event.target.id === "chat-say") await send(event.target, event.submitter);
  if (event.target.id === "notes") await keepNotes();
  if (event.target.id === "chat-remove") { await post("/chat/remove", { line: event.submitter.value }); await load(); $("chat-log").focus(); }
});
drawer.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.talk");
  if (!link) return;
  event.preventDefault();
  turnToTalk(link.dataset.talk);
});
drawer.addEventListener("input", (event) => {
  if (event.target.id !== "notes-text") return;
  $("notes-state").textContent = _("Not saved yet.");
  clearTimeout(saving);
  saving = setTimeout(keepNotes, 800);
});
drawer.addEventListener("keydown", (event) => {
  if (event.key === "Escape") show(false);
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.target.id === "chat-text") {
    event.preventDefault();
    $("chat-say").requestSubmit();
  }
  event.stopPropagation();
});
for (const opener of openers) {
  opener.setAttribute("role", "button");
  opener.setAttribute("aria-expanded", "false");
  opener.addEventListener("click", (event) => { event.preventDefault(); show(drawer.hidden); });
  opener.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); show(drawer.hidden); } });
}
addEventListener("tab", ({ detail }) => { drawer.hidden = detail !== "chat"; });
addEventListener("pagehide", () => { if (saving) keepNotes(); });
addEventListener("chat", load);
document.addEventListener("visibilitychange", see);
