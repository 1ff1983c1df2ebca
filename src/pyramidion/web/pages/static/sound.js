// One soft tap when it becomes my turn; off until asked for.
const button = document.getElementById("sound");
let on = false, mine = false, context = null;
try { on = localStorage.getItem("sound") === "on"; } catch { /* off */ }
button.setAttribute("aria-pressed", String(on));

function tap() {
  context ??= new AudioContext();
  const now = context.currentTime, tone = context.createOscillator(), gain = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(520, now);
  tone.frequency.exponentialRampToValueAtTime(260, now + .12);
  gain.gain.setValueAtTime(.0001, now);
  gain.gain.exponentialRampToValueAtTime(.08, now + .01);
  gain.gain.exponentialRampToValueAtTime(.0001, now + .25);
  tone.connect(gain).connect(context.destination);
  tone.start(now);
  tone.stop(now + .3);
}

export function listen() {
  const now = document.getElementById("fragment").dataset.mine === "1";
  if (on && now && !mine) tap();
  mine = now;
}

button.addEventListener("click", () => {
  on = !on;
  button.setAttribute("aria-pressed", String(on));
  try { localStorage.setItem("sound", on ? "on" : "off"); } catch { /* lasts for this page */ }
  if (on) tap();
});
