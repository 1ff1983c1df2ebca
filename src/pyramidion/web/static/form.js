// The form for a new table: as many rows as seats, a name for bots and for others at this screen, and my own name remembered.
const form = document.getElementById("new"), me = document.getElementById("me");

function fit() {
  const count = Number(new FormData(form).get("seats"));
  for (const row of form.querySelectorAll("[data-row]")) {
    row.hidden = Number(row.dataset.row) >= count;
    const kind = row.querySelector("select").value;
    row.querySelector("input").hidden = !kind.startsWith("bot") && kind !== "here";
  }
  // Where nobody is to come there is nothing to wait for.
  document.getElementById("starts").hidden = ![...form.querySelectorAll("[data-row]:not([hidden]) select")].some((one) => one.value === "open");
}

form.addEventListener("change", (event) => {
  // One can sit on one seat only: choosing "Me" elsewhere gives the old seat to a bot.
  if (event.target.value === "me") {
    for (const other of form.querySelectorAll("select")) if (other !== event.target && other.value === "me") other.value = "bot:normal";
  }
  fit();
});
// What this browser contributes to the seed; without it the server draws something, and says so.
form.addEventListener("submit", () => {
  document.getElementById("drawn").value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
});
form.addEventListener("submit", () => { try { localStorage.setItem("name", me.value); } catch { /* not remembered */ } });
try { me.value ||= localStorage.getItem("name") ?? ""; } catch { /* no name */ }
fit();
