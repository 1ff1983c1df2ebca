"""Answers with files: a part of a season as CSV, and templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pyramidion.seasons.template import Template
from pyramidion.web.features.seasons.view_models import csv_text
from pyramidion.web.http.responses import Csv, Json
from pyramidion.web.table.snapshots import json_encoder as wire

ATTACHED = {"content-disposition": "attachment"}


def csv_file(view: Mapping[str, Any], part: str, *, spreadsheet: bool = False) -> Csv:
    """Answer with a part of what is shown. Raises and is as `csv_text` says."""
    return Csv(csv_text(view, part, spreadsheet=spreadsheet), 200, {"cache-control": "no-store", **ATTACHED})


def template_file(template: Template) -> Json:
    """Answer with a template."""
    return Json(wire.encode(asdict(template)), headers=ATTACHED)
