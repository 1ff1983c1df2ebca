"""A report in the browser: on every screen the words of its charts are whole and none lies on another."""

from __future__ import annotations

import pytest
from tests.web.helpers.browsing import browsing

from pyramidion import lab

pytestmark = pytest.mark.browser
WORDS = """() => [...document.querySelectorAll("svg:not(.card) text")].map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const inside = text.closest("svg").getBoundingClientRect();
    const whole = left >= inside.left - 1 && right <= inside.right + 1 && bottom <= inside.bottom + 3;
    return { text: text.firstChild.textContent, left, right, top, bottom, whole };
}).filter((one) => one.right > one.left)"""


def overlap(first: dict, second: dict) -> bool:
    """Return whether two texts lie on each other; letters do not fill the upper and lower quarter of their box."""
    quarter = (first["bottom"] - first["top"]) / 4
    return (
        min(first["right"], second["right"]) - max(first["left"], second["left"]) > 0
        and min(first["bottom"], second["bottom"]) - max(first["top"], second["top"]) > quarter
    )


def test_the_words_of_charts_are_whole_and_apart(tmp_path):
    metrics = ("wins", "points", "length", "endings", "actions")
    result = lab.experiment("pyramid-scheme", games=400, against={"start": "random"}, metrics=metrics)
    result.report(tmp_path / "report.html")
    with browsing() as browser:
        for width in (390, 1280):
            with browser.new_context(viewport={"width": width, "height": 844}) as context:
                check(context.new_page(), (tmp_path / "report.html").as_uri(), width)


def check(page, address, width):
    page.goto(address)
    words = page.evaluate(WORDS)
    assert {"first to act", "decisions"} < {word["text"] for word in words}
    assert [word["text"] for word in words if not word["whole"]] == []
    pairs = [(word, other) for n, word in enumerate(words) for other in words[:n] if overlap(word, other)]
    assert [(word["text"], other["text"]) for word, other in pairs] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
