// Soft synthesised sounds: a tap at the start of the viewer's turn, a tick for an event, a low chord for a big event, and a
// rising chord at the end. Off by default.
const button = document.getElementById("sound");
let on = false, mine = false, context = null;
let over = document.getElementById("fragment").classList.contains("over");
try { on = localStorage.getItem("sound") === "on"; } catch { /* off */ }
button.setAttribute("aria-pressed", String(on));

// One note: from a frequency to another in hertz, its loudness, its length and when it begins, in seconds.
function note(from, to, { loud = .08, long = .25, after = 0, type = "triangle" } = {}) {
  context ??= new AudioContext();
  const now = context.currentTime + after, tone = context.createOscillator(), gain = context.createGain();
  tone.type = type;
  tone.frequency.setValueAtTime(from, now);
  tone.frequency.exponentialRampToValueAtTime(to, now + long / 2);
  gain.gain.setValueAtTime(.0001, now);
  gain.gain.exponentialRampToValueAtTime(loud, now + .01);
  gain.gain.exponentialRampToValueAtTime(.0001, now + long);
  tone.connect(gain).connect(context.destination);
  tone.start(now);
  tone.stop(now + long + .05);
}

const tap = () => note(520, 260);
const beats = {
  line: () => note(900, 700, { loud: .025, long: .07, type: "sine" }),
  big: () => [196, 247, 294].forEach((from, n) => note(from, from, { loud: .045, long: .7, after: n * .05, type: "sine" })),
};
const end = () => [262, 330, 392, 523].forEach((from, n) => note(from, from, { loud: .06, long: .6, after: n * .14 }));

addEventListener("beat", ({ detail }) => { if (on) beats[detail.stage ? "big" : "line"](); });

export function listen() {
  const now = document.getElementById("fragment").dataset.mine === "1";
  const { classList, dataset } = document.getElementById("fragment"), ended = classList.contains("over");
  if (on && now && !mine) tap();
  if (on && ended && !over && dataset.past === undefined) end();
  mine = now;
  if (dataset.past === undefined) over = ended;
}

button.addEventListener("click", () => {
  on = !on;
  button.setAttribute("aria-pressed", String(on));
  try { localStorage.setItem("sound", on ? "on" : "off"); } catch { /* lasts for this page */ }
  if (on) tap();
});
