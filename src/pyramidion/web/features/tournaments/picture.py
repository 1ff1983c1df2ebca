"""A tournament as a picture: the bracket of a single elimination, or the cross table of a round robin in pairs.

Both are made from the view of a tournament (`tournament_view`), so they show nothing that the view does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_CROSSED = 16
"""The most players of a cross table; of more, standings and rounds say enough."""


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of a bracket.

    Attributes:
        players: the ids of its players; fewer than it has seats while an earlier match is open.
        places: their places, empty until it is over.
        table: the id of its table, or None.
        bye: whether its only player goes on without a match.
        open: how many players are still to be found.
    """

    players: Sequence[str]
    places: Sequence[int] = ()
    table: str | None = None
    bye: bool = False
    open: int = 0


def bracket(view: Mapping[str, Any]) -> list[list[BracketMatch]]:
    """Return the rounds of a single elimination, those to come included where tables have two players.

    The matches of each round are in such an order that those whose players meet next are neighbours. It is empty for
    other formats, and before the first round.
    """
    if view["format"] != "elimination" or not view["results"]:
        return []
    rounds = [_matches(round_) for round_ in view["results"]]
    for number in range(len(rounds) - 1, 0, -1):
        rounds[number - 1] = _as_feeders(rounds[number - 1], rounds[number])
    if view["seats"] == 2 and view["step"] != "over":
        while len(rounds[-1]) > 1:
            before = rounds[-1]
            pairs = [before[at : at + 2] for at in range(0, len(before), 2)]
            rounds.append([_to_come(pair) for pair in pairs])
    return rounds


def final_round(view: Mapping[str, Any]) -> int | None:
    """Return the number of the round that is the final of a single elimination, None while that is open."""
    rounds = bracket(view)
    return len(rounds) if rounds and len(rounds[-1]) == 1 else None


def runner_up(view: Mapping[str, Any]) -> str | None:
    """Return who lost the final of a single elimination to the winner of the tournament, None if nobody did."""
    if not view["winner"] or final_round(view) is None:
        return None
    final = bracket(view)[-1]
    if list(final[0].places) not in ([1, 2], [2, 1]):
        return None
    first, second = sorted(final[0].players, key=lambda who: final[0].places[final[0].players.index(who)])
    return second if first == view["winner"] else None


def _to_come(feeders: Sequence[BracketMatch]) -> BracketMatch:
    """Return the match of those who win two neighbours, or go on without a match, as far as they are known."""
    sure = len(feeders) == 2 and not any(match.bye for match in feeders)
    through = [_winner(match) for match in feeders if sure and sorted(match.places) == [1, 2]]
    return BracketMatch(through, open=len(feeders) - len(through), bye=len(feeders) == 1)


def _winner(match: BracketMatch) -> str:
    """Return who has won a match of two that is over."""
    return match.players[list(match.places).index(1)]


def _matches(round_: Mapping[str, Any]) -> list[BracketMatch]:
    """Return the matches of a round, those who sit out as matches of their own."""
    played = [BracketMatch(table["players"], table["places"] or (), table["table"]) for table in round_["tables"]]
    return played + [BracketMatch([who], bye=True) for who in round_["byes"]]


def _as_feeders(matches: Sequence[BracketMatch], following: Sequence[BracketMatch]) -> list[BracketMatch]:
    """Return matches in the order in which their players meet in the following round."""
    own = {who: match for match in matches for who in match.players}
    wanted = [own[who] for match in following for who in match.players if who in own]
    return list({id(match): match for match in (*wanted, *matches)}.values())


@dataclass(frozen=True, slots=True)
class Cross:
    """A cell of a cross table: the results of one player against another, as `1`, `½` or `0`, and the latest table."""

    results: Sequence[str]
    table: str | None


def cross_table(view: Mapping[str, Any]) -> list[tuple[str, list[Cross | None]]]:
    """Return the rows of the cross table of a round robin in pairs: a player, and a cell for each opponent.

    Rows and columns are in the order of the standings; the cell of a player against themselves is None. It is empty for
    other formats, before the first round, and for more than `MOST_CROSSED` players.
    """
    players = [line["player"] for line in view["standings"]]
    if view["format"] != "robin" or view["seats"] != 2 or not view["results"] or len(players) > MOST_CROSSED:
        return []
    met: dict[tuple[str, str], Cross] = {}
    for table in (table for round_ in view["results"] for table in round_["tables"]):
        for player, other in (table["players"], table["players"][::-1]):
            earlier = met[player, other].results if (player, other) in met else ()
            met[player, other] = Cross([*earlier, *_result(table, player)], table["table"])
    nothing = Cross((), None)
    return [
        (player, [None if player == other else met.get((player, other), nothing) for other in players])
        for player in players
    ]


def _result(table: Mapping[str, Any], who: str) -> list[str]:
    """Return a player's result in a match of two as a list of one text: 1, ½ or 0; empty before the end."""
    if not table["places"]:
        return []
    mine = table["places"][table["players"].index(who)]
    return ["½" if len(set(table["places"])) == 1 else "1" if mine == 1 else "0"]


def next_match(view: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the visitor's own match in the latest round, or None if they do not play in a round.

    It has the `round`, the other `players`, the `table`, whether it is `over`, and whether it is a `bye`.
    """
    you, last = view["you"], view["results"][-1] if view["results"] else None
    if you is None or last is None or view["step"] == "over":
        return None
    for table in last["tables"]:
        if you in table["players"]:
            others = [who for who in table["players"] if who != you]
            over = bool(table["places"])
            return {"round": last["number"], "players": others, "table": table["table"], "over": over, "bye": False}
    if you in last["byes"]:
        return {"round": last["number"], "players": [], "table": None, "over": True, "bye": True}
    return None
