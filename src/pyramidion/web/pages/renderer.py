"""Rendering: the Jinja environment, and the fragment that shows one viewer a position of a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Protocol

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, FunctionLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup, escape

from pyramidion import translation
from pyramidion.engine import registry
from pyramidion.engine.glossary import glossary_of
from pyramidion.web.names import owner_of_bot, profile_path
from pyramidion.web.pages.animations import captions_of, drawn, staged, touched
from pyramidion.web.pages.bidi import isolated, named, with_long_words
from pyramidion.web.pages.fragment_cache import CachedBlocks
from pyramidion.web.table.seats.faces import Face, face_of

HERE = Path(__file__).parent
FEATURES = sorted((HERE.parent / "features").glob("*/templates"))
INSERT_PLACES = ("status", "advice", "tells", "above_actions", "help", "notes", "result", "afterwards")
"""Where features can insert templates into a fragment, from top to bottom."""
RECENT = 12
"""Minimum number of events in a fragment; a page that missed more requests the rest of the log."""
DICT: type = dict  # an alias, because the type checker would infer `dict[Unknown, Unknown]`
RULE = re.compile(r"\b([A-Z]{2}) (\d+(?:\.\d+)?)\b")


@dataclass(frozen=True, slots=True)
class Extras:
    """What features add to every fragment, the HTML of a table for one viewer.

    Attributes:
        values: by template variable, a function of the snapshot that gives its value.
        inserts: by place (`INSERT_PLACES`), the templates to include there.
    """

    values: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict[str, Callable[[Any], Any]])
    inserts: Mapping[str, Sequence[str]] = field(default_factory=lambda: dict.fromkeys(INSERT_PLACES, ()))


NO_EXTRAS = Extras()


class OfferedAction(Protocol):
    """A legal action as pages show it; `low` and `high` are set if it stands for a range of numbers."""

    text: str
    family: str
    label: str
    path: Sequence[str]
    low: int | None
    high: int | None


@dataclass(slots=True)
class Number:
    """A number field that stands for a family of actions, from `family low` to `family high`; `value` is preset."""

    family: str
    low: int
    high: int
    value: int


@dataclass(slots=True)
class ActionMenu:
    """A viewer's legal actions, arranged for the page: number fields, single buttons, and lists by family."""

    numbers: list[Number] = field(default_factory=list[Number])
    quick: list[OfferedAction] = field(default_factory=list[OfferedAction])
    groups: list[tuple[str, list[OfferedAction]]] = field(default_factory=list[tuple[str, list[OfferedAction]]])
    count: int = 0

    @property
    def number(self) -> Number | None:
        """The first number field, None without one."""
        return self.numbers[0] if self.numbers else None

    @property
    def any(self) -> bool:
        """Whether the viewer has any legal action."""
        return self.count > 0

    @property
    def only(self) -> OfferedAction | None:
        """The viewer's one legal action; None with several, and for a number, of which there may be a choice."""
        if self.count != 1 or self.numbers:
            return None
        return self.quick[0] if self.quick else self.groups[0][1][0]


def sort_actions(legal: Iterable[OfferedAction], saved: Sequence[str] = ()) -> ActionMenu:
    """Arrange legal actions for the page. A numeric family becomes a number field.

    `saved` are the notations of saved parts of a submission; their fields start with those values.
    """
    menu = ActionMenu()
    parts = (text.partition(" ") for text in saved)
    saved_numbers = {family: int(number) for family, _, number in parts if number.isdigit()}
    fields: dict[str, Number] = {}
    groups: dict[str, list[OfferedAction]] = {}
    for action in legal:
        menu.count += 1
        path = action.path
        low, high = _numbers(action)
        if low is not None and high is not None:
            number = fields.setdefault(action.family, Number(action.family, low, high, low))
            number.low, number.high = min(number.low, low), max(number.high, high)
        elif len(path) == 1 and ":" not in path[0]:
            menu.quick.append(action)
        else:
            groups.setdefault(action.family, []).append(action)
    menu.groups = list(groups.items())
    menu.numbers = list(fields.values())
    for number in menu.numbers:
        number.value = min(max(saved_numbers.get(number.family, number.low), number.low), number.high)
    return menu


def _numbers(action: OfferedAction) -> tuple[int | None, int | None]:
    """Return the lowest and highest number of an action, (None, None) if it has no number."""
    if action.low is None and len(action.path) == 2 and action.path[1].isdigit():
        return int(action.path[1]), int(action.path[1])
    return action.low, action.high


