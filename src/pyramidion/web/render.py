"""Text of pages and boards: one Jinja environment, and the fragment that shows one viewer one position of a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, FunctionLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup, escape

from pyramidion import words
from pyramidion.engine import registry
from pyramidion.web.keeping import Kept

HERE = Path(__file__).parent
RECENT = 12  # events carried by a fragment; a page that missed more asks for the rest of the log
DICT: type = dict  # by another name, since a checker takes `dict` itself for one of unknown values
RULE = re.compile(r"\b([A-Z]{2}) (\d+(?:\.\d+)?)\b")


class Doable(Protocol):
    """What the pages need to know of a legal action; `low` and `high` where it stands for a whole run of numbers."""

    text: str
    family: str
    label: str
    path: Sequence[str]
    low: int | None
    high: int | None


@dataclass(slots=True)
class Number:
    """A family whose actions are one whole number: `family low` to `family high`; its field begins with `value`."""

    family: str
    low: int
    high: int
    value: int


@dataclass(slots=True)
class Acts:
    """A viewer's legal actions, sorted for the page: number fields, single buttons, lists by family."""

    numbers: list[Number] = field(default_factory=list[Number])
    quick: list[Doable] = field(default_factory=list[Doable])
    groups: list[tuple[str, list[Doable]]] = field(default_factory=list[tuple[str, list[Doable]]])
    count: int = 0

    @property
    def number(self) -> Number | None:
        """The first number field."""
        return self.numbers[0] if self.numbers else None

    @property
    def any(self) -> bool:
        """Whether there is anything to do."""
        return self.count > 0


def sort_actions(legal: Iterable[Doable], saved: Sequence[str] = ()) -> Acts:
    """Sort a legal list for the page. A family of numbers, whole or number by number, becomes a number field.

    `saved` are the notations of parts that are saved: their fields begin with what they say.
    """
    acts = Acts()
    known = {family: int(number) for family, _, number in (text.partition(" ") for text in saved) if number.isdigit()}
    fields: dict[str, Number] = {}
    groups: dict[str, list[Doable]] = {}
    for action in legal:
        acts.count += 1
        path = action.path
        low, high = _numbers(action)
        if low is not None and high is not None:
            number = fields.setdefault(action.family, Number(action.family, low, high, low))
            number.low, number.high = min(number.low, low), max(number.high, high)
        elif len(path) == 1 and ":" not in path[0]:
            acts.quick.append(action)
        else:
            groups.setdefault(action.family, []).append(action)
    acts.groups = list(groups.items())
    acts.numbers = list(fields.values())
    for number in acts.numbers:
        number.value = min(max(known.get(number.family, number.low), number.low), number.high)
    return acts


def _numbers(action: Doable) -> tuple[int | None, int | None]:
    if action.low is None and len(action.path) == 2 and action.path[1].isdigit():
        return int(action.path[1]), int(action.path[1])
    return action.low, action.high


@lru_cache(maxsize=8192)
def _cited(text: str, rule: str, game_id: str) -> Markup:
    def link(match: re.Match[str]) -> str:
        prefix, number = match.groups()
        return f'<a class="rule" href="/games/{game_id}/rules#{prefix}-{number}">{prefix} {number}</a>'

    safe = str(escape(text))
    if rule and rule not in text:
        safe += f' <span class="cite">{escape(rule)}</span>'
    # Safe: the sentence was escaped above.
    return Markup(RULE.sub(link, safe))  # noqa: S704


def cite(text: str, rule: str, game: Any) -> Markup:
    """Return the sentence, escaped, its rule numbers as links; `rule` is added when the text does not name it."""
    return _cited(text, rule, game.id)


def short_names(names: Sequence[str]) -> list[str]:
    """Return the names cut to a few letters that still tell the players apart."""
    bare = [name.removeprefix("Bot ") or name for name in names]
    for letters in range(6, 12):
        cut = [name if len(name) <= letters + 1 else f"{name[:letters].rstrip()}…" for name in bare]
        if len({name.casefold() for name in cut}) == len(cut):
            return cut
    return [f"{name[:6].rstrip()}… {seat + 1}" for seat, name in enumerate(bare)]


def titled(title: str, game: Any) -> str:
    """Return a table's title; where nobody gave it one it is the game's name, in the reader's language."""
    return words._(title) if game is not None and title == game.name else title


def picked(names: Sequence[str], seats: Iterable[int]) -> list[str]:
    """Return the names of some seats."""
    return [names[seat] for seat in seats]


