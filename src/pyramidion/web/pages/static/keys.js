// The list of keyboard shortcuts (opened with "?") and the settings of this browser. A puzzle's page has no list.
const box = document.getElementById("keys");
const confirming = document.getElementById("confirm-moves"), skipping = document.getElementById("skip-passes");

const wished = (name, usual = false) => { try { return (localStorage.getItem(name) ?? (usual ? "on" : "off")) === "on"; } catch { return usual; } };

// Whether only the button commits a move, not a second click on the board.
export const confirms = () => confirming ? confirming.checked : wished("confirm");

// Whether to play a forced action automatically, if everybody knows that it is forced.
export const skips = () => skipping.checked;

for (const [tick, name] of [[confirming, "confirm"], [skipping, "skip"]]) {
  if (!tick) continue;
  // What the page has ticked is usual at this table: passes are made by themselves unless the game is rated.
  tick.checked = wished(name, tick.defaultChecked);
  tick.addEventListener("change", () => {
    try { localStorage.setItem(name, tick.checked ? "on" : "off"); } catch { /* lasts for this page */ }
  });
}
document.getElementById("keys-open")?.addEventListener("click", () => box.showModal());
document.addEventListener("keydown", (event) => {
  if (!box || event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, select, textarea, dialog, [contenteditable]")) return;
  event.preventDefault();
  box.showModal();
});
