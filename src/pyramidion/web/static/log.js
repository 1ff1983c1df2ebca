// The log grows by the latest events that come with each position; what was missed is asked for. New lines are read out.
const page = document.getElementById("main").dataset;
const list = document.querySelector("#log ol");
let last = Number(list.firstElementChild?.dataset.event ?? -1);
let asking = false;

function add(lines) {
  const news = [];
  for (const line of lines) {
    const number = Number(line.dataset.event);
    if (number <= last) continue;
    last = number;
    const copy = line.cloneNode(true);
    copy.classList.add("fresh");
    list.prepend(copy);
    news.push(copy.textContent.trim());
  }
  if (news.length) document.getElementById("live").textContent = news.slice(-4).join(" ");
}

export async function merge() {
  const lines = [...document.querySelectorAll("#recent > li")];
  if (!lines.length || asking) return;
  if (Number(lines[0].dataset.event) > last + 1) {
    asking = true;
    const before = last;
    try {
      const answer = await fetch(`/t/${page.table}/log?since=${last + 1}`);
      if (answer.ok) {
        const holder = document.createElement("template");
        holder.innerHTML = await answer.text();
        add(holder.content.querySelectorAll("li"));
      }
    } catch { /* the next position asks again */ } finally { asking = false; }
    // What has come meanwhile.
    if (last > before) merge();
    return;
  }
  add(lines);
}

const drawer = document.getElementById("log"), opener = document.getElementById("log-open"), closer = document.getElementById("log-close");
function open(yes) {
  drawer.classList.toggle("open", yes);
  opener.setAttribute("aria-expanded", String(yes));
  closer.hidden = !yes;
  (yes ? closer : opener).focus();
}
opener.addEventListener("click", () => open(!drawer.classList.contains("open")));
closer.addEventListener("click", () => open(false));
drawer.addEventListener("keydown", (event) => { if (event.key === "Escape" && drawer.classList.contains("open")) open(false); });
