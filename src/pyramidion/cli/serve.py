"""`pyramidion serve`."""

from __future__ import annotations

from pyramidion.cli.asking import Refused


def serve(host: str, port: int, open_browser: bool) -> None:
    """Run the server until it is stopped. Raises Refused where it cannot start."""
    from pyramidion.web.app import serve as run

    try:
        run(host=host, port=port, open_browser=open_browser)
    except ValueError as error:
        raise Refused(str(error), code=1) from error
