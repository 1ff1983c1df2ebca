"""The command line: `pyramidion serve | play | games | rules | ...`; `pyramidion` alone names all commands."""

from pyramidion.cli.app import app, main

__all__ = ["app", "main"]
