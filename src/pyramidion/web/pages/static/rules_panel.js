// The rules as a panel beside the table, on a phone: taken from their page when the panel is first opened.
import { shownPanel, turnTo } from "./tabs.js";
import { _ } from "./words.js";

const tab = document.getElementById("rules-open"), panel = document.getElementById("rules");
const close = document.getElementById("rules-close"), text = panel.querySelector(".prose");

async function load() {
  try {
    const answer = await fetch(tab.href);
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const parts = [...page.querySelectorAll("article.prose")];
    // Pictures need the styles of their page, and the table has ids of its own.
    for (const one of parts.flatMap((part) => [...part.querySelectorAll(".example")])) one.remove();
    for (const one of parts.flatMap((part) => [...part.querySelectorAll("[id]")])) one.removeAttribute("id");
    text.lang = parts[0].lang;
    text.replaceChildren(...parts.flatMap((part) => [...part.childNodes]));
  } catch {
    const link = document.createElement("a");
    link.href = tab.href;
    link.target = "_blank";
    link.textContent = _("Full rules");
    text.replaceChildren(link);
  }
}

tab.addEventListener("click", (event) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  turnTo(shownPanel() === "rules" ? "actions" : "rules");
});
close.addEventListener("click", () => { turnTo("actions"); tab.focus(); });
addEventListener("tab", ({ detail }) => {
  panel.hidden = detail !== "rules";
  if (!panel.hidden && !text.querySelector("p")) load();
});
