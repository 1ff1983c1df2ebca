// The lab: cards are drawn anew as they are edited, and the figures of a run are brought up to date until it is over.
import { morph, parse } from "./morph.js";

const order = document.getElementById("order"), figures = document.getElementById("figures");
const LATER = 250, EVERY = 800;
const waiting = new Map();

async function draw(card) {
  const values = new URLSearchParams();
  for (const input of card.querySelectorAll("[name]")) values.set(input.name, input.value);
  const answer = await fetch(`/lab/${order.dataset.game}/cards/${card.dataset.card}?${values}`).catch(() => null);
  // A value that cannot be read keeps the old drawing; the server says what is wrong when the form is sent.
  if (answer?.ok) card.querySelector(".drawing").innerHTML = await answer.text();
}

order.addEventListener("input", (event) => {
  const card = event.target.closest("[data-card]");
  if (!card) return;
  card.classList.toggle("changed", [...card.querySelectorAll("[data-printed]")].some((one) => one.value !== one.dataset.printed));
  clearTimeout(waiting.get(card));
  waiting.set(card, setTimeout(draw, LATER, card));
});

async function look() {
  const answer = await fetch(`/lab/runs/${figures.dataset.run}`).catch(() => null);
  if (answer?.status === 404) return;
  if (answer?.ok) morph(figures, parse(`<div id="figures" data-run="${figures.dataset.run}">${await answer.text()}</div>`));
  if (figures.querySelector("[data-state=over]")) document.getElementById("stop")?.remove();
  else setTimeout(look, EVERY);
}

if (figures?.querySelector("[data-state=running]")) setTimeout(look, EVERY);
