// Zooms content that is larger than its frame (data-zoom, around a scrolling [data-pan]) by buttons, two fingers, Ctrl and wheel, or
// + - 0 on the keyboard. Styles read the factor as --z; 1 fits the frame, or is as small as stays legible. The browser does the scrolling.
const MOST = 4;
const opened = new WeakSet();

const frameOf = (target) => target.closest?.("[data-zoom]");
const factor = (frame) => Number(frame.style.getPropertyValue("--z") || 1);

// The factor at which everything fits.
function least(frame) {
  const { clientWidth, clientHeight, scrollWidth, scrollHeight } = frame.querySelector("[data-pan]");
  return Math.min(1, factor(frame) * Math.min(clientWidth / scrollWidth, clientHeight / scrollHeight));
}

// Sets the factor and keeps the content at a point of the window in place.
function zoom(frame, wanted, at = null) {
  const pan = frame.querySelector("[data-pan]"), box = pan.getBoundingClientRect();
  const z = Math.min(MOST, Math.max(least(frame), wanted)), before = { width: pan.scrollWidth, height: pan.scrollHeight };
  const x = at ? at.x - box.left : box.width / 2, y = at ? at.y - box.top : box.height / 2;
  const across = (pan.scrollLeft + x) / before.width, down = (pan.scrollTop + y) / before.height;
  frame.style.setProperty("--z", String(z));
  pan.scrollLeft = across * pan.scrollWidth - x;
  pan.scrollTop = down * pan.scrollHeight - y;
  settle(frame);
}

function settle(frame) {
  const z = factor(frame), smallest = least(frame) + 0.01;
  for (const button of frame.querySelectorAll("[data-zoom-by]")) button.disabled = Number(button.dataset.zoomBy) > 1 ? z >= MOST : z <= smallest;
}

// Scrolls to what can be chosen, where none of it is in sight.
function reveal(frame) {
  const box = frame.querySelector("[data-pan]").getBoundingClientRect(), choices = [...frame.querySelectorAll(".can")];
  const inside = (piece) => {
    const { left, right, top, bottom } = piece.getBoundingClientRect();
    return left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom;
  };
  if (choices.length && !choices.some(inside)) choices[0].scrollIntoView({ block: "nearest", inline: "nearest" });
}

// After a new position: updates the buttons, and begins in the middle.
export function settleZoom() {
  for (const frame of document.querySelectorAll("[data-zoom]")) {
    const pan = frame.querySelector("[data-pan]");
    if (!opened.has(frame)) pan.scrollLeft = (pan.scrollWidth - pan.clientWidth) / 2;
    opened.add(frame);
    settle(frame);
    reveal(frame);
  }
}
// What is picked says what can follow.
document.addEventListener("click", () => requestAnimationFrame(() => { for (const frame of document.querySelectorAll("[data-zoom]")) reveal(frame); }));

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-zoom-by]");
  if (!button) return;
  const frame = frameOf(button), by = Number(button.dataset.zoomBy);
  zoom(frame, factor(frame) * by);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const frame = event.target.closest?.("[data-pan]") ? frameOf(event.target) : null;
  if (!frame) return;
  if (event.key === "+" || event.key === "=") zoom(frame, factor(frame) * 1.4);
  else if (event.key === "-") zoom(frame, factor(frame) / 1.4);
  else if (event.key === "0") zoom(frame, 0);
  else return;
  event.preventDefault();
});

document.addEventListener("wheel", (event) => {
  const frame = event.ctrlKey ? frameOf(event.target) : null;
  if (!frame) return;
  event.preventDefault();
  zoom(frame, factor(frame) * Math.exp(-event.deltaY / 300), { x: event.clientX, y: event.clientY });
}, { passive: false });

let pinch = null;
const apart = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
const middle = ([a, b]) => ({ x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 });

document.addEventListener("touchstart", (event) => {
  const frame = event.touches.length === 2 ? frameOf(event.target) : null;
  pinch = frame && { frame, z: factor(frame), apart: apart(event.touches), at: middle(event.touches) };
  if (pinch) event.preventDefault();
}, { passive: false });
document.addEventListener("touchmove", (event) => {
  if (!pinch || event.touches.length !== 2) return;
  event.preventDefault();
  const at = middle(event.touches), pan = pinch.frame.querySelector("[data-pan]");
  zoom(pinch.frame, pinch.z * apart(event.touches) / pinch.apart, at);
  pan.scrollLeft -= at.x - pinch.at.x;
  pan.scrollTop -= at.y - pinch.at.y;
  pinch.at = at;
}, { passive: false });
for (const end of ["touchend", "touchcancel"]) document.addEventListener(end, () => { pinch = null; });
