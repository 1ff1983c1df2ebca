"""Response schemas shared by several parts of the JSON API."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class Fault(BaseModel):
    """A refusal, as problem details (RFC 9457). Some have more members, such as the rule or the current position."""

    type: str = Field(description="A URI for this kind of refusal, such as urn:pyramidion:problem:stale.")
    title: str = Field(description="The kind of refusal in words; always the same for a type.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="A sentence for people.")
    error: str = Field(description="A code for programs: illegal-action, stale, not-your-seat, unknown-table, ...")


class HealthOut(BaseModel):
    """The health of the server."""

    status: Literal["ok", "not-saving"]
    version: str
    tables: int = Field(description="Tables in memory.")
    compiling: bool = Field(description="Whether rules are still being compiled.")


class ReadyOut(BaseModel):
    """Whether the server is ready for requests."""

    status: Literal["ok", "not-ready"]
    wrong: list[str] = Field(description="What is wrong, one sentence each.")


class SeatOut(BaseModel):
    """A seat and its player."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str
    bot: str | None
    level: str | None = Field(description="The bot's level as shown to people: Beginner, Easy, Normal, Hard, Expert.")
    present: bool
    stand_in: str | None = Field(default=None, description="The bot that plays until the player returns.")
    reserved: bool = Field(default=False, description="Whether only a player invited by the host can take the seat.")


class ReceiptOfContribution(BaseModel):
    """The receipt of your contribution to the seed: SHA-256 of the JSON [game, table, source, text, nonce]."""

    seat: int
    commitment: str
    text: str
    source: Literal["browser", "own", "server"]
    nonce: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    404: {"model": Fault, "description": "There is no such table, seat or game; the message lists what exists."},
    410: {"model": Fault, "description": "The table cannot continue: the rules of its game have changed since."},
}


CHANGES: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    400: {"model": Fault, "description": "The body does not match the schema."},
    409: {"model": Fault, "description": "Too late: a stale version (with the newest position) or a taken seat."},
    422: {"model": Fault, "description": "Not allowed: the rule and the reason, or the option and its range."},
    503: {"model": Fault, "description": "The change could not be stored, so nothing has changed."},
}


ALLOWED: dict[int | str, dict[str, Any]] = {
    **CHANGES,
    401: {"model": Fault},
    403: {"model": Fault, "description": "The table's chat rules do not allow this, or not now; the message says why."},
    429: {"model": Fault, "description": "Too many messages in a short time."},
}
