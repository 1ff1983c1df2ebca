// The texts on a page that are too faint for WCAG AA (4.5 to 1, large ones 3 to 1), as a list of sentences.
() => {
    const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return { r, g, b, a }; };
    const linear = (v) => v / 255 <= .03928 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4;
    const light = ({ r, g, b }) => .2126 * linear(r) + .7152 * linear(g) + .0722 * linear(b);
    const over = (top, under) => ({ r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a),
        b: top.b * top.a + under.b * (1 - top.a), a: 1 });
    const ground = (element) => {
        const layers = [];
        for (let e = element; e; e = e.parentElement) {
            const layer = parse(getComputedStyle(e).backgroundColor);
            if (layer.a) layers.push(layer);
            if (layer.a === 1) break;
        }
        return layers.reduceRight((under, top) => over(top, under), { r: 255, g: 255, b: 255, a: 1 });
    };
    const poor = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || element.closest("svg, noscript, script, [hidden], .sr")) continue;
        const box = element.getBoundingClientRect();
        if (!box.width || !box.height || !element.checkVisibility()) continue;
        const style = getComputedStyle(element);
        const back = ground(element), front = over(parse(style.color), back);
        const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
        const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const ratio = (a + .05) / (b + .05);
        if (ratio < (large ? 3 : 4.5)) poor.push(`${element.className || element.tagName}: ${texts.currentNode.data.trim()} ${ratio.toFixed(2)}`);
    }
    return poor;
}
