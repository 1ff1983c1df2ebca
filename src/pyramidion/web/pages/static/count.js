// The countdown before hands are revealed: the words of the call light up one by one; on the last one the hands appear.
const BEAT = 500; // milliseconds, as on the server
let stop = () => {};

export const stopCount = () => stop("stopped");

// Resolves on the last beat, or at once if the page is hidden. `due` is in the browser's running time.
export async function countIn({ due, beats }) {
  const words = document.querySelectorAll("#fragment [data-beats] > *");
  if (document.hidden || words.length !== beats) return;
  const stopped = new Promise((resolve) => { stop = resolve; });
  const hidden = () => { if (document.hidden) stop("stopped"); };
  document.addEventListener("visibilitychange", hidden);
  for (let beat = 0; beat < beats - 1; beat++) {
    words.forEach((word, n) => word.classList.toggle("now", n === beat));
    const wait = due - (beats - 2 - beat) * BEAT - performance.now();
    if (wait > 0 && await Promise.race([stopped, new Promise((next) => { setTimeout(next, wait); })]) === "stopped") break;
  }
  document.removeEventListener("visibilitychange", hidden);
}
