// The tabs beside the board (below it on a phone): actions, log and chat.
import "./sheets.js";

const main = document.getElementById("main"), tabs = [...document.querySelectorAll(".tab[aria-controls]")];

// Shows a panel, and notifies the panels that are drawers.
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

// The menu opens as it was at first, and shows whole what is unfolded in it.
document.getElementById("menu").addEventListener("toggle", ({ target, currentTarget }) => {
  if (target !== currentTarget) return void (target.open && target.scrollIntoView({ block: "nearest" }));
  if (!target.open) for (const part of target.querySelectorAll("details[open]:not(.fold)")) part.open = false;
}, { capture: true });

let waited = document.getElementById("fragment").dataset.mine;
// Called after every position shown: opens the actions at the start of the viewer's turn, unless they are writing a message.
export function settleTabs() {
  const { mine } = document.getElementById("fragment").dataset;
  if (mine && !waited && !document.activeElement?.closest(".drawer")) turnTo("actions");
  waited = mine;
  // Earlier positions of a finished game are shown by the replay, on the page of its last position.
  const fragment = document.getElementById("fragment");
  if (fragment.dataset.past === undefined) document.body.classList.toggle("ended", fragment.matches(".over"));
}
