"""Golden pages of what the table says under each value of each option: `python -m tests.games.telling_options`.

Every game declares in its `option_cases.py` for each of its options two values and the moments at which they differ.
At each moment the prompt, the previews, the log and the board are rendered under both values and laid side by side in
`options_told.txt`, for a reader to compare with the rule that the option changes.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from tests.games.drawing import NAMES, drawn

from pyramidion import Game, Match
from pyramidion.engine import registry

FOLDER = Path(__file__).parent
COMMAND = "python -m tests.games.telling_options"


class Moment(NamedTuple):
    """A position to render: what it is, the match, and who looks (None: a spectator)."""

    title: str
    match: Match
    viewer: int | None


@dataclass(frozen=True)
class Case:
    """How one option is shown.

    Attributes:
        values: two values of the option, the default first.
        moments: returns the moments under one of the values; both values have the same moments.
    """

    values: tuple[Any, Any]
    moments: Callable[[Any], Iterable[Moment]]


def folder_of(game: Game) -> Path:
    """Return the folder of a game's tests."""
    return FOLDER / game.folder.name


def cases_of(game: Game) -> dict[str, Case]:
    """Return a game's cases by option."""
    return importlib.import_module(f"tests.games.{game.folder.name}.option_cases").CASES


def own_games() -> list[Game]:
    """Return the project's own games."""
    return [registry.load(game_id) for game_id in registry.own_ids()]


# What a page says


BREAKS = frozenset(
    """article button caption dd details div dl dt fieldset form h1 h2 h3 header label legend li ol p section summary
    table td text th tr ul""".split()  # noqa: SIM905
)
MUTE = frozenset(("defs", "style", "template", "title"))
EMPTY = frozenset(("br", "hr", "img", "input", "link", "meta", "use", "path", "circle", "rect", "line", "polygon"))
AREAS = {
    "status": "prompt",
    "actions": "prompt",
    "result": "board",
    "board": "board",
    "own": "board",
    "others": "board",
}


class _Reader(HTMLParser):
    """Collects the lines of text of a fragment by area, as a person reads them; events are read from the log itself."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: dict[str, list[str]] = {"prompt": [], "preview": [], "board": []}
        self._open: list[tuple[str, str, bool]] = []
        self._words: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in BREAKS or tag == "br":
            self._end_line()
        elif tag in ("b", "small", "span"):
            self._words.append(" ")
        if tag in EMPTY:
            if tag == "input" and given.get("type") == "number":
                self._words.append(f"[{given.get('value')}, at most {given.get('max')}]")
            return
        area, mute = (self._open[-1][1:]) if self._open else ("", False)
        area = AREAS.get(given.get("id") or "", area)
        if "previews" in (given.get("class") or "").split():
            area = "preview"
        mute = mute or tag in MUTE or "lately" in (given.get("class") or "").split()
        self._open.append((tag, area, mute))

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Skip an empty element of a drawing."""

    def handle_endtag(self, tag: str) -> None:
        if tag in EMPTY:
            return
        if tag in BREAKS:
            self._end_line()
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open and not self._open[-1][2]:
            self._words.append(data)

    def _end_line(self) -> None:
        line = " ".join("".join(self._words).split())
        self._words = []
        if line and self._open and self._open[-1][1]:
            self.lines[self._open[-1][1]].append(line)


def said(moment: Moment) -> dict[str, list[str]]:
    """Return what a moment's viewer reads: the lines of the prompt, the previews, the log and the board."""
    reader = _Reader()
    reader.feed(drawn(moment.match, moment.viewer))
    reader.close()
    names = NAMES[: moment.match.seats]
    events = moment.match.events(moment.viewer, names=names)
    last = events[-1].position if events else 0
    log = [f"{event.rule}  {event.text}" for event in events if event.position == last]
    lines = reader.lines
    return {"prompt": lines["prompt"], "preview": lines["preview"], "log": log, "board": lines["board"]}


def compared(one: Sequence[str], other: Sequence[str], *, whole: bool) -> list[str]:
    """Return two texts as one: lines of the first only with `-`, of the second only with `+`, the rest if `whole`."""
    lines: list[str] = []
    for kind, i, j, k, m in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += [f"    {line}" for line in one[i:j]] if whole else []
        else:
            lines += [f"  - {line}" for line in one[i:j]] + [f"  + {line}" for line in other[k:m]]
    return lines


def page_of(case: Case, name: str, game: Game) -> tuple[list[str], bool]:
    """Return the lines about an option, and whether its two values are told apart anywhere."""
    option, (first, second) = game.options[name], case.values
    lines = [f"{name} ({game.prefix} {option.rule}), {option.label}", f"  - {first!r}", f"  + {second!r}"]
    differ = False
    for one, other in zip(case.moments(first), case.moments(second), strict=True):
        assert (one.title, one.viewer) == (other.title, other.viewer)
        lines += ["", f"  {one.title}; {'a spectator' if one.viewer is None else NAMES[one.viewer]} reads:"]
        before, after = said(one), said(other)
        for area in before:
            found = compared(before[area], after[area], whole=area != "board")
            differ |= before[area] != after[area]
            lines += [f"  {area}", *found] if found else []
    return lines, differ


def text_of(game: Game) -> str:
    """Return the contents of a game's golden page."""
    lines = [f"{game.name}: what the table says under two values of each option. Written by {COMMAND}."]
    for name, case in cases_of(game).items():
        lines += ["", "", *page_of(case, name, game)[0]]
    return re.sub(r"[ \t]+$", "", "\n".join(lines), flags=re.MULTILINE) + "\n"


def main(games: Sequence[str]) -> None:
    """Write the golden pages of all games, or of those named."""
    for game in own_games():
        if not games or game.id in games:
            (folder_of(game) / "options_told.txt").write_text(text_of(game), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
