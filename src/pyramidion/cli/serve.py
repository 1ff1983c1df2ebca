"""The `pyramidion serve` command."""

from __future__ import annotations

import gc

from pyramidion.cli.options import CommandFailed


def serve(host: str, port: int, open_browser: bool, lab: bool = False) -> None:
    """Run the server until it is stopped. Raises CommandFailed if it cannot start."""
    if not 0 <= port <= 65535:
        raise CommandFailed(f"The port must be a whole number from 0 to 65535, not {port}.")
    # Imports leave hardly any garbage, and looking for it takes an eighth of their time.
    gc.disable()
    from pyramidion.web.application import serve as run

    gc.enable()
    try:
        run(host=host, port=port, open_browser=open_browser, lab=lab)
    except ValueError as error:
        raise CommandFailed(str(error), code=1) from error
