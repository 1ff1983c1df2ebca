# pyright: basic
"""Update tool for the translation files `locale/*.po`.

    python -m tools.messages           add new source strings, remove unused ones, keep translations; list problems
    python -m tools.messages --check   list problems without changing any file

The exit status is 1 if there are problems. The package and each game have their own files. The package is translated
into every language; a game into those for which it has a file. To start a translation, create an empty one, such as
`locale/fr.po`. The test suite runs the same checks as `--check`.
"""

from __future__ import annotations

import argparse
import functools
import re
import sys
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).parent.parent / "src" / "pyramidion"
TAGS = ("fr", "pt", "zh-Hant")
METHODS = [
    ("**/locale/**", "ignore"),
    ("**.py", "python"),
    ("**/templates/**.html", "jinja2.ext.babel_extract"),
    ("**.html", "jinja2.ext.babel_extract"),
    ("**.svg", "jinja2.ext.babel_extract"),
    ("**.js", "javascript"),
    ("**/lesson.toml", "tools.messages:lesson_texts"),
    ("lesson.toml", "tools.messages:lesson_texts"),
    ("**/examples.toml", "tools.messages:example_texts"),
    ("examples.toml", "tools.messages:example_texts"),
    ("**/terms.toml", "tools.messages:terms_texts"),
    ("terms.toml", "tools.messages:terms_texts"),
]
SPACED = re.compile("« | »")
"""French quotation marks with a plain space, at which a line can break."""
OUR_TAGS = "pyramidion.web.pages.fragment_cache.CachedBlocks"
KEYWORDS: dict[str, Any] = {
    "_": None,
    "marked": None,
    "marked_for": ((1, "c"), 2),
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
PLACE = re.compile(r"\{\w*(?:![rs])?(?::[^{}]*)?\}|%\(\w+\)[sd]")
FORMS = re.compile(r":[^{}]*\|[^{}]*\}")
"""The forms that go with a name (`{seat:gets|get}`): each language has its own (`pyramidion.engine.sentences`)."""


def lesson_texts(file: Any, *_marks: Any, **_options: Any) -> Iterator[tuple[int, str, str, list[str]]]:
    """Yield what the coach says in the file of a lesson, as Babel's extraction methods do."""
    for step in tomllib.loads(file.read().decode())["steps"]:
        replies = [*step.get("instead", ()), *step.get("after", ())]
        for text in (step["say"], step.get("otherwise"), *(reply["say"] for reply in replies)):
            if text:
                yield 1, "_", text, []


def example_texts(file: Any, *_marks: Any, **_options: Any) -> Iterator[tuple[int, str, str, list[str]]]:
    """Yield the captions in the file of a game's pictured examples, as Babel's extraction methods do."""
    for example in tomllib.loads(file.read().decode())["examples"]:
        yield 1, "_", example["say"], []


def terms_texts(file: Any, *_marks: Any, **_options: Any) -> Iterator[tuple[int, str, Any, list[str]]]:
    """Yield the texts in the file of a game's terms, as Babel's extraction methods do: goal, terms, sentences."""
    data = tomllib.loads(file.read().decode())
    for text in (data["goal"]["win"], data["goal"]["ends"]):
        yield 1, "_", text, []
    for term in data["terms"].values():
        yield 1, "pgettext", ("terms", term["words"]), []
        yield 1, "_", term["say"], []


def folders() -> list[Path]:
    """Return the folders with translations: the package first, then the games."""
    return [PACKAGE, *sorted(path.parent for path in (PACKAGE / "games").glob("*/__init__.py"))]


@functools.cache
def texts(folder: Path) -> Catalog:
    """Return all strings to translate in a folder as a Babel catalogue; for the package, without the games.

    Calls share one catalogue, so do not change it.
    """
    catalogue = Catalog()
    options = {"**.html": {"trimmed": "true", "newstyle_gettext": "true", "silent": "false", "extensions": OUR_TAGS}}
    options["**/templates/**.html"] = options["**.svg"] = options["**.html"]
    methods = [("games/**", "ignore"), ("template/**", "ignore"), *METHODS] if folder == PACKAGE else METHODS
    for file, _line, message, comments, context in extract_from_dir(
        folder, methods, options, keywords=KEYWORDS, comment_tags=("Translators:",)
    ):
        # Omit line numbers, so that unrelated edits do not change the .po files.
        catalogue.add(message, locations=[(file, 0)], auto_comments=comments, context=context)
    return catalogue


def tags(folder: Path) -> list[str]:
    """Return the language tags, such as `fr`, for which a folder has or needs a translation."""
    return [tag for tag in TAGS if folder == PACKAGE or path_of(folder, tag).exists()]


def path_of(folder: Path, tag: str) -> Path:
    """Return the path of a folder's .po file for a language."""
    return folder / "locale" / f"{tag}.po"


def merged(folder: Path, tag: str) -> Catalog:
    """Return a folder's catalogue for a language: all current strings, with the translations that its .po file has."""
    path, template = path_of(folder, tag), texts(folder)
    old = read_po(BytesIO(path.read_bytes()), locale=tag.replace("-", "_")) if path.exists() else Catalog()
    made = Catalog(locale=tag.replace("-", "_"), fuzzy=False)
    for message in sorted(template, key=lambda entry: (sorted(entry.locations), str(entry.id))):
        if not message.id:
            continue
        previous = old.get(message.id, message.context)
        made.add(
            message.id,
            previous.string if previous is not None else None,
            sorted(set(message.locations)),
            context=message.context,
            auto_comments=list(dict.fromkeys(message.auto_comments)),
        )
    return made


def written(catalog: Catalog) -> bytes:
    """Return the contents of the .po file for a catalogue."""
    file = BytesIO()
    write_po(file, catalog, width=0, omit_header=True, include_lineno=False, sort_output=False)
    return file.getvalue()


def places_of(text: str) -> set[str]:
    """Return the placeholders of a text, without the forms that go with a name, and without Python's quotes.

    `{word!r}` is in quotes; a translation may have those of its language around `{word}`.
    """
    return {FORMS.sub("}", place).replace("!r}", "}") for place in PLACE.findall(text)}


def wrong(catalog: Catalog) -> Iterator[str]:
    """Yield a sentence for each problem in a catalogue.

    Problems are a missing translation, placeholders unlike the English, and quotation marks with a space at which a
    line can break.
    """
    for message in catalog:
        if not message.id:
            continue
        plural = not isinstance(message.id, str)
        sources = [message.id] if isinstance(message.id, str) else list(message.id)
        string = message.string or ""
        given = [string] if isinstance(string, str) else list(string)
        if len(given) != (catalog.num_plurals if plural else 1) or not all(given):
            yield f"not translated: {sources[0]!r}"
            continue
        wanted = places_of(sources[-1])
        for text in given:
            if SPACED.search(text):
                yield f"a space between quotation marks and their text must not break: {text!r}"
            places = places_of(text)
            # The singular form may omit the number.
            if places != wanted and not (plural and places == places_of(sources[0])):
                yield f"other places: {sources[-1]!r} has {sorted(wanted)}, {text!r} has {sorted(places)}"


def problems() -> list[str]:
    """Return a line for each problem in the translations of the package and all games."""
    lines: list[str] = []
    seen: dict[tuple[Any, ...], tuple[Any, Path]] = {}
    for folder in folders():
        for tag in tags(folder):
            path, catalog = path_of(folder, tag), merged(folder, tag)
            if not len(catalog):
                continue
            name = path.relative_to(PACKAGE)
            if not path.exists() or path.read_bytes() != written(catalog):
                lines.append(f"{name} is not up to date: run python -m tools.messages")
            lines += [f"{name}: {problem}" for problem in wrong(catalog)]
            for message in catalog:
                other, where = seen.setdefault((tag, message.context, str(message.id)), (message.string, name))
                # All files are merged at run time, so a string with several meanings needs `pgettext`.
                if message.id and other != message.string:
                    lines.append(f"{name}: {message.id!r} reads otherwise in {where}")
    return lines


def main() -> int:
    """Update the translation files, unless only checking them, list problems, and return the exit status."""
    parser = argparse.ArgumentParser(description="Update the translation files and list problems.")
    parser.add_argument("--check", action="store_true", help="do not change any file")
    if not parser.parse_args().check:
        for folder in folders():
            for tag in tags(folder):
                catalog = merged(folder, tag)
                if len(catalog):
                    path_of(folder, tag).parent.mkdir(exist_ok=True)
                    path_of(folder, tag).write_bytes(written(catalog))
    messages = problems()
    for problem in messages:
        print(problem)
    return int(bool(messages))


if __name__ == "__main__":
    sys.exit(main())
