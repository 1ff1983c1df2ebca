"""Answers with files: a part of a season as CSV, the feed of its episodes, and templates."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from pyramidion.event_log import HOUR
from pyramidion.seasons.season import Season
from pyramidion.seasons.template import Template
from pyramidion.translation import _
from pyramidion.web.features.seasons.log_texts import entry_sentence
from pyramidion.web.features.seasons.texts import names_then
from pyramidion.web.features.seasons.view_models import csv_text
from pyramidion.web.http.responses import Csv, Json
from pyramidion.web.table.snapshots import json_encoder as wire

ATTACHED = {"content-disposition": "attachment"}


def csv_file(view: Mapping[str, Any], part: str) -> Csv:
    """Answer with a part of a season's view as a CSV file for programs. Raises as `csv_text` does."""
    return Csv(csv_text(view, part), 200, {"cache-control": "no-store", **ATTACHED})


def spreadsheet(season: Season, view: Mapping[str, Any], part: str) -> Csv:
    """Answer with a part of a season's view as a CSV file for spreadsheets. Raises as `csv_text` does.

    `season` is that of the view if it is a host's; others have no log.
    """
    name_then = names_then(view)

    def describe(number: int) -> str:
        """Return what an entry of the log did, in words."""
        entry = season.log[number - 1]
        return entry_sentence(season, entry, lambda who: name_then(who, entry.at) or "")

    return Csv(csv_text(view, part, describe), 200, {"cache-control": "no-store", **ATTACHED})


def season_file(page: Response) -> Response:
    """Answer with a page of a season that needs no other file as an HTML file to keep."""
    page.headers.update({"cache-control": "no-store", **ATTACHED})
    return page


def episode_feed(view: Mapping[str, Any], link: str) -> Response:
    """Answer with an Atom feed of the episodes that can be watched, from what viewers see of a season.

    It says nothing of what happened. `link` is the full address of the season's page.
    """
    delay = view["settings"]["delay"] * HOUR
    feed = ET.Element("feed", xmlns="http://www.w3.org/2005/Atom")
    closed = [episode for episode in reversed(view["episodes"]) if episode["closed"]]
    latest = closed[0]["ended"] + delay if closed else 0
    _entry(feed, view["title"], link, latest)
    ET.SubElement(feed, "link", rel="self", href=f"{link}/episodes.atom")
    for episode in closed:
        name = _("Episode %(number)s") % {"number": episode["number"]}
        title = f"{name}: {episode['title']}" if episode["title"] else name
        _entry(ET.SubElement(feed, "entry"), title, f"{link}/show/{episode['number']}", episode["ended"] + delay)
    text = ET.tostring(feed, "utf-8", xml_declaration=True)
    return Response(text, 200, {"cache-control": "no-cache"}, "application/atom+xml; charset=utf-8")


def _entry(parent: ET.Element, title: str, link: str, at: int) -> None:
    """Add what a feed and its entries have alike; `at` is in milliseconds since 1970."""
    ET.SubElement(parent, "title").text = title
    ET.SubElement(parent, "id").text = link
    ET.SubElement(parent, "link", href=link)
    ET.SubElement(parent, "updated").text = datetime.fromtimestamp(at // 1000, UTC).isoformat()
    author = ET.SubElement(parent, "author")
    ET.SubElement(author, "name").text = "Pyramidion"


def template_file(template: Template) -> Json:
    """Answer with a season's template as a JSON file."""
    return Json(wire.encode(asdict(template)), headers=ATTACHED)
