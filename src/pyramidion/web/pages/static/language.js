// The language menu: changes the language at once and returns to the same page.
const form = document.querySelector("form.language"), choice = document.getElementById("language");

choice?.addEventListener("change", () => form.requestSubmit());
