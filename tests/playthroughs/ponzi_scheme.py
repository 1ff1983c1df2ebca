"""The golden games of Ponzi Scheme, and its board in a few lines."""

from __future__ import annotations

from tests.playthroughs.telling import Playthrough

from pyramidion import Match

GAME = "ponzi-scheme"
BOARD_AFTER = "round"
LIKES = {"fund": 4.0, "offer": 1.5, "buy": 4.0}


def _golden(name: str, seats: int, seed: str, shows: str, **options: object) -> Playthrough:
    return Playthrough(f"{GAME}-{name}", GAME, seats, seed, shows, options, LIKES)


PLAYTHROUGHS = [
    _golden("3-seats", 3, "three 224", "three seats, a crash, envelopes answered both ways, a bankruptcy"),
    _golden("4-seats", 4, "four 233", "four seats, a crash, envelopes answered both ways, a bankruptcy"),
    _golden("5-seats", 5, "five 5", "five seats, an end by the round limit", round_limit=3),
    _golden(
        "advanced", 4, "luxuries 502", "the advanced game, luxuries bought, several bankruptcies at once", advanced=True
    ),
]


def board(match: Match) -> list[str]:
    """Return the table in a few lines; every player's cash is read from that player's own view."""
    view = match.view(None)
    cards = [f"${card['value']}" + ("*" if card["kind"] == "bear" else "") for card in view["market"]]
    rows = " | ".join(" ".join(cards[i : i + 3]) for i in range(0, len(cards), 3))
    bears = f"{view['bears_in_market']} bears of {view['bears_needed']}"
    lines = [
        f"round {view['round']}, start marker at seat {view['start']}, {bears}",
        f"market   {rows}   (deck {view['deck_count']}, discarded {_dollars(view['discard'])})",
        f"supply   {_tiles(view['supply'])}",
    ]
    if view["luxuries"]:
        owners = (
            f"${tile['luxury']} " + ("free" if tile["owner"] is None else f"seat {tile['owner']}")
            for tile in view["luxuries"]
        )
        lines.append(f"luxuries {', '.join(owners)}")
    for seat in range(match.seats):
        player = match.view(seat)["players"][seat]
        wheel = [
            f"{space}: {_dollars([card['value'] for card in player['wheel'] if card['space'] == space])}"
            for space in range(6)
            if any(card["space"] == space for card in player["wheel"])
        ]
        broke = "  bankrupt" if player["bankrupt"] else ""
        lines.append(f"seat {seat}   ${player['cash']:<4} {_tiles(player['tiles'])}   {'  '.join(wheel)}{broke}")
    return lines


def _dollars(values: list[int]) -> str:
    return " ".join(f"${value}" for value in values) or "none"


def _tiles(counts: dict[str, int]) -> str:
    return " ".join(f"{name[0].upper()}{count}" for name, count in counts.items())
