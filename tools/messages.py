"""Collect the texts that are to be translated into `locale/*.po`, and say which still want a translation.

    python -m tools.messages           new texts come in, those no longer used go, translations stay
    python -m tools.messages --check   change nothing; exit with 1 where something is missing

One set of files for the package, one for each game, beside what they translate. A test checks what `--check` does.
"""

from __future__ import annotations

import argparse
import re
import sys
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
]
OUR_TAGS = "pyramidion.web.keeping.Kept"
KEYWORDS: dict[str, Any] = {
    "_": None,
    "marked": None,
    "marked_for": ((1, "c"), 2),
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
PLACE = re.compile(r"\{\w*(?:![rs])?(?::[^{}]*)?\}|%\(\w+\)[sd]")


def folders() -> list[Path]:
    """Return the folders with texts: the package first, then those below `games`."""
    return [PACKAGE, *sorted(path.parent for path in (PACKAGE / "games").glob("*/__init__.py"))]


def texts(folder: Path) -> Catalog:
    """Return what is to be translated in a folder; the package's own leaves out the games."""
    found = Catalog()
    options = {"**.html": {"trimmed": "true", "newstyle_gettext": "true", "silent": "false", "extensions": OUR_TAGS}}
    options["**/templates/**.html"] = options["**.svg"] = options["**.html"]
    methods = [("games/**", "ignore"), *METHODS] if folder == PACKAGE else METHODS
    for file, _line, message, comments, context in extract_from_dir(
        folder, methods, options, keywords=KEYWORDS, comment_tags=("Translators:",)
    ):
        # Without line numbers a change elsewhere in a file changes nothing here.
        found.add(message, locations=[(file, 0)], auto_comments=comments, context=context)
    return found


def path_of(folder: Path, tag: str) -> Path:
    """Return the file with a folder's translations into a language."""
    return folder / "locale" / f"{tag}.po"


def merged(folder: Path, tag: str) -> Catalog:
    """Return a folder's translations brought up to date: all its texts, translated as far as they have been."""
    path, template = path_of(folder, tag), texts(folder)
    old = read_po(BytesIO(path.read_bytes()), locale=tag.replace("-", "_")) if path.exists() else Catalog()
    made = Catalog(locale=tag.replace("-", "_"), fuzzy=False)
    for message in sorted(template, key=lambda one: (sorted(one.locations), str(one.id))):
        if not message.id:
            continue
        known = old.get(message.id, message.context)
        made.add(
            message.id,
            known.string if known is not None else None,
            sorted(set(message.locations)),
            context=message.context,
            auto_comments=list(dict.fromkeys(message.auto_comments)),
        )
    return made


def written(catalog: Catalog) -> bytes:
    """Return a catalogue as its file has it."""
    file = BytesIO()
    write_po(file, catalog, width=0, omit_header=True, include_lineno=False, sort_output=False)
    return file.getvalue()


def wrong(catalog: Catalog) -> Iterator[str]:
    """Say what is missing in a catalogue, or has other places for values than the English."""
    plural_forms = {"zh_Hant": 1}.get(str(catalog.locale), 2)
    for message in catalog:
        if not message.id:
            continue
        plural = not isinstance(message.id, str)
        sources = list(message.id) if plural else [message.id]
        given = list(message.string or ()) if plural else [message.string]
        if len(given) != (plural_forms if plural else 1) or not all(given):
            yield f"not translated: {sources[0]!r}"
            continue
        wanted = set(PLACE.findall(sources[-1]))
        for text in given:
            places = set(PLACE.findall(text))
            # The form for one may leave the number out.
            if places != wanted and not (plural and places == set(PLACE.findall(sources[0]))):
                yield f"other places: {sources[-1]!r} has {sorted(wanted)}, {text!r} has {sorted(places)}"


def problems() -> list[str]:
    """Return what is wrong with the translations, a line each; empty if nothing is."""
    found: list[str] = []
    seen: dict[tuple[Any, ...], tuple[Any, Path]] = {}
    for folder in folders():
        for tag in TAGS:
            path, catalog = path_of(folder, tag), merged(folder, tag)
            if not len(catalog):
                continue
            name = path.relative_to(PACKAGE)
            if not path.exists() or path.read_bytes() != written(catalog):
                found.append(f"{name} is not up to date: run python -m tools.messages")
            found += [f"{name}: {problem}" for problem in wrong(catalog)]
            for message in catalog:
                other, where = seen.setdefault((tag, message.context, str(message.id)), (message.string, name))
                # All files are read into one; a text that means something else elsewhere needs `pgettext`.
                if message.id and other != message.string:
                    found.append(f"{name}: {message.id!r} reads otherwise in {where}")
    return found


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description="Collect the texts that are to be translated.")
    parser.add_argument("--check", action="store_true", help="change nothing")
    if not parser.parse_args().check:
        for folder in folders():
            for tag in TAGS:
                catalog = merged(folder, tag)
                if len(catalog):
                    path_of(folder, tag).parent.mkdir(exist_ok=True)
                    path_of(folder, tag).write_bytes(written(catalog))
    found = problems()
    for problem in found:
        print(problem)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
