// The language of the page: chosen in its last line, at once where scripts run. The way back is this page.
const form = document.querySelector("form.language"), choice = document.getElementById("language");

choice?.addEventListener("change", () => form.requestSubmit());
