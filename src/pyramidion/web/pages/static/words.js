// Translated texts of scripts: _("Reconnected."), count("{n} card", "{n} cards", 3), fill(_("{name} left."), { name }).
const known = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

export const _ = (text) => known[text] || text;
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => name in values ? String(values[name]) : whole);

export function ngettext(one, many, n) {
  const forms = known[one];
  if (!Array.isArray(forms)) return n === 1 ? one : many;
  return forms[known[""][n < 200 ? n : 100 + (n % 100)]];
}
