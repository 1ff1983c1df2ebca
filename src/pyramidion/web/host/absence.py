"""Players whose time was up: the rules decide for them each time, or a bot comes in, as the table has chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pyramidion.bots.labels import label
from pyramidion.web.errors import BadTable
from pyramidion.web.host.acts import Act
from pyramidion.web.host.hosting import Hosting
from pyramidion.web.moves import Move
from pyramidion.web.store import SeatRow
from pyramidion.words import _

BOT, RESIGN = "bot", "resign"


def accept_absent(text: str | None, bots: Sequence[str]) -> str | None:
    """Return what a table does about the absent: None for the rules, `bot:LEVEL` or `resign:LEVEL`. Raises BadTable."""
    if not text or text == "rule":
        return None
    kind, _colon, bot = text.partition(":")
    if kind not in (BOT, RESIGN) or bot not in bots:
        raise BadTable(
            _("For absent players a table has rule, bot:LEVEL or resign:LEVEL, with a level of {levels}.").format(
                levels=", ".join(bots)
            )
        )
    return text


def absent_told(absent: str | None) -> str | None:
    """Return in words what a table does about the absent, or None where the rules decide each time."""
    kind, _colon, bot = (absent or "").partition(":")
    if not kind:
        return None
    told = (
        _("a bot ({level}) plays for the absent")
        if kind == BOT
        else _("absent players lose their seat to a bot ({level})")
    )
    return told.format(level=label(bot))


def with_absent(table: Hosting, move: Move, chose: set[int], at: int) -> Move:
    """Return a move that the clock makes, with what becomes of those who were absent.

    `chose` are the seats that had anything to decide: nobody else has been absent.
    """
    kind, _colon, bot = (table.absent or "").partition(":")
    late = {ply.seat for ply in move.plies if ply.by_clock} & chose
    seats: list[tuple[SeatRow, SeatRow]] = []
    acts: list[Act] = []
    for row in table.rows:
        if not kind or row.seat not in late or row.kind != "person" or row.stand_in:
            continue
        if kind == BOT:
            becomes = replace(row, stand_in=bot)
        else:
            becomes = replace(row, kind="bot", bot=bot, holder=None, token_hash=None, also=())
        seats.append((row, becomes))
        acts.append(Act("stands-in" if kind == BOT else "resigned", "clock", {"seat": row.seat, "bot": bot}, at))
    return replace(move, seats=seats, after=acts)


def coming_back(table: Hosting, seat: int, at: int) -> Move | None:
    """Return what ends a bot's playing for a seat, or None where none does."""
    row = table.rows[seat]
    if row.stand_in is None:
        return None
    return Move((), table.standing, [Act("back", seat, {}, at)], seats=[(row, replace(row, stand_in=None))])
