"""What somebody reports, as a value, and carrying it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pyramidion.translation import _
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.reports.items import OTHER, Item
from pyramidion.web.features.reports.service import Reports
from pyramidion.web.names import clean_text

LONGEST: Final = 500
"""Maximum characters of the sentence in a report."""


@dataclass(frozen=True, slots=True)
class SendReport:
    """Report an item of the page at the address `place`, and say why in a sentence, or not."""

    place: str
    item: str
    sentence: str


async def execute(command: SendReport, items: Sequence[Item], reporter: str, reports: Reports) -> None:
    """Store a visitor's report about one of a page's items. Raises BadRequest, TooMany or NotSaved."""
    sentence = clean_text(command.sentence, LONGEST)
    item = next((item for item in items if item.id == command.item), None)
    if item is None and command.item != OTHER:
        raise BadRequest(_("Choose what you report."))
    if item is None and not sentence:
        raise BadRequest(_("Say in a sentence what you report."))
    quoted = f"{item.label}: {item.text}" if item is not None else ""
    await reports.add(reporter, command.place, command.item, quoted, sentence)