@lru_cache(maxsize=8192)
def _cited(text: str, rule: str, game_id: str) -> Markup:
    """Escape a sentence and link its rule numbers, for `cite`; cached."""

    def link(match: re.Match[str]) -> str:
        """Return a rule number as a link to the rule."""
        prefix, number = match.groups()
        return f'<a class="rule" href="/games/{game_id}/rules#{prefix}-{number}">{prefix} {number}</a>'

    safe = str(escape(text))
    if rule and rule not in text:
        safe += f' <span class="cite">{escape(rule)}</span>'
    # Safe, because the sentence has been escaped above.
    return Markup(RULE.sub(link, safe))  # noqa: S704


def cite(text: str, rule: str, game: Any) -> Markup:
    """Return a sentence as HTML with links to the rules that it mentions; append `rule` if it does not mention it."""
    return _cited(text, rule, game.id)


def short_names(names: Sequence[str]) -> list[str]:
    """Shorten the players' names to a few letters each, so that they still differ."""
    for letters in range(6, 12):
        cut = [name if len(name) <= letters + 1 else f"{name[:letters].rstrip()}…" for name in names]
        if len({name.casefold() for name in cut}) == len(cut):
            return cut
    return [f"{name[:6].rstrip()}… {seat + 1}" for seat, name in enumerate(names)]


def face(seat: Any, name: str) -> Face:
    """Return the face of the avatar of a seat's player."""
    return face_of(seat.number, name, seat.face)


def features(name: str) -> Face:
    """Return the avatar's face of somebody without a seat, which depends on the name alone."""
    return face_of(0, name)


def with_part(look: Face, part: str, kind: int) -> Face:
    """Return a face in which one part, such as the eyes, is replaced by another kind of it."""
    return replace(look, **{part: kind})


def titled(title: str, game: Any) -> str:
    """Return a table's title; if nobody chose one, the game's name in the reader's language."""
    return translation._(title) if game is not None and title == game.name else title


def picked(names: Sequence[str], seats: Iterable[int]) -> list[str]:
    """Return the names of the players at the given seats."""
    return [names[seat] for seat in seats]


def winners_first(rows: Iterable[Mapping[str, Any]], winners: Collection[int]) -> list[Mapping[str, Any]]:
    """Return the rows of a result, a `seat` in each, with the winners' first, and otherwise in the given order."""
    return sorted(rows, key=lambda row: row["seat"] not in winners)


def place_of(rows: Sequence[Mapping[str, Any]], seat: int, keys: Sequence[str], winners: Collection[int]) -> int:
    """Return a seat's place, from 1, in the rows of a result, the best first.

    Rows share the better place if they agree in `keys`, unless only one of them wins.
    """
    ranks = {row["seat"]: (row["seat"] in winners, *(row[key] for key in keys)) for row in rows}
    return 1 + list(ranks.values()).index(ranks[seat])


def _game_file(name: str) -> tuple[str, str, Callable[[], bool]] | None:
    """Load a template from a game's own folder or its shared one, by `GAME/FILE`: source, path and up-to-date check."""
    game_id, _, file = name.partition("/")
    game = registry.all_games().get(game_id)
    if game is None or "/" in file:
        return None
    for folder in (game.folder, game.shared):
        if folder is not None and (path := Path(folder) / file).is_file():
            return path.read_text("utf-8"), str(path), lambda: True
    return None


class Templates(Environment):
    """The Jinja environment, which looks up dictionary keys before attributes.

    Views are dictionaries, so this saves a third of the time.
    """

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Look up `obj.attribute` for a template: the key of a dictionary first."""
        try:
            return obj[attribute] if type(obj) is DICT else super().getattr(obj, attribute)
        except KeyError:
            return super().getattr(obj, attribute)


@lru_cache(maxsize=8192)
def _plain(language: str, text: str) -> Markup:
    """Return the translation of a text without placeholders; templates write a percent sign as `%%`."""
    with translation.in_language(language):
        return Markup(translation._(text)) % ()  # noqa: S704  # texts and their translations are ours


def _translated(text: str, /, **places: Any) -> Markup:
    """Translate a template's text for the reader and fill in its placeholders, escaped."""
    if not places:
        return _plain(translation.language(), text)
    isolating = {key: isolated(value) if type(value) is str else value for key, value in places.items()}
    return Markup(translation._(text)) % isolating  # noqa: S704


