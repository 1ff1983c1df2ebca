// A personal link holds its code behind the #, which browsers tell nobody; it is not kept in the address.
const field = document.getElementById("code"), code = location.hash.slice(1);

if (code) {
  field.value = decodeURIComponent(code);
  history.replaceState(null, "", location.pathname);
}
