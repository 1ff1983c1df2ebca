"""QR codes for the pages."""

from __future__ import annotations

import segno
from markupsafe import Markup


def picture(text: str, label: str) -> Markup:
    """Draw a text, such as a link, as a QR code in SVG; `label` describes it to screen readers."""
    code = segno.make_qr(text, error="l", boost_error=False)
    svg = code.svg_inline(border=4, light="#fff", svgclass="qr", omitsize=True)
    return Markup('<span role="img" aria-label="{label}">{svg}</span>').format(label=label, svg=Markup(svg))  # noqa: S704
