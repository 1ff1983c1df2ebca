// On a phone, a button opens a sheet (data-opens): all actions above the bar at the foot, the players below their strip, what a game folds.
const main = document.getElementById("main");

document.addEventListener("click", (event) => {
  const opener = event.target.closest?.("[data-opens]"), sheet = opener?.dataset.opens;
  if (sheet) main.dataset.sheet = main.dataset.sheet === sheet ? "" : sheet;
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") main.dataset.sheet = ""; });
