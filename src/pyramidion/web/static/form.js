// The form for a new table: as many rows as seats, a name for bots and for others at this screen, and my own name remembered.
const form = document.getElementById("new"), me = document.getElementById("me");

function fit() {
  const count = Number(new FormData(form).get("seats"));
  for (const row of form.querySelectorAll("[data-row]")) {
    row.hidden = Number(row.dataset.row) >= count;
    const kind = row.querySelector("select").value;
    row.querySelector("input").hidden = !kind.startsWith("bot") && kind !== "here";
  }
}

form.addEventListener("change", (event) => {
  // One can sit on one seat only: choosing "Me" elsewhere gives the old seat to a bot.
  if (event.target.value === "me") {
    for (const other of form.querySelectorAll("select")) if (other !== event.target && other.value === "me") other.value = "bot:normal";
  }
  fit();
});
form.addEventListener("submit", () => { try { localStorage.setItem("name", me.value); } catch { /* not remembered */ } });
try { me.value ||= localStorage.getItem("name") ?? ""; } catch { /* no name */ }
fit();
