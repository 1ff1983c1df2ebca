"""The command line: `pyramidion serve | play | games | rules | laws | bench | warm`."""

from pyramidion.cli.app import app, main

__all__ = ["app", "main"]
