// A rule number opens its rule in a dialog, taken from the rules page.
import { _ } from "./words.js";

const pages = new Map();
const dialog = document.getElementById("rule");

async function rules(url) {
  if (!pages.has(url)) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(String(answer.status));
    pages.set(url, new DOMParser().parseFromString(await answer.text(), "text/html"));
  }
  return pages.get(url);
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a.rule");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const [url, anchor] = link.getAttribute("href").split("#");
  try {
    const found = (await rules(url)).getElementById(anchor);
    if (!found) throw new Error(anchor);
    const text = document.getElementById("rule-text"), title = document.getElementById("rule-title");
    const section = found.matches("h2, h3") ? found : found.closest("section")?.querySelector("h2");
    title.lang = text.lang;
    title.textContent = section ? section.textContent : link.textContent;
    const parts = found === section ? [...found.parentElement.children].filter((one) => one !== found) : [found];
    const list = document.createElement("ul");
    list.className = "numbered";
    text.replaceChildren(...(found === section ? [] : [list]));
    for (const part of parts) (found === section ? text : list).append(part.cloneNode(true));
    // Leave out pictures: the dialog is shown beside the real board.
    for (const one of text.querySelectorAll(".example")) one.remove();
    for (const one of text.querySelectorAll("[id]")) one.removeAttribute("id");
    const more = document.createElement("a");
    more.href = `${url}#${anchor}`;
    more.target = "_blank";
    more.lang = document.documentElement.lang;
    more.textContent = _("Full rules");
    text.append(more);
    dialog.showModal();
  } catch {
    open(link.href, "_blank");
  }
});
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
