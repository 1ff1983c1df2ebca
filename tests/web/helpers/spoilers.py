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

MATCH = ("match", "live", "no-table", "own", "submissions", "scores", "board")
"""The kinds of slides that show a match, up to its end."""


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


def _match_of(page):
    """Return the part of the episode that a slide belongs to, and its table if it is that of one table."""
    marks = [re.search(rf'data-{mark}="([\w-]+)"', page.split("</main>")[0]) for mark in ("part", "match")]
    return tuple(mark[1] if mark else None for mark in marks)


def _same_match(result, page):
    """Return whether a slide shows the match, or one of the matches, that another slide tells the result of."""
    (part, table), (other, at) = _match_of(result), _match_of(page)
    return kind(page) in MATCH and part is not None and part == other and table in (None, at)


def early_results(pages):
    """Return (slide, what it is, a later slide of the match that it tells the result of)."""
    return [
        (at, kind(page), later)
        for at, page in enumerate(pages)
        if kind(page) in FACTS and kind(page) != "opponent"
        for later in range(at + 1, len(pages))
        if _same_match(page, pages[later])
    ]


def spoilers(pages, names):
    """Return (slide, what it tells, the slide that reveals it) of every text before the slide that reveals a fact.

    The result of a match is revealed by its end. Slides that tell a result before it are spoilers, too.
    """
    found = early_results(pages)
    for later, page in enumerate(pages):
        if kind(page) not in FACTS:
            continue
        ends = [at for at in range(later) if _same_match(page, pages[at])] if kind(page) != "opponent" else []
        reveals = ends[-1] if ends else later
        found += [
            (at, text, later)
            for who in revealed(page, names)
            for at, earlier in enumerate(pages[:reveals])
            for text in texts(earlier)
            if who in text and re.search(FACTS[kind(page)], text, re.I)
        ]
    return found
