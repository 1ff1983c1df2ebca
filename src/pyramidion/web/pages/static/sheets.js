// On a phone, the bar at the bottom expands into a sheet of all actions, and the strip into a sheet of the players.
const main = document.getElementById("main");

document.addEventListener("click", (event) => {
  for (const [opener, sheet] of [[".grow", "actions"], [".meet", "others"]]) {
    if (event.target.closest?.(opener)) main.dataset.sheet = main.dataset.sheet === sheet ? "" : sheet;
  }
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") main.dataset.sheet = ""; });
