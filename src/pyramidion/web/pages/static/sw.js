// The service worker: keeps one page that says that there is no connection, with its style, and nothing else.
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
