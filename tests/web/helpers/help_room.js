// What help lies over on a table: the coach, a preview, a refusal and a hint have places of their own. They cover no piece that they name,
// no number in one's own area, and nothing that can be pressed.
() => {
  const seen = (box) => box.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const shown = (which) => [...document.querySelectorAll(which)].filter(seen);
  const name = (box) => box.id || box.dataset.key || box.dataset.path || box.textContent.trim().slice(0, 24) || box.className.toString();
  // The part of a box that the boxes around it do not cut off.
  function visible(box, place = box.getBoundingClientRect()) {
    let { left, top, right, bottom } = place;
    for (let around = box.parentElement; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around), edge = around.getBoundingClientRect();
      if (style.display === "contents") continue;
      if (style.overflowX !== "visible") { left = Math.max(left, edge.left); right = Math.min(right, edge.right); }
      if (style.overflowY !== "visible") { top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom); }
      if (style.position === "fixed") break;
    }
    return { left, top, right, bottom };
  }
  // Whether help lies over a place; what is scrolled past below a foot that stays is covered by it, not the other way round.
  function over(help, at, there) {
    const left = Math.max(at.left, there.left), right = Math.min(at.right, there.right);
    const top = Math.max(at.top, there.top), bottom = Math.min(at.bottom, there.bottom);
    return right - left > 2 && bottom - top > 2 && help.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  }

  function numbers() {
    const own = document.getElementById("own"), places = [];
    if (!own) return places;
    const texts = document.createTreeWalker(own, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!/\d/.test(text.data) || !seen(text.parentElement) || text.parentElement.closest(".sr")) continue;
      range.selectNodeContents(text);
      places.push(["one's own number", text.parentElement, visible(text.parentElement, range.getBoundingClientRect())]);
    }
    return places;
  }
  const of = (what, which) => shown(which).map((box) => [what, box, visible(box)]);
  const needed = [
    ...of("what it names", "#fragment :is(.pointed, .not-here, .in-the-way, .held, [data-path].can:hover, [data-path].can:focus-visible)"),
    ...of("a target", "#fragment [data-path].can"),
    ...of("a control", ".top, .tabs .tab, #actions :is(.button, .grow, .stepper button, summary, .row), .coach :is(button, a), .tracker > *"),
    ...numbers(),
    ...of("the headline", "#headline"),
  ];
  const wrong = [];
  for (const help of shown(".coach, #preview, #refused, #hint-text")) {
    const place = visible(help);
    if (place.bottom - place.top < 2) continue;
    help.style.pointerEvents = "auto";
    if (place.left < -1 || place.top < -1 || place.right > innerWidth + 1 || place.bottom > innerHeight + 1) wrong.push(`${name(help)} is outside`);
    if (help.scrollHeight > help.clientHeight + 2 || help.scrollWidth > help.clientWidth + 2) wrong.push(`${name(help)} is cut off`);
    for (const [what, box, there] of needed) {
      if (what === "the headline" && help.id === "hint-text" && innerWidth < 940) continue; // it takes the place of both there
      if (!help.contains(box) && !box.contains(help) && over(help, place, there)) wrong.push(`${help.id} covers ${what}: ${name(box)}`);
    }
    help.style.pointerEvents = "";
  }
  // The players' sheet, which the coach opens, leaves free what else the coach points at.
  const sheet = document.querySelector('[data-sheet="others"] #others');
  for (const [, box, there] of sheet ? of("", "#fragment .pointed") : []) {
    if (!sheet.contains(box) && over(sheet, visible(sheet), there)) wrong.push(`the players' sheet covers ${name(box)}`);
  }
  // Every preview that the page has could be read whole, not just the one that is shown.
  const tells = document.querySelector(".tells"), preview = document.getElementById("preview");
  const coach = [...document.querySelectorAll(".coach:not(.folded) :is(.reaction, li:not([hidden]))")];
  if (preview?.childElementCount && seen(tells)) {
    const now = [...preview.childNodes];
    for (const words of document.querySelectorAll(".previews > [data-preview]")) {
      preview.replaceChildren(words.cloneNode(true));
      const top = tells.getBoundingClientRect();
      for (const says of coach) {
        const { left, right, top: first, bottom } = says.getBoundingClientRect();
        if (!seen(says)) wrong.push("a preview hides the coach's words");
        else if (first < top.bottom - 1 && bottom > top.top + 1 && left < top.right && right > top.left) wrong.push(`the preview of ${words.dataset.preview} lies over the coach's words by ${Math.round(bottom - top.top)}`);
      }
      if (tells.scrollHeight > tells.clientHeight + 2) wrong.push(`the preview of ${words.dataset.preview} is cut off: ${tells.scrollHeight} in ${tells.clientHeight}`);
    }
    preview.replaceChildren(...now);
    if (tells.scrollHeight > tells.clientHeight + 2) wrong.push(`the preview is cut off: ${tells.scrollHeight} in ${tells.clientHeight}`);
  }
  for (const button of shown(".coach :is(button, a)")) {
    const { left, top, width, height } = button.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!button.contains(there)) wrong.push(`${name(button)} cannot be reached`);
  }
  return [...new Set(wrong)];
}
