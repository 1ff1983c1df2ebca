"""New tables: validating what was asked for, and the rows to store."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import sqlalchemy as sa

from pyramidion import Game, Match
from pyramidion.bots import MASTER, background_compilation
from pyramidion.engine import registry
from pyramidion.engine.rule import interprets_uncached_rules
from pyramidion.engine.seeds import Origin
from pyramidion.names import lookalike
from pyramidion.translation import _, whole
from pyramidion.web.db.schema import MATCHES, SEATS
from pyramidion.web.db.store import MatchRow, SeatRow
from pyramidion.web.db.writer import Change
from pyramidion.web.errors import BadTable, UnknownGame
from pyramidion.web.names import MOST_CARDS, clean_name, clean_title, player_name
from pyramidion.web.table.bots import LESSON_BOT, bot_names, settled_bot
from pyramidion.web.table.clock.clock_state import ClockState
from pyramidion.web.table.events import EventBus
from pyramidion.web.table.seats.given_names import fresh_names, guest_name
from pyramidion.web.table.seats.invitations import invite
from pyramidion.web.table.seats.plans import SeatPlan, TableProperties
from pyramidion.web.table.seeds import insert as insert_origin
from pyramidion.web.table.seeds import new_origin
from pyramidion.web.table.settings.declarations import TableSettings
from pyramidion.web.tokens import hash_token, new_id

MAX_SEED = 200


@dataclass(frozen=True, slots=True)
class PreparedTable:
    """A new table that is valid but not stored yet: its rows, its match at the opening, and the origin of its seed."""

    row: MatchRow
    rows: list[SeatRow]
    match: Match
    origin: Origin | None

    def insertion(self) -> Change:
        """Return the change that stores this table."""
        return _insert(self)


async def prepare(
    events: EventBus,
    created: int,
    game_id: str,
    seats: Sequence[SeatPlan],
    options: Mapping[str, Any],
    settings: TableSettings,
    **about: Unpack[TableProperties],
) -> PreparedTable:
    """Validate a new table that starts at once, and return what to store.

    `created` is the time, milliseconds since 1970. Raises UnknownGame, BadTable or what a feature raises.
    """
    game, table_id = find_game(game_id), new_id()
    seed, cards, holder = about.get("seed"), about.get("cards"), about.get("holder")
    rows = _seat_rows(game, seats, holder)
    if seed is not None and len(str(seed)) > MAX_SEED:
        raise BadTable(_("A seed can have at most {limit} characters.").format(limit=MAX_SEED))
    title = clean_title(about.get("title"), required=False) or game.name
    if cards is not None:
        _check_cards(game, cards)
    settings = settings.settled(game, sum(seat.kind != "bot" for seat in rows))
    for check in events.opening:
        await check(settings, seats, about)
    origin = None
    if seed is None:
        given = {number: plan.given for number, plan in enumerate(seats) if plan.kind in ("me", "here", "person")}
        origin = new_origin(game.id, table_id, given)
    chosen = origin.seed(game.id, table_id, len(rows)) if origin is not None else seed or 0
    try:
        accepted = game.accept_options(options)
        match = await asyncio.to_thread(opened, game, len(rows), chosen, accepted, cards)
    except ValueError as error:
        raise BadTable(str(error)) from error
    # With these seats and options two levels may be the same.
    rows = [replace(row, bot=settled_bot(game, row.bot, len(rows), match.box)) if row.bot else row for row in rows]
    host_token = about.get("host_token")
    clock_state = ClockState.first(settings.clock, settings.pregame, created)
    row = MatchRow(
        id=table_id,
        game=game.id,
        rules_version=str(game.rules_version),
        seat_count=len(rows),
        options=accepted,
        seed=match.seed,
        seed_chosen=seed is not None,
        title=title,
        created=created,
        settings=settings.model_dump(),
        cards=cards,
        **clock_state.values(),
        host=holder,
        host_token=hash_token(host_token) if host_token is not None else None,
        started=created,
        host_name=clean_name(about.get("host_name")),
    )
    return PreparedTable(row, rows, match, origin)


def find_game(game_id: str) -> Game:
    """Return a game. Raises UnknownGame with a sentence that lists the available games.

    Small siblings, such as `ponzi-scheme-mini`, are for programs alone.
    """
    try:
        game = registry.load(game_id)
        if game.base is not None:
            raise registry.UnknownGame(game_id)
    except KeyError as error:
        raise UnknownGame(str(error), games=registry.ids()) from None
    return game


def _check_cards(game: Game, cards: str) -> None:
    """Raise BadTable if a text cannot be a card file of this game."""
    if game.card_file is None:
        sentence = _("{game} has no card file, so it cannot be played with other cards.")
        raise BadTable(sentence.format(game=_(game.name)))
    if len(cards) > MOST_CARDS:
        sentence = _("A card file can have at most {limit} characters; this one has {count}.")
        raise BadTable(sentence.format(limit=whole(MOST_CARDS), count=whole(len(cards))))


def opened(
    game: Game,
    seats: int,
    seed: int | str,
    options: Mapping[str, Any],
    cards: str | None,
    rules_version: int | None = None,
) -> Match:
    """Return a new match whose rules can be called without waiting for the compiler; call it in a thread.

    The rules are loaded from the cache, or run interpreted until they are compiled. The event loop calls rules only
    after this.
    """
    if interprets_uncached_rules():
        background_compilation.start(game)
    else:
        game.warm()
    return game.new(seats, seed, cards=cards, rules_version=rules_version, **options)


def _seat_rows(game: Game, seats: Sequence[SeatPlan], holder: str | None) -> list[SeatRow]:
    """Return the rows of a new table's seats. Raises BadTable with a sentence."""
    try:
        game.accept_seats(len(seats))
    except ValueError as error:
        raise BadTable(str(error)) from error
    if holder is not None and sum(plan.kind == "me" for plan in seats) > 1:
        raise BadTable(_("You can take only one seat."))
    rows: list[SeatRow] = []
    names: list[str] = []
    given = [clean_name(plan.name) for plan in seats]
    fresh = fresh_names(given)
    for number, plan in enumerate(seats):
        seated = plan.kind == "person" and plan.holder is not None
        name = clean_name(plan.name) if plan.kind == "bot" or seated else player_name(plan.name)
        if plan.kind == "me" and name is None and holder is not None:
            name = guest_name(holder, given)
        if plan.kind in ("me", "here") or seated:
            names.append(name or "")
        if plan.kind == "bot":
            available = bot_names(game)
            # Rematches, seasons and tournaments may ask for a Master that their game has no more; it becomes Expert.
            if plan.bot not in (*available, MASTER.name, LESSON_BOT):
                sentence = _("Seat {seat}: unknown bot {name!r}. Available: {known}.")
                if not plan.bot:
                    sentence = _("Seat {seat} is for a bot: name one of {known}.")
                raise BadTable(sentence.format(seat=number, name=(plan.bot or "")[:40], known=", ".join(available)))
            names.append(name or next(fresh))
            rows.append(SeatRow(number, "bot", names[-1], plan.bot, face=plan.face))
        elif seated:
            rows.append(SeatRow(number, "person", name, None, plan.holder, face=plan.face))
        elif plan.kind in ("me", "here") and holder is not None:
            rows.append(SeatRow(number, "person", name, None, holder))
        elif plan.kind in ("me", "open"):
            rows.append(SeatRow(number, "open"))
        else:
            sentence = _("Seat {seat} must be me, bot or open, not {kind!r}.")
            raise BadTable(sentence.format(seat=number, kind=plan.kind[:40]))
    if any(lookalike(name, names[:number]) for number, name in enumerate(names) if name):
        raise BadTable(_("Two seats have the same name, or names that look the same."))
    return rows


def _insert(new: PreparedTable) -> Change:
    """Return the change that stores a new table."""

    def insert_table(connection: sa.Connection) -> None:
        connection.execute(sa.insert(MATCHES), new.row.values())
        connection.execute(sa.insert(SEATS), [seat.values(new.row.id) for seat in new.rows])
        if any(seat.kind == "open" for seat in new.rows):
            invite(connection, new.row.id)
        if new.origin is not None:
            insert_origin(connection, new.row.id, new.origin)

    return insert_table
