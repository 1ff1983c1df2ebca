"""Answers with files: a part of a season as CSV, and templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from starlette.responses import Response

from pyramidion.seasons.template import Template
from pyramidion.web.features.seasons.view_models import csv_text
from pyramidion.web.http.responses import Csv, Json
from pyramidion.web.table.snapshots import json_encoder as wire

ATTACHED = {"content-disposition": "attachment"}


def csv_file(view: Mapping[str, Any], part: str, *, spreadsheet: bool = False) -> Csv:
    """Answer with a part of a season's view as a CSV file, for programs or for a `spreadsheet`.

    The content and the errors are those of `csv_text`.
    """
    return Csv(csv_text(view, part, spreadsheet=spreadsheet), 200, {"cache-control": "no-store", **ATTACHED})


def season_file(page: Response) -> Response:
    """Answer with a page of a season that needs no other file as an HTML file to keep."""
    page.headers.update({"cache-control": "no-store", **ATTACHED})
    return page


def template_file(template: Template) -> Json:
    """Answer with a season's template as a JSON file."""
    return Json(wire.encode(asdict(template)), headers=ATTACHED)
