// The list of shortcuts, opened with "?", and what each person sets for their own browser. A puzzle's page has no list.
const box = document.getElementById("keys");
const confirming = document.getElementById("confirm-moves"), skipping = document.getElementById("skip-passes");

const wished = (name) => { try { return localStorage.getItem(name) === "on"; } catch { return false; } };

// Whether a move is made with its button alone, and never with a second click on the board.
export const confirms = () => confirming ? confirming.checked : wished("confirm");

// Whether the only action there is is made by itself, where everybody knows that there is no other.
export const skips = () => skipping.checked;

for (const [tick, name] of [[confirming, "confirm"], [skipping, "skip"]]) {
  if (!tick) continue;
  tick.checked = wished(name);
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
