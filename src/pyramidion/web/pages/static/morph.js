// Updates an old tree to equal a new one but keeps the elements that are in both, with their focus, scroll position and open
// drawers. Elements are matched by id or data-key, else by order and tag. Elements that scripts fill (data-live) are kept, and
// so are those for which `keeps(old, fresh)` is true.

const key = (node) => node.nodeType === 1 ? node.id || node.dataset.key || "" : "";

function alike(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && !key(a) && !key(b);
}

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (name === "style" || (name === "open" && old.id)) continue;
    if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name === "open" && old.id) continue;
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

export function morph(old, fresh, keeps = () => false) {
  if (old.nodeType !== 1) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.dataset.live !== undefined && fresh.dataset.live !== undefined || keeps(old, fresh)) return;
  attributes(old, fresh);
  const keyed = new Map();
  for (const child of old.childNodes) if (key(child)) keyed.set(key(child), child);
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const name = key(wanted);
    let match = null;
    if (name) {
      const found = keyed.get(name);
      if (found && found.nodeName === wanted.nodeName) match = found;
    } else {
      while (at && key(at) && !keyed.has(key(at))) at = at.nextSibling;
      let probe = at;
      while (probe && !alike(probe, wanted)) probe = probe.nextSibling;
      match = probe;
    }
    if (!match) {
      old.insertBefore(wanted, at);
      continue;
    }
    keyed.delete(name);
    if (match === at) at = at.nextSibling;
    else old.insertBefore(match, at);
    morph(match, wanted, keeps);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

export function parse(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content.firstElementChild;
}
