// The service worker: keeps one page that says that there is no connection, with its style, and shows pushed messages.
const KEPT = "offline-3";

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(KEPT), page = await fetch("/offline");
    await cache.put("/offline", page.clone());
    const styles = [...(await page.text()).matchAll(/(?:href|src)="(\/static\/[^"]+\.(?:css|svg|js|woff2))"/g)].map((found) => found[1]);
    await cache.addAll([...new Set(styles)]);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match("/offline")));
  else if (new URL(request.url).pathname.startsWith("/static/")) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
  }
});

self.addEventListener("push", (event) => {
  const data = event.data.json();
  event.waitUntil(self.registration.showNotification(data.title, { body: data.text, tag: data.id, icon: data.icon, data: { link: data.link } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const link = new URL(event.notification.data.link, self.location.origin).href;
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = open.find((one) => one.url === link);
    await (there ? there.focus() : self.clients.openWindow(link));
  })());
});
