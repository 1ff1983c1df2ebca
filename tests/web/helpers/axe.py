"""Helpers of the tests in `browser/test_axe.py`, which other tests use, too."""

from pathlib import Path

import axe_playwright_python

AXE = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text("utf-8")


# What stands at the edge of the window while one scrolls covers what axe looks at; and colours that are just changing
# are neither the old nor the new ones.
STILL = """async () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".status, .top, .action-panel, .dock, #start { position: static !important }");
    document.adoptedStyleSheets = [sheet];
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(document.getAnimations().map((one) => one.finished));
}"""


# In the second look only colours are others, and the rules about them take more than half of the time.
OF_COLOURS = ["color-contrast", "link-in-text-block"]


FOUND = """async (runOnly) => (await axe.run(document, { resultTypes: ["violations"], ...(runOnly && { runOnly }) }))
    .violations.filter((one) => ["serious", "critical"].includes(one.impact))
    .flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 200)}: ${node.failureSummary}`))"""


def nothing_serious(page, where):
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    for look, rules in (("light", None), ("dark", OF_COLOURS)):
        page.emulate_media(color_scheme=look, reduced_motion="reduce")
        page.evaluate(STILL)
        assert page.evaluate(FOUND, rules) == [], (where, look)
