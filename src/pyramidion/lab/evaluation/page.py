"""The HTML page of an evaluation: one self-contained page with everything that is needed to repeat it."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import jinja2

from pyramidion.engine.registry import load

if TYPE_CHECKING:
    from pyramidion.lab.evaluation.result import Evaluation


def page(evaluation: Evaluation) -> str:
    """Render the result of an evaluation as an HTML page."""
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string((files("pyramidion.lab.evaluation") / "page.html.j2").read_text("utf-8"))
    return template.render(
        game=load(evaluation.protocol.game),
        protocol=evaluation.protocol,
        complete=evaluation.complete,
        origin=evaluation.provenance,
        agents=sorted(evaluation.agents, key=lambda agent: -agent.rating),
    )
