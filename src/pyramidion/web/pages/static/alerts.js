// How I am reached: the button that asks the browser, and the time zone that it thinks it is in.
import { _ } from "./words.js";
import { allowed, listen, wanted } from "./alerting.js";

const on = document.getElementById("browser-on"), off = document.getElementById("browser-off"), state = document.getElementById("browser-state");
const zone = document.getElementById("zone");

function show() {
  const known = "Notification" in window;
  on.hidden = !known || (wanted() && allowed());
  off.hidden = !(wanted() && allowed());
  if (!known) state.textContent = _("This browser does not support notifications.");
  else if (Notification.permission === "denied") state.textContent = _("Notifications are blocked for this site. You can allow them in your browser settings.");
  else state.textContent = wanted() && allowed() ? _("Notifications are on.") : "";
}

function remember(value) {
  try { localStorage.setItem("alerts", value); } catch { /* not remembered */ }
}

on.addEventListener("click", async () => {
  await Notification.requestPermission();
  remember("on");
  show();
  listen();
});
off.addEventListener("click", () => { remember("off"); show(); on.focus(); });
show();

const guess = Intl.DateTimeFormat().resolvedOptions().timeZone;
document.getElementById("guess").value = guess;
if (zone.dataset.zone === "UTC" && [...zone.options].some((one) => one.value === guess)) zone.value = guess;
