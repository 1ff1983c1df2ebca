// One-click starts: the game begins with the name that this browser remembers, and its seed with what this browser drew.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.draws === undefined) return;
  form.elements.drawn.value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try { form.elements.me.value = localStorage.getItem("name") || form.elements.me.value; } catch { /* no name */ }
});