def _environment() -> Environment:
    """Make the Jinja environment with all templates, filters and globals."""
    env = Templates(
        loader=ChoiceLoader([FileSystemLoader([HERE / "templates", *FEATURES]), FunctionLoader(_game_file)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.i18n", CachedBlocks],
    )
    env.policies["ext.i18n.trimmed"] = True
    translating: Any = env
    translating.install_gettext_callables(
        gettext=translation._, ngettext=translation.ngettext, pgettext=translation.pgettext, newstyle=True
    )
    # A board has about a hundred texts, mostly without placeholders; those are translated and escaped only once.
    translating.globals.update(_=_translated, gettext=_translated)
    shared: dict[str, Any] = env.globals
    shared.update(
        glossary_of=glossary_of,
        language=translation.language,
        languages=translation.LANGUAGES,
        script_words=_script_words,
    )
    filters: dict[str, Any] = env.filters
    filters["cite"] = cite
    filters["touched"], filters["staged"] = touched, staged
    filters["drawn"] = partial(drawn, env)
    filters["translated"] = translation._
    filters["face"] = face
    filters["features"] = features
    filters["with_part"] = with_part
    filters["titled"] = titled
    filters["whole"] = translation.whole
    filters["named"] = named
    filters["with_long_words"] = with_long_words
    filters["short_names"] = short_names
    filters["owner_of_bot"] = owner_of_bot
    filters["profile"] = profile_path
    filters["listed"] = translation.listed
    filters["picked"] = picked
    filters["winners_first"] = winners_first
    filters["place_of"] = place_of
    filters["family_word"] = translation.family_word
    return env


def _script_words() -> Markup:
    """Return the translated texts that a page's scripts show, as JSON that is safe inside HTML."""
    return htmlsafe_json_dumps(translation.script_words(translation.language()))


ENVIRONMENT = _environment()


def render_page(template: str, **context: Any) -> str:
    """Render a whole page from one of the templates in `templates/`, with the given variables."""
    return ENVIRONMENT.get_template(template).render(context)


def _first_recent(events: Sequence[Any]) -> int:
    """Return the index of the first event that a fragment shows.

    It shows all events of the latest position, and at least `RECENT` if there are as many.
    """
    first = len(events)
    while first > 0 and events[first - 1].position == events[-1].position:
        first -= 1
    return max(0, min(first, len(events) - RECENT))


def _eliminations(game: Any, events: Sequence[Any]) -> dict[int, Any]:
    """Return the events that eliminated seats, by seat."""
    return {event.data["seat"]: event for event in events if event.name in game.presentation.falls}


def render_fragment(snapshot: Any, extras: Extras = NO_EXTRAS) -> str:
    """Render a table for one viewer as HTML, from the viewer's snapshot and what features add."""
    table, view, me, names = snapshot.table, snapshot.view, snapshot.viewer, snapshot.names
    current = snapshot.position_is_current
    acting = snapshot.acting
    first = _first_recent(snapshot.events)
    submission, table_status = snapshot.submission, getattr(snapshot, "table_status", None)
    paused = table_status is not None and table_status.paused
    undone: frozenset[int] = getattr(snapshot, "undone", frozenset[int]())
    standing = [event for number, event in enumerate(snapshot.events) if number not in undone]
    mine = current and me is not None and me in acting and not paused
    menu = (
        sort_actions(snapshot.legal, submission.saved if submission else ())
        if current and me is not None
        else ActionMenu()
    )
    only = menu.only if mine else None
    open_choice = table.game.presentation.open_choice
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
        events=standing,
        falls=_eliminations(table.game, standing),
        event_count=len(snapshot.events),
        undone=undone,
        everything=snapshot.everything,
        paused=paused,
        releasing=getattr(snapshot, "releasing", False),
        mine=mine,
        only=only if menu.quick else None,
        forced=only if only is not None and open_choice(view) else None,
        table_status=table_status,
        acting=acting,
        waiting=translation.listed([names[seat] for seat in acting]),
        actions=menu,
        next_steps={step: translation._(text) for step, text in table.game.presentation.next_steps.items()},
        open_seats=[i for i, seat in enumerate(snapshot.seats) if seat.kind == "open" and not seat.reserved]
        if not snapshot.over
        else [],
        timing=snapshot.timing,
        submission=submission,
        saved_parts=[table.match.label(table.game.actions.parse(text), names) for text in submission.saved]
        if submission
        else [],
        in_parts=any(family.is_part for family in table.game.actions.families.values()),
        confirmed=snapshot.confirmed,
        queued=snapshot.queued,
        receipt=snapshot.receipt,
        inserts=extras.inserts,
        **{name: value(snapshot) for name, value in extras.values.items()},
        seals=snapshot.seals,
        close_early=submission is None or table.settings.close_early,
        captions=captions_of(table.game, standing, snapshot.viewer),
        log=[(first + i, event) for i, event in enumerate(snapshot.events[first:])],
    )
