"""Errors that several modules of the engine raise."""

from __future__ import annotations


class BadRecord(ValueError):
    """The record is malformed, has an unsupported rules version or contains an illegal action."""
