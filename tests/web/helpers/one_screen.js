// What is wrong with a table on the screen: what lies outside, is covered, cut, or too small to be touched.
(phone) => {
  const wrong = [];
  const tell = (one, what) => wrong.push(`${what}: ${one.id || one.getAttribute("data-path") || one.className.toString()} ${one.textContent.trim().slice(0, 24)}`);
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  const shown = (which) => [...document.querySelectorAll(which)].filter(seen);
  const page = document.scrollingElement;
  if (page.scrollHeight > innerHeight || page.scrollWidth > innerWidth) wrong.push(`the page scrolls: ${page.scrollWidth}x${page.scrollHeight}`);

  // A point of it can be seen and touched; the shapes of cards may leave corners free, and fans of cards overlap.
  function reached(one) {
    const { left, top, width, height } = one.getBoundingClientRect();
    const parts = [0.5, 0.2, 0.8, 0.35, 0.65, 0.08, 0.92];
    return parts.some((x) => parts.some((y) => {
      const there = document.elementFromPoint(left + x * width, top + y * height);
      return there && (one.contains(there) || there.contains(one) && there.matches("button, .who, .player > header"));
    }));
  }
  function look(one, what, least = 0) {
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return tell(one, `${what} outside`);
    if (width < least - 0.5 || height < least - 0.5) tell(one, `${what} only ${Math.round(width)}x${Math.round(height)}`);
    if (!reached(one)) tell(one, `${what} covered`);
  }
  function whole(one, what) {
    look(one, what);
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible") tell(one, `${what} cut`);
  }

  whole(document.getElementById("headline"), "the prompt");
  whole(document.querySelector(".top .title"), "the title");
  const least = phone ? 44 : 24;
  // A great pyramid can be dragged and made larger, so its cards need only be in reach and have no least size.
  for (const one of shown("#fragment [data-path].can")) {
    if (one.closest("[data-pan]")) one.scrollIntoView({ block: "nearest", inline: "nearest" });
    look(one, "a target", one.closest("[data-pan]") ? 0 : least);
  }
  for (const one of shown("#actions :is(.quick, .submit) .button, #actions > .quick .stepper :is(button, input)")) look(one, "a button", least);
  for (const id of ["board", "own"]) {
    const area = document.getElementById(id);
    const { top, bottom } = area.getBoundingClientRect();
    if (top < -1 || bottom > innerHeight + 1) tell(area, `${id} outside`);
    if (area.scrollHeight > area.clientHeight + 2 || area.scrollWidth > area.clientWidth + 2) tell(area, `${id} does not fit (${area.scrollWidth}x${area.scrollHeight} in ${area.clientWidth}x${area.clientHeight})`);
  }
  // A word stays whole: no more lines than words, and what stands on a target stays inside it.
  const texts = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const one = text.parentElement, words = text.data.split(/[\s–-]+/).filter(Boolean);
    if (!words.length || one.closest("svg, script, [hidden]") || one.clientWidth === 1 || !seen(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
    let lines = 0, foot = -Infinity;
    for (const box of boxes.sort((one, other) => one.top - other.top)) {
      if (box.top > foot - box.height / 3) lines += 1;
      foot = Math.max(foot, box.bottom);
    }
    if (lines > words.length) tell(one, `${lines} lines for ${words.length} words`);
    const target = one.closest("#fragment button[data-path], #actions .button")?.getBoundingClientRect();
    if (target && boxes.some((box) => box.left < target.left - 3 || box.right > target.right + 3)) {
      tell(one, "text sticks out");
    }
    // Nothing lies over the words of a target, nor over those of a duel between players.
    const over = one.closest("#fragment .can:not([data-pan] *), .middle") && boxes.flatMap((box) => [0.1, 0.9].map((x) =>
      document.elementFromPoint(box.left + x * box.width, box.top + box.height / 2)));
    if (over && over.some((there) => there && !there.contains(one) && !one.contains(there))) tell(one, "text covered");
  }
  const cards = shown(".player"), others = cards.length ? ".player" : document.querySelector(".seat") ? ".seat" : ".stand";
  if (!shown(others).length) wrong.push("nobody else is shown");
  const strip = phone && others === ".player";
  for (const one of shown(strip ? ".player .who .avatar, .player .who + * .avatar" : `${others} .name`)) strip ? look(one, "a face") : whole(one, "a name");
  for (const one of shown(`${others} :is(.points, .score)`)) look(one, "a score");
  // The arrow of whose turn it is lies on the face, beside the name and the score.
  for (const arrow of shown(".player .to-act:not(.broke)")) {
    const { left, right, top, bottom } = arrow.getBoundingClientRect();
    const texts = [...arrow.closest("header").querySelectorAll(".name, .away, .start, .points, .tokens")].map((one) => [one, one.getBoundingClientRect()]);
    for (const [one, box] of texts) if (box.left < right && box.right > left && box.top < bottom && box.bottom > top) tell(one, "the arrow lies on it");
  }
  return wrong;
}
