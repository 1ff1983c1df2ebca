// Times in the reader's time zone: `when` of pages/page.py writes them as <time datetime>.
const format = new Intl.DateTimeFormat(document.documentElement.lang || undefined, { dateStyle: "medium", timeStyle: "short" });

export function localise(root) {
  for (const one of root.querySelectorAll("time[datetime]")) {
    const local = format.format(new Date(one.dateTime));
    if (one.textContent === local) continue;
    one.title = one.textContent;
    one.textContent = local;
  }
}
