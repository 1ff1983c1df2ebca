// Times in the reader's time zone: `when` of pages/page.py writes them as <time datetime>, templates/times.html as fields of forms.
const format = new Intl.DateTimeFormat(document.documentElement.lang || undefined, { dateStyle: "medium", timeStyle: "short" });
const reported = Intl.DateTimeFormat().resolvedOptions().timeZone;
const zone = reported && reported !== "Etc/Unknown" ? reported : "UTC";
const MINUTE = 60000;

export function localise(root) {
  for (const one of root.querySelectorAll("time[datetime]")) {
    const local = format.format(new Date(one.dateTime));
    if (one.textContent === local) continue;
    one.title = one.textContent;
    one.textContent = local;
  }
  for (const words of root.querySelectorAll("span[data-zone]")) words.textContent = zone;
  for (const field of root.querySelectorAll("input[name=zone][type=hidden]")) field.value = zone;
  for (const field of root.querySelectorAll("input[type=datetime-local][data-at]")) {
    const at = Number(field.dataset.at);
    field.defaultValue = new Date(at - new Date(at).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
  }
}
