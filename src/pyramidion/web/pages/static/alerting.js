// Browser notifications, if they are turned on: one of the open pages polls the server and shows them. Only this browser
// stores whether they are on.
const SECONDS = 10;

export const wanted = () => { try { return localStorage.getItem("alerts") === "on"; } catch { return false; } };
export const allowed = () => "Notification" in window && Notification.permission === "granted";

function tell(one) {
  // A visible table page shows the news itself.
  if (document.visibilityState === "visible" && location.pathname === one.link) return;
  const shown = new Notification(one.title, { body: one.text, tag: one.id, icon: document.querySelector("link[rel=icon]")?.href });
  shown.addEventListener("click", () => { window.focus(); location.assign(one.link); });
}

async function ask() {
  if (!wanted() || !allowed()) return;
  try {
    const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
    const answer = await fetch(`/alerts/feed?guess=${zone}`, { headers: { Accept: "application/json" } });
    if (answer.ok) for (const one of await answer.json()) tell(one);
  } catch { /* the next time */ }
}

// Of several open pages only one polls; when it is closed, another takes over.
export async function listen() {
  if (!wanted() || !allowed() || !navigator.locks) return;
  navigator.locks.request("alerts", async () => {
    while (wanted()) {
      await ask();
      await new Promise((next) => { setTimeout(next, SECONDS * 1000); });
    }
  });
}

listen();
