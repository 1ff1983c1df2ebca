"""The command line: `pyramidion serve | play | games | rules | laws | arena | bench | warm`."""

from pyramidion.cli.app import app, main

__all__ = ["app", "main"]
