"""Reads what the slides of a show say, to find a slide that tells what a later one reveals."""

import re
from html.parser import HTMLParser

INLINE = {"b", "bdi", "i", "em", "span", "strong", "small", "a", "svg", "use", "img"}
READ = ("alt", "title", "aria-label", "content")
FACTS = {
    "tokens": r"tokens? of life",
    "candidate": r"candidate",
    "opponent": r"opponent|challenged .* to the death match",
    "elimination": r"eliminated|\bout\b|\blost\b|\bleaves\b",
    "winners": r"\bwon\b|\bwins\b|winner",
    "champion": r"\bwon\b|\bwins\b|winner",
}
"""By the kind of slide that reveals it: how a sentence tells the fact."""


class _Reader(HTMLParser):
    """Collects the texts of a page, one for each block, and those of attributes that are read aloud or previewed."""

    def __init__(self):
        super().__init__()
        self.texts, self._hidden = [""], 0

    def handle_starttag(self, tag, attrs):
        self.texts += [value for name, value in attrs if value and (name in READ or name.startswith("data-"))]
        self._hidden += tag in ("script", "style")
        if tag not in INLINE:
            self.texts.append("")

    def handle_endtag(self, tag):
        self._hidden -= tag in ("script", "style")
        if tag not in INLINE:
            self.texts.append("")

    def handle_data(self, data):
        if not self._hidden:
            self.texts[-1] += data


def texts(page):
    """Return the texts of a page, tidied."""
    reader = _Reader()
    reader.feed(page)
    return [text for text in (re.sub(r"\s+", " ", text).strip() for text in reader.texts) if text]


def kind(page):
    return re.search(r'data-slide="([\w-]+)"', page)[1]


def revealed(page, names):
    """Return those of the names that a slide has faces or a quotation of, without those in its menu."""
    return [name for name in names if name in re.findall(r'<span class="name">\s*<bdi>([^<]*)', page)]


def spoilers(pages, names):
    """Return (slide, what it tells, the slide that reveals it) of every text before the slide that reveals a fact."""
    return [
        (at, text, later)
        for later, page in enumerate(pages)
        if kind(page) in FACTS
        for who in revealed(page, names)
        for at, earlier in enumerate(pages[:later])
        for text in texts(earlier)
        if who in text and re.search(FACTS[kind(page)], text, re.I)
    ]
