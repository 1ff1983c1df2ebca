// The panels beside the board, of which one is shown: actions, log or chat. On a phone the same buttons lie below the board.
import "./sheets.js";

const main = document.getElementById("main"), tabs = [...document.querySelectorAll(".tab[aria-controls]")];

// Shows a panel; those that are drawers of their own hear of it.
export function turnTo(panel) {
  main.dataset.tab = panel;
  delete main.dataset.sheet;
  for (const tab of tabs) tab.setAttribute("aria-expanded", String(tab.getAttribute("aria-controls") === panel));
  dispatchEvent(new CustomEvent("tab", { detail: panel }));
}

export const shownPanel = () => main.dataset.tab;

document.getElementById("actions-open").addEventListener("click", () => turnTo("actions"));
document.addEventListener("click", (event) => {
  const menu = document.getElementById("menu");
  if (menu.open && !menu.contains(event.target) && event.target.isConnected) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.getElementById("menu");
  if (menu.open && menu.contains(document.activeElement)) menu.querySelector("summary").focus();
  menu.open = false;
});

let waited = document.getElementById("fragment").dataset.mine;
// Called after every position shown: when it becomes somebody's turn they see what they can do, unless they are writing.
export function settleTabs() {
  const { mine } = document.getElementById("fragment").dataset;
  if (mine && !waited && !document.getElementById("chat").contains(document.activeElement)) turnTo("actions");
  waited = mine;
  // An earlier position of a finished game is looked at on the page of its end, where the replay is.
  const fragment = document.getElementById("fragment");
  if (fragment.dataset.past === undefined) document.body.classList.toggle("ended", fragment.matches(".over"));
}
