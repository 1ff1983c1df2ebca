"""What the lab's commands share: the options of an experiment, and the sentences for its errors."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pyramidion.cli.options import CommandFailed, read_options, read_text


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentOptions:
    """The options of an experiment, as given on the command line.

    `against` and `against_options` are the other side's card file and game options.
    """

    games: int
    seats: int | None
    players: str
    cards: Path | None
    options: Sequence[str] | None
    metrics: str | None
    seed: int | str
    threads: int
    cluster: str | None = None
    until: float | None = None
    against: Path | None = None
    against_options: Sequence[str] | None = None

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `lab.experiment`. Raises CommandFailed for an option that cannot be read."""
        from pyramidion.lab import Variant

        given = read_options(self.against_options)
        arguments: dict[str, Any] = {
            **{name: getattr(self, name) for name in ("games", "seats", "cards", "seed", "threads")},
            "players": _names(self.players),
            "options": read_options(self.options),
            "metrics": _names(self.metrics) if self.metrics else None,
            "cluster": self.cluster,
            "until": self.until,
            "against": Variant(self.against, given, "") if self.against is not None or given else None,
        }
        return {name: value for name, value in arguments.items() if value is not None}

    def terms(self) -> dict[str, Any]:
        """Return the options that determine the figures of an experiment, by name, with card files as text.

        Raises CommandFailed for a card file that cannot be read.
        """
        options = {name: value for name, value in asdict(self).items() if name not in ("threads", "cluster")}
        return {name: read_text(value) if isinstance(value, Path) else value for name, value in options.items()}

    def command(self, game: str) -> list[str]:
        """Return the words of the command that plays the same games."""
        words = ["pyramidion", "lab", game, "--games", str(self.games), "--seed", str(self.seed)]
        words += ["--players", self.players]
        for name in ("seats", "cards", "against", "until", "metrics"):
            value = getattr(self, name)
            words += [f"--{name}", str(value)] if value is not None else []
        for option in self.options or ():
            words += ["--option", option]
        for option in self.against_options or ():
            words += ["--against-option", option]
        return words


def read_seed(text: str) -> int | str:
    """Return a seed: a number if it is one, else the word."""
    return int(text) if text.isascii() and text.isdigit() else text


@contextmanager
def sentences(out: Path | None) -> Generator[None]:
    """Context manager: raise the errors of an experiment as CommandFailed, with a sentence.

    `out` is the file that the experiment is saved in.
    """
    from pyramidion.lab.experiments.result import OtherExperiment

    try:
        yield
    except OtherExperiment as error:
        raise CommandFailed(f"{error} Choose another --out, or remove {out}.") from error
    except FileNotFoundError as error:
        raise CommandFailed(f"There is no file {error.filename}." if error.filename else str(error)) from error
    except (ValueError, RuntimeError) as error:
        raise CommandFailed(str(error)) from error


def _names(text: str) -> list[str]:
    """Split a list of names at its commas."""
    return [name.strip() for name in text.split(",")]
