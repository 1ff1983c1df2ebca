// A personal link has its code after the #, which browsers do not send; the script removes it from the address bar.
const field = document.getElementById("code"), code = location.hash.slice(1);

if (code) {
  field.value = decodeURIComponent(code);
  history.replaceState(null, "", location.pathname);
}
