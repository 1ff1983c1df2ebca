// Push: notifications that arrive while no page of this site is open, through the service worker.
export const canPush = () => "PushManager" in window && "serviceWorker" in navigator && isSecureContext;

// On an iPhone or iPad, only a web app on the home screen can be reached.
export const mayInstall = () => "standalone" in navigator && !navigator.standalone;

export async function subscription() {
  if (!canPush()) return null;
  const worker = await navigator.serviceWorker.getRegistration("/");
  return await worker?.pushManager.getSubscription() ?? null;
}

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
const same = (mine, key) => mine && bytes(key).every((one, n) => one === new Uint8Array(mine)[n]);

export async function subscribe(key, csrf, zone) {
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  // A server with a new key cannot use a subscription that was made for the old one.
  if (old && !same(old.options.applicationServerKey, key)) await old.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = made.toJSON();
  const answer = await post("/alerts/push", { csrf, endpoint, ...keys, guess: zone });
  if (answer.ok) return;
  await made.unsubscribe();
  throw new Error((await answer.json()).detail);
}

export async function unsubscribe(csrf) {
  const made = await subscription();
  if (!made) return;
  await post("/alerts/push/stop", { csrf, endpoint: made.endpoint });
  await made.unsubscribe();
}

function post(path, fields) {
  return fetch(path, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(fields) });
}

// Signing out ends the notifications on this device.
for (const input of document.querySelectorAll("form input[name=device]")) subscription().then((made) => { input.value = made?.endpoint ?? ""; });
