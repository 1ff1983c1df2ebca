"""The `pyramidion new-game` command: create a small, complete game from `pyramidion/template`."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path

import pyramidion
from pyramidion.cli.options import CommandFailed
from pyramidion.engine import registry

PACKAGE = Path(pyramidion.__file__).parent
TEMPLATE = PACKAGE / "template"
CHECKOUT = PACKAGE.parent.parent
TEXTS = (".py", ".html", ".css", ".svg", ".toml", ".md")


def write(name: str, package: bool) -> None:
    """Create a game, or with `package` a package of it, from the template, and print the next steps.

    Raises CommandFailed before anything is written.
    """
    module = _checked(name)
    places = _package_places(name, module) if package else _checkout_places(module)
    for _source, target in places:
        if target.exists():
            raise CommandFailed(f"{target} is there already.")
    prefix = prefix_of(name)
    for source, target in places:
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            if path.suffix in TEXTS:
                made = target / path.relative_to(source) if source.is_dir() else target
                made.parent.mkdir(parents=True, exist_ok=True)
                made.write_text(renamed(path.read_text("utf-8"), name, prefix), "utf-8")
    print("\n".join([f"Written: {_shown(target)}" for _source, target in places]))
    print("\nNext:")
    if package:
        print(f"  pip install --editable {name}    # then Pyramidion finds the game")
    print(f"  pyramidion play {name}")
    print("  pyramidion serve --open")
    print(f"  pyramidion laws {name}")
    if package:
        print(f"  pip install pytest && python {name}/tests/test_golden.py && python -m pytest {name}")
    else:
        print(f"  python -m tests.playthroughs {name} && python -m tests.games.telling_options {name}")
        print("  make docs && make test")


def renamed(text: str, name: str, prefix: str) -> str:
    """Return a template text with the template's names replaced by those of the game `name`, such as `kuhn-poker`."""
    words = name.split("-")
    for old, new in (
        ("my-game", name),
        ("my_game", name.replace("-", "_")),
        ("My Game", " ".join(word.capitalize() for word in words)),
        ("test_mg_", f"test_{prefix.lower()}_"),
    ):
        text = text.replace(old, new)
    return re.sub(r"\bMG\b", prefix, text)


def prefix_of(name: str) -> str:
    """Return two letters for the rule numbers of a game, which no other game has if its name allows it."""
    taken = {game.prefix for game in pyramidion.all_games().values()}
    initials = "".join(word[0] for word in name.split("-"))
    letters = re.sub("[^a-z]", "", initials), re.sub("[^a-z]", "", name)
    prefixes = [word[0] + other for word in letters for other in word[1:]] or [name[0] + "x"]
    return next((prefix.upper() for prefix in prefixes if prefix.upper() not in taken), prefixes[0].upper())


def _checked(name: str) -> str:
    """Return the Python package name for a game id. Raises CommandFailed if the id is invalid or taken."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or not 2 <= len(name) <= 40:
        raise CommandFailed(
            f"A game is named by lower-case words with hyphens between, like 'kuhn-poker', not {name[:40]!r}."
        )
    if name in registry.ids():
        raise CommandFailed(f"There is a game {name!r} already.")
    module = name.replace("-", "_")
    if keyword.iskeyword(module):
        raise CommandFailed(f"{name!r} is a word of Python; take another name.")
    return module


def _checkout_places(module: str) -> list[tuple[Path, Path]]:
    """Return (source, target) paths for a game inside a Pyramidion checkout, which discovers games by folder."""
    tests = CHECKOUT / "tests"
    if not (tests / "games").is_dir():
        raise CommandFailed(
            "Pyramidion does not run from its source here; with --package the game is a package of its own."
        )
    return [
        (TEMPLATE / "my_game", PACKAGE / "games" / module),
        (TEMPLATE / "tests" / "test_rules.py", tests / "games" / module / "test_rules.py"),
        (TEMPLATE / "tests" / "option_cases.py", tests / "games" / module / "option_cases.py"),
        (TEMPLATE / "tests" / "playthroughs.py", tests / "playthroughs" / f"{module}.py"),
    ]


def _package_places(name: str, module: str) -> list[tuple[Path, Path]]:
    """Return (source, target) paths for a game as a separate package in the current folder."""
    if importlib.util.find_spec(module) is not None:
        raise CommandFailed(f"There is a Python package {module!r} already; take another name.")
    home = Path(name)
    if home.exists():
        raise CommandFailed(f"{home} is there already.")
    return [
        (TEMPLATE / "my_game", home / "src" / module),
        (TEMPLATE / "package" / "pyproject.toml", home / "pyproject.toml"),
        (TEMPLATE / "package" / "README.md", home / "README.md"),
        (TEMPLATE / "package" / "tests" / "test_laws.py", home / "tests" / "test_laws.py"),
        (TEMPLATE / "package" / "tests" / "test_golden.py", home / "tests" / "test_golden.py"),
        (TEMPLATE / "tests" / "test_rules.py", home / "tests" / "test_rules.py"),
    ]


def _shown(path: Path) -> Path:
    """Return a path as it is printed: relative to the current folder if it is in it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
