// How I am reached: the button that asks the browser, and the time zone that it thinks it is in.
import { _ } from "./words.js";
import { allowed, listen, wanted } from "./alerting.js";
import { canPush, mayInstall, subscribe, subscription, unsubscribe } from "./push.js";

const on = document.getElementById("browser-on"), off = document.getElementById("browser-off"), state = document.getElementById("browser-state");
const zone = document.getElementById("zone"), place = document.getElementById("by-browser").parentElement;
const { csrf, key } = place.dataset;
const guess = Intl.DateTimeFormat().resolvedOptions().timeZone;

function sentence(pushed, failed) {
  if (mayInstall() && !canPush()) return _("Add this site to your home screen first. Then open it from there and turn notifications on.");
  if (!("Notification" in window)) return _("This browser does not support notifications.");
  if (Notification.permission === "denied") return _("Notifications are blocked for this site. You can allow them in your browser settings.");
  if (!(pushed || wanted()) || !allowed()) return "";
  if (pushed) return _("Notifications are on, even when this site is closed.");
  const why = failed || _("This browser cannot be reached while this site is closed.");
  const still = _("You are notified while a page of this site is open in any tab.");
  return `${why} ${still}`;
}

async function show(failed) {
  const pushed = await subscription() !== null;
  const active = (pushed || wanted()) && allowed();
  on.hidden = !("Notification" in window) || active;
  off.hidden = !active;
  state.textContent = sentence(pushed, failed);
}

function remember(value) {
  try { localStorage.setItem("alerts", value); } catch { /* not remembered */ }
}

async function turnOn() {
  let failed = "";
  if (canPush()) {
    try {
      await subscribe(key, csrf, guess);
      remember("push");
    } catch (error) {
      // Without a push service, as in some private windows, open pages ask by themselves.
      failed = error instanceof DOMException ? "" : error.message;
    }
  }
  if (await subscription() === null) {
    remember("on");
    listen();
  }
  await show(failed);
}

on.addEventListener("click", async () => {
  if (await Notification.requestPermission() === "granted") await turnOn();
  else await show();
});
off.addEventListener("click", async () => {
  remember("off");
  await unsubscribe(csrf);
  await show();
  on.focus();
});
// A device that is subscribed already may have got a new endpoint, or belong to another account by now.
if (await subscription() !== null && allowed()) await turnOn();
else await show();

document.getElementById("guess").value = guess;
if (zone.dataset.zone === "UTC" && [...zone.options].some((one) => one.value === guess)) zone.value = guess;
