// The event stream of positions. It reconnects automatically; meanwhile a small notice says so and the page stays usable.
import { position } from "./motion.js";
import { _ } from "./words.js";

const page = document.getElementById("main").dataset;
const notice = document.getElementById("notice");
// What panels fetch for themselves when there is something new: the chat, and the conversations of a season.
const NEWS = ["chat", "talk"];
let place = page.since;
let source = null, timer = 0, wait = 500, lost = false;

function say(text, gone = 0) {
  notice.textContent = text;
  notice.hidden = false;
  if (gone) setTimeout(() => { if (notice.textContent === text) notice.hidden = true; }, gone);
}

export function connect() {
  // Viewers who watch a game from its beginning learn nothing about its end.
  if (page.untilHere !== undefined) return;
  source?.close();
  clearTimeout(timer);
  source = new EventSource(`/t/${page.table}/stream?since=${encodeURIComponent(place)}`);
  source.addEventListener("open", () => {
    wait = 500;
    for (const news of NEWS) dispatchEvent(new Event(news));
    if (lost) { say(_("Reconnected."), 2000); dispatchEvent(new Event("reconnected")); }
    lost = false;
  });
  source.addEventListener("table", (event) => {
    place = event.lastEventId || place;
    const data = JSON.parse(event.data);
    position(data.html, { reveal: data.reveal });
  });
  for (const news of NEWS) source.addEventListener(news, () => dispatchEvent(new Event(news)));
  source.addEventListener("error", () => {
    lost = true;
    setTimeout(() => { if (lost) say(_("Connection lost. Reconnecting…")); }, 1000);
    if (source.readyState !== EventSource.CLOSED) return;
    clearTimeout(timer);
    timer = setTimeout(connect, wait);
    wait = Math.min(wait * 2, 10000);
  });
}

addEventListener("pagehide", () => source?.close());
addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
addEventListener("online", connect);
addEventListener("offline", () => { lost = true; say(_("Connection lost. Reconnecting…")); });
