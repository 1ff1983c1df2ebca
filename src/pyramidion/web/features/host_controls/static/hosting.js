// The host console and the players' proposals. All are forms that work without scripts; this avoids reloading the page.
import { onShown } from "./motion.js";
import { _ } from "./words.js";
import { morph, parse } from "./morph.js";

const page = document.getElementById("main").dataset;
const drawer = document.getElementById("hosting"), release = document.getElementById("release");
const LOOK = 5000; // who has saved moves no position of a host who watches, so it is asked for
let asking = false, begun = false;
const filling = () => begun || document.getElementById("console").contains(document.activeElement);

// Do not replace a form that the host is filling in: the chosen step must stay the same.
function refresh(html) {
  if (!drawer.isConnected) return;
  const fresh = parse(html), old = document.getElementById("console");
  if (!filling()) morph(old, fresh);
  else morph(old.querySelector(".standing"), fresh.querySelector(".standing"));
}

// Called after every position shown.
async function overlook() {
  // The player has become the host, and the page was made before.
  if (!drawer && document.getElementById("hosts")) location.reload();
  if (!drawer?.open || asking) return;
  asking = true;
  try {
    const answer = await fetch(`/t/${page.table}/host?part=1`);
    if (answer.ok) refresh(await answer.text());
    else if (answer.status === 403) drawer.remove();
  } catch { /* the next position asks again */ } finally { asking = false; }
}

async function send(form, body) {
  try {
    const answer = await fetch(form.action, { method: "POST", headers: { "X-CSRF": page.csrf, Accept: "application/json" }, body });
    const data = await answer.json().catch(() => ({}));
    return answer.ok ? data : { refused: data.detail || _("The server rejected the request.") };
  } catch {
    return { refused: _("Cannot reach the server. Nothing was changed.") };
  }
}

function tell(line, sentence) {
  if (!line) return;
  line.textContent = sentence;
  line.hidden = !sentence;
}

// Reveals the results of a phase one by one. The host, like everybody, receives them through the event stream.
release?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const buttons = [...release.querySelectorAll("button")], body = new URLSearchParams(new FormData(event.target, event.submitter));
  for (const one of buttons) one.disabled = true;
  const { refused = "" } = await send(event.target, body);
  tell(document.getElementById("release-refused"), refused);
  for (const one of buttons) one.disabled = false;
  event.submitter.focus();
});

document.addEventListener("submit", async (event) => {
  const form = event.target, deed = drawer?.contains(form);
  if (!deed && form.id !== "proposing") return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  const { refused = "", link = "" } = await send(form, body);
  tell(document.getElementById(deed ? "host-refused" : "refused"), refused);
  if (!deed) return;
  // The drawer is gone if the host transferred the role while the response was under way.
  if (!drawer.isConnected) return;
  const shown = document.getElementById("host-link");
  tell(shown, link && shown.dataset.said.replace("{link}", link));
  document.getElementById("host-done").textContent = refused ? "" : _("Done.");
  if (refused) return;
  for (const one of drawer.querySelectorAll("form")) one.reset();
  begun = false;
  drawer.querySelector("summary").focus();
  const answer = await fetch(`/t/${page.table}/host?part=1`).catch(() => null);
  if (answer?.ok) morph(document.getElementById("console"), parse(await answer.text()));
  else if (answer?.status === 403) drawer.remove();
});

// On a phone, only time and player status are open: the rest would be a long column.
if (drawer && matchMedia("(max-width: 939px)").matches) {
  for (const one of drawer.querySelectorAll(".fold")) one.open = false;
}
drawer?.addEventListener("input", () => { begun = true; });
drawer?.addEventListener("toggle", overlook);
if (drawer) setInterval(() => { if (document.visibilityState === "visible") overlook(); }, LOOK);

onShown(overlook);
