// The countdown before hands are revealed: the words of the call light up one by one; on the last one the hands appear.
import { run } from "./timeline.js";

const BEAT = 500; // milliseconds, as on the server

// Resolves on the last beat, which is `left` milliseconds away, or when something else ends the countdown.
export function countIn({ left, beats }) {
  const words = document.querySelectorAll("#fragment [data-beats] > *");
  if (words.length !== beats) return null;
  const light = (beat) => words.forEach((word, n) => word.classList.toggle("now", n === beat));
  const timers = Array.from({ length: beats - 1 }, (_, beat) => setTimeout(() => light(beat), left - (beats - 1 - beat) * BEAT));
  return new Promise((next) => { run("countdown", left, () => { timers.forEach(clearTimeout); next(); }); });
}
