"""The commands to read about games: `pyramidion games`, `pyramidion rules GAME [NUMBER]`, `pyramidion cards GAME`."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pyramidion.cli.options import CommandFailed, load, load_all
from pyramidion.terminal.rulebook import print_paged, rulebook, terms_of
from pyramidion.translation import quantity


def show_games() -> None:
    """Print every game with its seats and options."""
    console = Console(highlight=False)
    games = load_all(None)
    if not games:
        raise CommandFailed("No games are installed.", code=1)
    for game in games:
        low, high = game.seats[0], game.seats[-1]
        head = Text(game.id, style="bold")
        seats = quantity(low, "seat") if low == high else f"{low} to {high} seats"
        head.append(f"   {game.name}, {seats}", style="not bold")
        console.print(head)
        console.print(Padding(Text(game.summary), (0, 0, 0, 2)))
        if game.options:
            table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
            for name, option in game.options.items():
                example = str(option.default).lower()
                text = f"{option.help} {option.range.capitalize()}; {example} if not said."
                if option.kind == "numbers":
                    example, text = "N,N,...", f"{option.help} {option.range.capitalize()}."
                table.add_row(f"  --option {name}={example}", Text(text))
            console.print(table)


def show_rules(game_id: str, number: str | None) -> None:
    """Print a game's rules, or one section or rule."""
    game = load(game_id)
    try:
        text = rulebook(game).find(number) if number else game.rules_read
    except LookupError as error:
        raise CommandFailed(str(error.args[0])) from error
    print_paged(Console(highlight=False), Markdown(text))


def show_cards(game_id: str, out: Path | None) -> None:
    """Print a game's card file as it is, or save it."""
    game = load(game_id)
    if game.card_file is None:
        raise CommandFailed(f"{game.name} has no card file.")
    text = game.card_file.read_text("utf-8")
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, "utf-8")
        print(f"The card file is in {out}.")


def show_terms(game_id: str) -> None:
    """Print a game's goal and its terms, each with its rule."""
    from pyramidion.engine.glossary import glossary_of

    game = load(game_id)
    text = glossary_of(game)
    if text is None:
        raise CommandFailed(f"There are no terms for {game_id}.")
    console = Console(highlight=False)
    console.print(terms_of(text))
