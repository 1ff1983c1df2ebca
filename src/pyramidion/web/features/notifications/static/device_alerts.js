// Turns notifications on this device on and off: the block of `device_alerts.html`, which may come and go with the page.
import { _ } from "./words.js";
import { allowed, listen, wanted } from "./alerting.js";
import { canPush, mayInstall, subscribe, subscription, unsubscribe } from "./push.js";

const block = () => document.getElementById("device-alerts");
export const guess = Intl.DateTimeFormat().resolvedOptions().timeZone;

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
  if (!block()) return;
  document.getElementById("browser-on").hidden = !("Notification" in window) || active || Notification.permission === "denied";
  document.getElementById("browser-off").hidden = !active;
  document.getElementById("browser-state").textContent = sentence(pushed, failed);
}

function remember(value) {
  try { localStorage.setItem("alerts", value); } catch { /* not remembered */ }
}

async function turnOn() {
  const { csrf, key } = block().dataset;
  let failed = "";
  if (canPush()) {
    try {
      await subscribe(key, csrf, guess);
      remember("push");
    } catch (error) {
      // Without a push service, as in some private windows, open pages poll for notifications.
      failed = error instanceof DOMException ? "" : error.message;
    }
  }
  if (await subscription() === null) {
    remember("on");
    listen();
  }
  await show(failed);
}

document.addEventListener("click", async (event) => {
  const { id } = event.target.closest?.("#browser-on, #browser-off") ?? {};
  if (id === "browser-on") {
    if (await Notification.requestPermission() === "granted") await turnOn();
    else await show();
  } else if (id === "browser-off") {
    remember("off");
    await unsubscribe(block().dataset.csrf);
    await show();
    document.getElementById("browser-on").focus();
  }
});

async function begin() {
  if (!block()) return;
  // A subscribed device may have a new endpoint, or belong to another account by now.
  if (await subscription() !== null && allowed()) await turnOn();
  else await show();
}
addEventListener("news", begin);
begin();
