// What a reader of a season's conversations has not seen yet: how many lines of others each one had when it was last open.
// The browser remembers it, or else the page. Marks the conversations, and returns how many lines are unread in all.
const folds = (root) => [...root.querySelectorAll("details[data-lines]")];
const kept = {};
const known = (reader) => {
  try { return JSON.parse(localStorage.getItem(`talk ${reader}`)) ?? {}; } catch { return kept; }
};

export function count(root, looking = document.visibilityState === "visible") {
  const reader = root.dataset.reader, seen = known(reader);
  let all = 0;
  for (const fold of folds(root)) {
    const lines = Number(fold.dataset.lines), mark = fold.querySelector(".unread");
    if (fold.open && looking) seen[fold.id] = lines;
    const left = Math.max(0, lines - (seen[fold.id] ?? 0));
    mark.hidden = !left;
    mark.firstElementChild.textContent = left ? String(left) : "";
    all += left;
  }
  try { localStorage.setItem(`talk ${reader}`, JSON.stringify(seen)); } catch { /* the page remembers */ }
  return all;
}

// On a page of their own the conversations are always in view.
const page = document.querySelector("main.season [data-reader]");
if (page) {
  // The line on top of the page says how many are unread.
  const show = () => {
    const unread = count(page), line = document.getElementById("own-unread");
    if (!line) return;
    line.hidden = !unread;
    line.querySelector("b").textContent = String(unread);
  };
  show();
  page.addEventListener("toggle", show, true);
  for (const event of ["news", "visibilitychange"]) addEventListener(event, show, true);
}

// The line that a question was answered goes, with the next news, once the answer below has been in view; so does the mark of
// the hosts' latest post.
const season = location.pathname.split("/").slice(0, 3).join("/");
const read = {}; // of browsers that keep nothing
const KINDS = { answer: "answered", post: "posted" };
const last = (kind) => { try { return localStorage.getItem(`${kind} ${season}`) ?? read[kind]; } catch { return read[kind]; } };
const view = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    for (const [kind, attribute] of Object.entries(KINDS)) {
      if (!(attribute in target.dataset)) continue;
      read[kind] = target.dataset[attribute];
      try { localStorage.setItem(`${kind} ${season}`, read[kind]); } catch { /* the page remembers */ }
    }
  }
}, { threshold: 0.25 });
function marks() {
  for (const [kind, attribute] of Object.entries(KINDS)) {
    const line = document.getElementById(`own-${kind}`);
    if (!line) continue;
    const known = last(kind) === line.dataset[kind];
    if (kind === "answer") line.hidden = known; else line.querySelector(".new-mark").hidden = known;
    const shown = document.querySelector(`[data-${attribute}="${line.dataset[kind]}"]`);
    if (shown) view.observe(shown);
  }
}
marks();
addEventListener("news", marks);
