// A spectator's choices: a player to follow (their area is marked and kept in view), the chat, and sounds.
import { _ } from "./words.js";

const page = document.getElementById("main"), wish = `follow:${page.dataset.table}`;
const small = matchMedia("(max-width: 939px)");
let followed = null;
try { followed = sessionStorage.getItem(wish); } catch { /* nobody is followed */ }

const areas = () => document.querySelectorAll(`#player-${followed}, [data-key="stand-${followed}"]`);

// Called after every position shown.
export function follow() {
  for (const one of document.querySelectorAll(".followed")) one.classList.remove("followed");
  for (const one of document.querySelectorAll("[data-follow]")) one.setAttribute("aria-pressed", String(one.dataset.follow === followed));
  if (followed === null || !document.getElementById("follow")) return;
  for (const one of areas()) {
    one.classList.add("followed");
    for (const more of one.querySelectorAll("details.more")) more.open = true;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-follow], #watch-chat, #watch-sound");
  if (!button) return;
  if (button.id === "watch-chat") return document.querySelector(".tabs .chat-open").click();
  if (button.id === "watch-sound") return document.getElementById("sound").click();
  followed = followed === button.dataset.follow ? null : button.dataset.follow;
  try { followed === null ? sessionStorage.removeItem(wish) : sessionStorage.setItem(wish, followed); } catch { /* for this page only */ }
  follow();
  const name = followed === null ? "" : button.textContent;
  if (name) document.getElementById("live").textContent = _("Following {name}.").replace("{name}", name);
  // On a phone the players' areas are a sheet over the board.
  if (followed !== null && small.matches && document.getElementById(`player-${followed}`)) page.dataset.sheet = "others";
  areas()[0]?.scrollIntoView({ block: "nearest" });
});
