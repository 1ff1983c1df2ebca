// What is wrong with the texts of a page: a page that is wider than the window, texts beyond its edge or the edge of
// the element that cuts them off, words of at most 16 letters that are broken, panels of a table that scroll sideways,
// and prompts and plates with more lines than they have room for.
() => {
  const edge = document.documentElement.clientWidth;
  const wide = document.documentElement.scrollWidth > edge ? [`the page is ${document.documentElement.scrollWidth} wide`] : [];
  const beyond = new Set(), broken = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const limit = (box) => {
    let holder = null; // what an absolute box is placed in: the boxes on the way there do not cut it off
    for (let at = box; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (holder && at !== holder) continue;
      holder = style.position === "absolute" ? at.offsetParent : null;
      if (style.textOverflow === "ellipsis" || /auto|scroll/.test(style.overflowX)) return Infinity;
      if (/hidden|clip/.test(style.overflowX)) return Math.min(edge, at.getBoundingClientRect().right);
    }
    return edge;
  };
  const place = (box) => `${box.localName}.${box.className} in ${box.parentElement.localName}.${box.parentElement.className}`;
  for (let node; (node = walker.nextNode()); ) {
    const box = node.parentElement;
    if (!node.data.trim() || !box.checkVisibility({ opacityProperty: true }) || box.closest("script, style, noscript, svg, .sr, .tool .word, textarea, option")) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 1);
    if (rects.length && Math.max(...rects.map((rect) => rect.right)) > limit(box) + 1) beyond.add(`${node.data.trim().slice(0, 24)} is beyond the edge: ${place(box)}`);
    if (getComputedStyle(box).writingMode !== "horizontal-tb" || box.closest("code") || node.data.includes("://")) continue;
    for (const word of node.data.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]{2,16}(?![\p{L}\p{N}])/gu)) {
      if (/\p{Script=Han}/u.test(word[0])) continue;
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const parts = [...range.getClientRects()].filter((rect) => rect.width > 0);
      if (parts.length > 1 && parts.at(-1).top - parts[0].top > parts[0].height / 2) broken.add(`${word[0]} is broken: ${place(box)}`);
    }
  }
  const visible = (selector) => [...document.querySelectorAll(`.framed :is(${selector})`)].filter((box) => box.checkVisibility());
  const sideways = visible(".action-panel, .aftermath, .log, .drawer, .others").filter((box) => box.scrollWidth > box.clientWidth + 1);
  const full = visible("#status, .seat").filter((box) => box.scrollHeight > box.clientHeight + 2);
  return [...wide, ...beyond, ...broken, ...sideways.map((box) => `${box.className} scrolls sideways`),
    ...full.map((box) => `${box.className} is full: ${box.innerText.slice(0, 24)}`)];
}
