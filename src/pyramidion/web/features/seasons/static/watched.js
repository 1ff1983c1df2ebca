// Which episodes this browser has watched to their end. The season's page marks them, and shows the results of the newest one.
const stored = (season) => { try { return JSON.parse(localStorage.getItem(`watched ${season}`)) ?? []; } catch { return []; } };

export function remember(end) {
  if (!end) return;
  const numbers = end.dataset.seen.split(" ").filter(Boolean).map(Number);
  const all = [...new Set([...stored(end.dataset.season), ...numbers])];
  try { localStorage.setItem(`watched ${end.dataset.season}`, JSON.stringify(all)); } catch { /* not remembered */ }
}

function mark() {
  for (const sign of document.querySelectorAll("[data-watched]")) {
    const [season, number] = sign.dataset.watched.split(" ");
    sign.hidden = !stored(season).includes(Number(number));
  }
}

mark();
addEventListener("news", mark);
// Only as the page opens: results that somebody folds stay folded.
for (const results of document.querySelectorAll("details[data-results-of]")) {
  const [season, number] = results.dataset.resultsOf.split(" ");
  if (stored(season).includes(Number(number))) results.open = true;
}
