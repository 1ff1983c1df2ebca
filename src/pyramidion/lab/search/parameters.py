"""Parameters of sweeps and searches, as paths: seats, players, options, and any value of a card file.

seats    players    options.round_limit    cards.fund_cards[0].interest
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import tomlkit
from tomlkit.exceptions import NonExistentKey

from pyramidion.text_files import read_text

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

_STEP = re.compile(r"([A-Za-z0-9_-]+)|\[(\d+)\]")


def varied(game: Game, asked: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments `asked` of an experiment with the values at some paths replaced.

    Raises ValueError for a wrong path.
    """
    arguments = dict(asked)
    options = dict(arguments.get("options") or {})
    edits: dict[str, Any] = {}
    for path, value in values.items():
        head, _, rest = path.partition(".")
        if head in ("seats", "players") and not rest:
            arguments[head] = value
        elif head == "options" and rest:
            options[rest] = value
        elif head == "cards" and rest:
            edits[rest] = value
        else:
            raise ValueError(
                f"There is nothing to vary at {path!r}; a path is seats, players, options.NAME or cards.PLACE, such as "
                f"cards.{_example_path(game)}."
            )
    if edits:
        arguments["cards"] = edited(_text(game, arguments.get("cards")), edits)
    arguments["options"] = options
    return arguments


def edited(text: str, edits: Mapping[str, Any]) -> str:
    """Return the text of a card file with the values at some paths replaced; comments and layout are kept."""
    document = tomlkit.parse(text)
    for path, value in edits.items():
        steps = [name or int(number) for name, number in _STEP.findall(path)]
        if not steps or _spelled(steps) != path:
            raise ValueError(f"{path!r} is no path into a card file; write it like fund_cards[0].interest.")
        place: Any = document
        try:
            for step in steps[:-1]:
                place = place[step]
            place[steps[-1]]  # only existing values can be changed
            place[steps[-1]] = value
        except (NonExistentKey, KeyError, IndexError, TypeError) as error:
            raise ValueError(f"The card file has nothing at {path!r}.") from error
    return tomlkit.dumps(document)


def _spelled(steps: list[Any]) -> str:
    """Return the text of a path of these steps."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")


def _text(game: Game, cards: Any) -> str:
    """Return the text of a card file: the game's own (None), or one that is given by its path or as text."""
    if cards is None:
        return (game.folder / "cards.toml").read_text("utf-8")
    return cards if isinstance(cards, str) and "\n" in cards else read_text(cards)


def _example_path(game: Game) -> str:
    """Return a path to a number in a game's card file, as an example."""
    data: dict[str, Any] = game.own_cards.data
    for name, value in data.items():
        rows = cast("list[Any]", value) if isinstance(value, list) else []
        if rows and isinstance(rows[0], dict):
            return f"{name}[0].{next(iter(cast('dict[str, Any]', rows[0])))}"
    return "cards[0].number"
