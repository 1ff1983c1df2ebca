// Messages of the browser, for whoever has asked for them: one of the open pages asks the server now and then what there
// is to tell, and lets the browser say it. Whether to is remembered in this browser alone.
const SECONDS = 10;

export const wanted = () => { try { return localStorage.getItem("alerts") === "on"; } catch { return false; } };
export const allowed = () => "Notification" in window && Notification.permission === "granted";

function tell(one) {
  // The table itself shows what there is, where somebody looks at it.
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

// Of several pages only one asks; when it is closed, the next one does.
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
