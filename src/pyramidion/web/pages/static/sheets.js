// On a phone the bar at the foot grows into a sheet with everything that can be done, and the strip into a sheet of the players.
const main = document.getElementById("main");

document.addEventListener("click", (event) => {
  for (const [opener, sheet] of [[".grow", "actions"], [".to-card", "actions"], [".meet", "others"]]) {
    if (event.target.closest?.(opener)) main.dataset.sheet = main.dataset.sheet === sheet ? "" : sheet;
  }
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") main.dataset.sheet = ""; });
