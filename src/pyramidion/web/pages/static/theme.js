// The colour scheme: the visitor's last choice, else the system's. Runs before the first paint.
const root = document.documentElement;
// The answer to a form stands where the form was.
if (root.dataset.here) history.replaceState(null, "", root.dataset.here + location.hash);
root.classList.add("js");
const remembered = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
if (remembered()) root.dataset.theme = remembered();
document.addEventListener("click", (event) => {
  if (!event.target.closest("#theme")) return;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("theme", root.dataset.theme); } catch { /* private windows may refuse; the choice then lasts for this page */ }
});
