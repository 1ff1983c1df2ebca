// Terms: explains the word or symbol under the pointer or the tap. The goal card lists all terms.
// The page's text stays unchanged; the script finds the word under the pointer in the text.
const data = document.getElementById("terms");
const terms = JSON.parse(data?.textContent ?? "[]");
const card = document.getElementById("goal-card");
const REST = 400;
const TEXTS = "#fragment, #log, #preview, .prose";
const MARKED = "#log ol, #hint, #actions .small, .hint-text, .situation, .prose";
const symbols = new Map(terms.filter((one) => one.symbol).map((one) => [`#${one.symbol}`, one]));
const byWord = new Map(terms.flatMap((one) => one.words.map((word) => [word.toLowerCase(), one])));
const escaped = [...byWord.keys()].sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
// In alphabets a word ends at a non-letter; Chinese has no spaces between words.
const bounded = escaped.map((word) => (/\p{Script=Han}/u.test(word) ? word : `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`));
const pattern = terms.length ? new RegExp(bounded.join("|"), "giu") : null;
let timer = 0, tip = null;

function caret(x, y) {
  if (document.caretPositionFromPoint) {
    const at = document.caretPositionFromPoint(x, y);
    return at && { node: at.offsetNode, offset: at.offset };
  }
  const range = document.caretRangeFromPoint?.(x, y);
  return range && { node: range.startContainer, offset: range.startOffset };
}

function ranges(node) {
  return [...node.data.matchAll(pattern)].map((found) => {
    const range = document.createRange();
    range.setStart(node, found.index);
    range.setEnd(node, found.index + found[0].length);
    return [range, byWord.get(found[0].toLowerCase())];
  });
}

// The term at a point of the page, a symbol or a word, with its box.
function under(x, y) {
  const on = document.elementFromPoint(x, y);
  if (!on?.closest(TEXTS)) return null;
  const symbol = symbols.get(on.closest("svg")?.querySelector("use")?.getAttribute("href"));
  if (symbol) return [symbol, on.closest("svg").getBoundingClientRect()];
  const at = caret(x, y);
  if (at?.node.nodeType !== Node.TEXT_NODE || !on.contains(at.node)) return null;
  for (const [range, term] of ranges(at.node)) {
    for (const box of range.getClientRects()) {
      if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return [term, box];
    }
  }
  return null;
}

function close() {
  clearTimeout(timer);
  tip?.remove();
  tip = null;
}

function open([term, box]) {
  close();
  tip = document.createElement("div");
  tip.id = "term";
  tip.setAttribute("role", "status");
  const name = document.createElement("dfn");
  name.textContent = term.words[0];
  const rule = document.createElement("a");
  rule.className = "rule";
  rule.textContent = term.rule;
  rule.href = `/games/${data.dataset.game}/rules#${term.rule.replace(" ", "-")}`;
  if (term.symbol) {
    const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    icon.classList.add("icon");
    icon.setAttribute("aria-hidden", "true");
    icon.append(document.createElementNS("http://www.w3.org/2000/svg", "use"));
    icon.firstChild.setAttribute("href", `#${term.symbol}`);
    tip.append(icon);
  }
  tip.append(name, document.createElement("br"), `${term.say} `, rule);
  document.body.append(tip);
  const { width, height } = tip.getBoundingClientRect();
  const below = box.bottom + height + 12 < innerHeight;
  tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  tip.style.top = `${below ? box.bottom + 6 : Math.max(8, box.top - height - 6)}px`;
}

function pointed(x, y, close_too) {
  const found = under(x, y);
  if (found) open(found);
  else if (close_too) close();
}

if (pattern) {
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.target.closest?.("#term")) return;
    clearTimeout(timer);
    timer = setTimeout(() => pointed(event.clientX, event.clientY, true), REST);
  });
  // A tap on a button or link activates it; anywhere else it explains the word.
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#term")) return;
    if (event.target.closest?.("a, button, input, select, summary, label, [data-path]")) close();
    else pointed(event.clientX, event.clientY, true);
  });
  document.addEventListener("scroll", close, { capture: true, passive: true });
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
  const typing = event.target.closest?.("input, select, textarea, dialog, [contenteditable]");
  if (!card || event.key.toLowerCase() !== "g" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  card.showModal();
});
document.getElementById("goal-open")?.addEventListener("click", () => card.showModal());
card?.addEventListener("click", (event) => { if (event.target === card) card.close(); });

// Who came by "Play now" (#goal) reads in one line how one wins, until they close it or have played; then never again for this game.
const line = document.getElementById("goal-line"), key = `goal ${document.getElementById("main")?.dataset.game}`;
const closed = () => { try { return localStorage.getItem(key) !== null; } catch { return false; } };
if (line && location.hash === "#goal" && !closed()) line.hidden = false;
function closeGoal() {
  if (!line || line.hidden) return;
  line.hidden = true;
  history.replaceState(history.state, "", location.pathname + location.search);
  try { localStorage.setItem(key, "closed"); } catch { /* closed for this page */ }
}
document.getElementById("goal-line-close")?.addEventListener("click", closeGoal);
addEventListener("acted", closeGoal);

// Underlines explained words in running text, if the browser can do so without changing the text.
export function underline() {
  if (!pattern || !CSS.highlights) return;
  const found = [];
  for (const text of document.querySelectorAll(MARKED)) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) found.push(...ranges(walker.currentNode).map(([range]) => range));
  }
  CSS.highlights.set("term", new Highlight(...found));
}
underline();
