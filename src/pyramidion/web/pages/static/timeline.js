// The timeline of what moves: tracks (pieces that glide, a stage, a countdown), each with an end. The board is already as it
// will be, so nothing waits for a track, and any input ends all of them and is what it is.
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const SPEEDS = { slow: 1.5, normal: 1, fast: 0.5, off: 0 };
export const MOST = 2000, READING = 900; // milliseconds in which one update has been told; to read one caption in a replay
export const INPUTS = ["pointerdown", "keydown", "wheel"];
const tracks = new Map();

export const outlined = () => calm.matches;
export const pace = () => document.hidden ? 0 : SPEEDS[speed()];
export const telling = () => tracks.size > 0;

export function speed() {
  let wish = null;
  try { wish = localStorage.getItem("speed"); } catch { /* normal */ }
  return wish in SPEEDS ? wish : "normal";
}

export function choose(wish) {
  try { localStorage.setItem("speed", wish); } catch { /* normal it stays */ }
  if (wish === "off") finish();
}

// Runs a track for a time; `end` removes what it has drawn.
export function run(track, milliseconds, end) {
  stop(track);
  tracks.set(track, { end, timer: setTimeout(() => stop(track), milliseconds) });
  document.body.dataset.telling = [...tracks.keys()].join(" ");
}

export function stop(track) {
  const { end, timer } = tracks.get(track) ?? {};
  if (!end) return;
  clearTimeout(timer);
  tracks.delete(track);
  end();
  if (tracks.size) document.body.dataset.telling = [...tracks.keys()].join(" ");
  else {
    delete document.body.dataset.telling;
    dispatchEvent(new Event("told"));
  }
}

export function finish() {
  for (const track of [...tracks.keys()]) stop(track);
}

// Resolves when everything has been told; `looked` also leaves the time to read a sentence.
export const told = () => new Promise((next) => { if (telling()) addEventListener("told", next, { once: true }); else next(); });
export const looked = () => Promise.all([told(), new Promise((next) => { setTimeout(next, Math.max(250, READING * pace())); })]);

for (const input of INPUTS) document.addEventListener(input, finish, { capture: true, passive: true });
document.addEventListener("visibilitychange", () => { if (document.hidden) finish(); });
