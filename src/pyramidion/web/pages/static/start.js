// One-click starts: the game begins with the name that this browser remembers, and its seed with what this browser drew.
const known = () => { try { return localStorage.getItem("name") ?? ""; } catch { return ""; } };

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.draws === undefined) return;
  form.elements.drawn.value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  form.elements.me.value = known() || form.elements.me.value;
});

// A guest's name, which can be changed; an empty one brings back the name that the server gave.
const guest = document.getElementById("guest");
if (guest) {
  const shown = guest.querySelector("b"), field = guest.querySelector("input");
  const show = () => { field.value = known(); shown.textContent = known() || field.placeholder; };
  guest.addEventListener("submit", (event) => {
    event.preventDefault();
    try { localStorage.setItem("name", field.value.trim()); } catch { /* not remembered */ }
    guest.open = false;
    show();
  });
  show();
  guest.hidden = false;
}
