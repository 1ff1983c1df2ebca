"""Commands that play, show and check games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.options import GameName, Language, Options, Seats, Seed, game_id, in_language, output_file


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="A game's id, as listed by `pyramidion games`, or its beginning; --resume does without.",
            callback=game_id,
            show_default=False,
        ),
    ] = None,
    seats: Seats = None,
    seed: Seed = None,
    option: Options = None,
    people: Annotated[
        int | None,
        typer.Option(min=1, help="Number of human players, in the first seats; they share the screen. By default, 1."),
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="NAME", help="A player's name; repeat for each player.")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            help="The bot in the other seats; by default, normal.",
            metavar="beginner|easy|normal|hard|expert|master|policy|random",
        ),
    ] = None,
    cards: Annotated[Path | None, typer.Option(help="Card file to use instead of the game's own cards.")] = None,
    save: Annotated[
        Path | None, output_file("Save the game record to this file, new or that of --resume.", resumes=True)
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="Resume a saved game, and keep saving it there unless --save names another file."),
    ] = None,
    language: Language = None,
) -> None:
    """Play in the terminal against bots, or with friends on one screen."""
    from pyramidion.cli.play import play as run

    with in_language(language):
        run(game, seats, seed, option, people, name or [], bots, cards, save, resume)


def learn(game: GameName, language: Language = None) -> None:
    """Learn a game in the terminal with a coach, then play on."""
    from pyramidion.cli.learn import learn as run

    with in_language(language):
        run(game)


def games() -> None:
    """List the games, their seats and their options."""
    from pyramidion.cli.info import show_games

    show_games()


def rules(
    game: GameName,
    number: Annotated[
        str | None, typer.Argument(metavar="[NUMBER]", help="Print only this section or rule, such as 4 or 4.3.")
    ] = None,
    terms: Annotated[bool, typer.Option("--terms", help="Print the goal and the terms instead.")] = False,
    language: Language = None,
) -> None:
    """Print a game's rules, a single rule, or its goal and terms."""
    from pyramidion.cli.info import show_rules, show_terms

    with in_language(language):
        if terms:
            show_terms(game)
        else:
            show_rules(game, number)


def cards(
    game: GameName,
    out: Annotated[
        Path | None, output_file("The file to write, in UTF-8; by default, the card file is printed.")
    ] = None,
) -> None:
    """Print a game's card file, or save it with --out. Change it, and pass it as --cards."""
    from pyramidion.cli.info import show_cards

    show_cards(game, out)


def verify(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The record file of a finished game.")],
) -> None:
    """Verify a game record. Every action must be legal and every submission must match its seal."""
    from pyramidion.cli.verify import verify as run

    run(record)


def analyse(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The record file of a finished game.")],
    iterations: Annotated[int, typer.Option(min=1, help="Simulated games per position.")] = 2_000,
    seed: Annotated[int, typer.Option(help="The seed of the search.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Analyse a finished game. Prints each player's win chances and the costliest decisions."""
    from pyramidion.cli.analyse import analyse as run

    run(record, iterations, seed, json)