def _game_file(name: str) -> tuple[str, str, Callable[[], bool]] | None:
    game_id, _, file = name.partition("/")
    game = registry.all_games().get(game_id)
    if game is None or "/" in file:
        return None
    for folder in (game.folder, game.shared):
        if folder is not None and (path := Path(folder) / file).is_file():
            return path.read_text("utf-8"), str(path), lambda: True
    return None


class Templates(Environment):
    """An environment that looks into dictionaries first: views are made of them, and it saves a third of the time."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return `obj.attribute` of a template."""
        try:
            return obj[attribute] if type(obj) is DICT else super().getattr(obj, attribute)
        except KeyError:
            return super().getattr(obj, attribute)


@lru_cache(maxsize=8192)
def _plain(language: str, text: str) -> Markup:
    """Return a text without places in a language; a percent sign is written twice in templates."""
    with words.speaking(language):
        return Markup(words._(text)) % ()  # noqa: S704  # texts and their translations are ours


def _said(text: str, /, **places: Any) -> Markup:
    """Return a text of a template in the language of the reader, its places filled and escaped."""
    if not places:
        return _plain(words.language(), text)
    return Markup(words._(text)) % places  # noqa: S704


def _environment() -> Environment:
    env = Templates(
        loader=ChoiceLoader([FileSystemLoader(HERE / "templates"), FunctionLoader(_game_file)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.i18n", Kept],
    )
    env.policies["ext.i18n.trimmed"] = True
    translating: Any = env
    translating.install_gettext_callables(
        gettext=words._, ngettext=words.ngettext, pgettext=words.pgettext, newstyle=True
    )
    # Boards have some hundred texts, most of them without places: those are looked up and made safe once.
    translating.globals.update(_=_said, gettext=_said)
    shared: dict[str, Any] = env.globals
    shared.update(language=words.language, languages=words.LANGUAGES, script_words=_script_words)
    filters: dict[str, Any] = env.filters
    filters["cite"] = cite
    filters["translated"] = words._
    filters["titled"] = titled
    filters["whole"] = words.whole
    filters["short_names"] = short_names
    filters["listed"] = words.listed
    filters["picked"] = picked
    filters["family_word"] = words.family_word
    return env


def _script_words() -> Markup:
    """What the scripts of a page say in its language, as JSON that may stand in HTML."""
    return htmlsafe_json_dumps(words.script_words(words.language()))


ENVIRONMENT = _environment()


def render_page(template: str, **context: Any) -> str:
    """A whole page from one of `templates/`."""
    return ENVIRONMENT.get_template(template).render(context)


def render_fragment(snapshot: Any) -> str:
    """Return the table as `snapshot.viewer` may see it, as HTML, made from the snapshot alone."""
    table, view, me, names = snapshot.table, snapshot.view, snapshot.viewer, snapshot.names
    current = snapshot.position_is_current
    acting = snapshot.acting
    first = max(0, len(snapshot.events) - RECENT)
    submission, around = snapshot.submission, getattr(snapshot, "around", None)
    return ENVIRONMENT.get_template(f"{table.game.id}/board.html").render(
        v=view,
        me=me,
        names=names,
        seats=snapshot.seats,
        game=table.game,
        table_id=table.id,
        version=snapshot.version,
        last_position=snapshot.last_position,
        current=current,
        over=snapshot.over,
        outcome=snapshot.outcome,
        told=snapshot.events,
        mine=current and me is not None and me in acting and not (around and around.paused),
        around=around,
        acting=acting,
        waiting=words.listed([names[seat] for seat in acting]),
        acts=sort_actions(snapshot.legal, submission.saved if submission else ())
        if current and me is not None
        else Acts(),
        open_seats=[i for i, seat in enumerate(snapshot.seats) if seat.kind == "open"] if not snapshot.over else [],
        timing=snapshot.timing,
        submission=submission,
        saved=[table.match.label(table.game.actions.parse(text), names) for text in submission.saved]
        if submission
        else [],
        in_parts=any(family.is_part for family in table.game.actions.families.values()),
        confirmed=snapshot.confirmed,
        hints=snapshot.hints,
        queued=snapshot.queued,
        receipt=snapshot.receipt,
        ordered=snapshot.ordered,
        seals=snapshot.seals,
        close_early=submission is None or table.close_early,
        log=[(first + i, event) for i, event in enumerate(snapshot.events[first:])],
    )
