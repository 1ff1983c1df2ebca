// Which texts of a table are cut: those of buttons, menu items, titles and selects that run out of their box, or that a box around them
// cuts off without an ellipsis. The page is looked at as it is, with its menu open, with the sheets of a phone open, and with its dialogs.
() => {
  const NAMED = "button, .button, summary, .tool, .tab, label, h1, h2, h3, .prompt, .goal-words, th, legend";
  const main = document.getElementById("main"), menu = document.getElementById("menu"), wrong = new Map();
  const hidden = (box) => box.closest(".sr, [aria-hidden='true'], svg") || getComputedStyle(box).clipPath !== "none";
  const name = (box) => box.id || box.closest("[id]")?.id || box.className.toString();

  // The part of the window that the boxes around an element leave of it; what scrolls or ends in an ellipsis cuts nothing off.
  function room(box) {
    let left = -Infinity, top = -Infinity, right = Infinity, bottom = Infinity, holder = null;
    for (let at = box; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at), edge = at.getBoundingClientRect();
      if (holder && at !== holder) continue;
      holder = style.position === "absolute" ? at.offsetParent : null;
      if (style.display === "contents") continue;
      const ends = style.textOverflow === "ellipsis" || /auto|scroll/.test(style.overflowX);
      if (ends || /auto|scroll/.test(style.overflowY)) return { left, top, right, bottom };
      if (/hidden|clip/.test(style.overflowX)) { left = Math.max(left, edge.left); right = Math.min(right, edge.right); }
      if (/hidden|clip/.test(style.overflowY)) { top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom); }
      if (style.position === "fixed") break;
    }
    return { left, top, right, bottom };
  }

  const fault = (what, state) => wrong.has(what) || wrong.set(what, state);

  function texts(state, within = document) {
    const range = document.createRange();
    for (const box of within.querySelectorAll(NAMED)) {
      if (!box.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || hidden(box)) continue;
      const own = box.matches("button, .button, summary, .tool, .tab") ? box.getBoundingClientRect() : null;
      const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      for (let text; (text = walker.nextNode()); ) {
        const holder = text.parentElement;
        if (!text.data.trim() || hidden(holder) || !holder.checkVisibility({ opacityProperty: true }) || holder.closest("select")) continue;
        const size = parseFloat(getComputedStyle(holder).fontSize);
        if (size < 2) continue;
        if (size < 8 && !box.closest("[data-zoom]")) fault(`"${text.data.trim()}" is ${size}px small`, state);
        range.selectNodeContents(text);
        const limit = room(holder);
        for (const at of range.getClientRects()) {
          if (at.width < 1) continue;
          const slack = at.height * .3; // a line is higher than its letters
          const cut = at.left < limit.left - 1 || at.right > limit.right + 1 || at.top < limit.top - slack || at.bottom > limit.bottom + slack;
          const out = own && limit.right === Infinity && (at.left < own.left - 1 || at.right > own.right + 1 || at.top < own.top - slack || at.bottom > own.bottom + slack);
          if (cut || out) fault(`"${text.data.trim().slice(0, 40)}" of ${name(box)} ${cut ? "is cut" : "runs out"}`, state);
        }
      }
    }
    for (const select of within.querySelectorAll("select")) {
      if (!select.checkVisibility({ visibilityProperty: true })) continue;
      const whole = select.cloneNode(true);
      whole.style.cssText = "position: fixed; visibility: hidden; width: auto; max-width: none; min-width: 0";
      select.after(whole);
      if (whole.offsetWidth > select.offsetWidth + 1) fault(`${select.id || select.name} cuts its options`, state);
      whole.remove();
    }
  }

  texts("page");
  menu.open = true; texts("menu", menu); menu.open = false;
  const sheet = main.dataset.sheet;
  for (const open of ["actions", "others"]) { main.dataset.sheet = open; texts(`sheet ${open}`, main); }
  if (sheet) main.dataset.sheet = sheet; else delete main.dataset.sheet;
  for (const tab of ["log", "chat"]) { document.getElementById(`${tab}-open`)?.click(); texts(tab, main); }
  document.getElementById("actions-open").click();
  for (const dialog of document.querySelectorAll("dialog")) { dialog.showModal(); texts(dialog.id, dialog); dialog.close(); }
  return [...wrong].map(([what, state]) => `${what} (${state})`);
}
