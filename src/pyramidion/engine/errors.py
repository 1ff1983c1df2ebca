"""Exceptions that several modules of the engine raise."""

from __future__ import annotations


class BadRecord(ValueError):
    """The record is malformed, has an unsupported rules version or contains an illegal action."""


class IllegalAction(ValueError):
    """The rules do not allow the action; the match is unchanged.

    Attributes:
        rule: number of the rule that forbids it, `PZ 4.3`; may be empty, for example for a seat that is not due.
        reason: a sentence.
    """

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(rule, reason)
        self.rule, self.reason = rule, reason

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})" if self.rule else self.reason
