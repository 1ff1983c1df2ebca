"""Response schemas of tables, positions, actions and events."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from pyramidion.web.http.schemas import ReceiptOfContribution, SeatOut
from pyramidion.web.table.settings.declarations import TableSettings


class SubmissionOut(BaseModel):
    """The status of your submission in a simultaneous step."""

    open: bool = Field(description="Whether you can still change and confirm it.")
    saved: list[str] = Field(description="The parts you have saved; they count when time is up.")
    confirmed: bool


class ReceiptOut(BaseModel):
    """The receipt of your submission: SHA-256 of [game, table, seat, step, actions, nonce] as JSON."""

    seat: int
    step: int
    commitment: str
    actions: list[str]
    nonce: str


class PausedOut(BaseModel):
    """A pause."""

    since: int = Field(description="Milliseconds since 1970.")
    left: int | None = Field(description="Milliseconds left until the deadline once the game resumes.")


class ProposalOut(BaseModel):
    """A proposal to the other players."""

    what: Literal["takeback", "pause", "extension"]
    seat: int
    agreed: list[int]


class StandingOut(BaseModel):
    """The status of a table: clock, pause, proposals and submissions, if any."""

    paused: PausedOut | None = Field(default=None, description="Present while the game is paused.")
    releasing: bool | None = Field(
        default=None, description="Present while the host reveals the results of a phase; nobody can act."
    )
    proposals: list[ProposalOut] = Field(default=[], description="The open proposals.")
    queued: int | None = Field(default=None, description="If the due bot is waiting to think, its place in the queue.")
    deadline: int | None = Field(
        default=None,
        description="The deadline, in milliseconds since 1970. During "
        "`releasing`: when everything is revealed unless the host reveals the next event before.",
    )
    now: int | None = Field(
        default=None, description="The server's time in milliseconds since 1970, along with `deadline`."
    )
    submission: SubmissionOut | None = Field(
        default=None, description="The status of your submission, if you have one to make."
    )
    confirmed: list[int] | None = Field(
        default=None, description="The seats that have confirmed, if the table shows it."
    )
    receipt: ReceiptOut | None = Field(default=None, description="The receipt of your submission in this step.")


class TableOut(StandingOut, TableSettings):
    """Everything public about a table, and your seat."""

    id: str
    url: str
    game: str
    rules_version: int
    title: str
    begun: bool = Field(description="Whether the match has started; until then, see /api/tables/{id}/room.")
    options: dict[str, Any] = Field(description="The options; null for those hidden from you.")
    seeded: bool = Field(description="Whether the table's creator chose the seed, and so may know the cards.")
    secret_hash: str | None = Field(description="SHA-256 of the server's secret, which is revealed after the game.")
    own_cards: bool = Field(description="Whether the table uses a card file of its own: /t/{id}/cards.toml.")
    seats: list[SeatOut]
    seat: int | None = Field(description="The seat you hold, or null.")
    version: int
    acting: list[int]
    over: bool
    host_seat: int | None = Field(description="The host's seat; null if the host does not play, or there is no host.")
    host_name: str | None = Field(description="The name of a host who does not play, or null.")
    host_watches: bool = Field(
        description="Whether the host does not play, and so sees who has saved and confirmed, but never what."
    )


class NewTableOut(TableOut):
    """A new table with the tokens of your seats."""

    tokens: dict[int, str]
    host_token: str = Field(
        description="The host's token: that of your first seat, or a separate one if you do not play."
    )


class Seated(BaseModel):
    """Your new seat."""

    seat: int
    token: str | None = Field(
        description="Send it as 'Authorization: Bearer TOKEN'. It is shown only once. Null if you hold the seat by the "
        "cookie that you sent."
    )
    contribution: ReceiptOfContribution | None = Field(
        default=None, description="Your contribution, in the waiting room."
    )


class AcceptedOut(BaseModel):
    """The action has been played and stored; `version` is your new version."""

    version: int
    receipt: ReceiptOut | None = None


class GameOption(BaseModel):
    """An option of a game."""

    kind: Literal["flag", "whole", "choice", "numbers"]
    default: bool | int | str | list[int]
    range: str = Field(description="The allowed values, in words.")
    label: str
    help: str
    rule: str
    audience: Literal["public", "own", "secret"] = Field(description="Who can see the value during the game.")


class GameOut(BaseModel):
    """A game: what is needed to create a table and to read actions."""

    id: str
    name: str
    prefix: str = Field(description="The prefix of its rule numbers.")
    summary: str
    rules_version: int
    seats: list[int] = Field(description="The supported numbers of seats.")
    usual_seats: int
    bots: list[str]
    actions: list[str] = Field(description="The notation of each family of actions.")
    options: dict[str, GameOption]


class ViewOut(StandingOut):
    """A position as your seat, or a spectator, sees it."""

    version: int
    last_version: int
    seat: int | None = Field(description="The seat you hold, or null.")
    acting: list[int] = Field(description="The seats whose decision is due, as far as you can see.")
    free: list[int] = Field(description="The seats that may act although no decision is due from them.")
    over: bool
    names: list[str]
    view: dict[str, Any] = Field(description="The board; its fields depend on the game.")


class LegalAction(BaseModel):
    """A legal action."""

    id: int
    text: str


class LegalRange(BaseModel):
    """A range of numbers, such as amounts: the action with the number n has the id first_id + n - low."""

    family: str
    first_id: int
    low: int
    high: int


class LegalOut(BaseModel):
    """Your legal actions."""

    version: int
    legal: list[LegalAction | LegalRange]


class EventOut(BaseModel):
    """An event as your seat observed it."""

    n: int = Field(description="Its number among your events.")
    position: int = Field(description="Your position when it happened.")
    name: str
    rule: str
    data: dict[str, Any]
    text: str


class EventsOut(BaseModel):
    """Your events."""

    version: int
    events: list[EventOut]
    next: int | None = Field(description="If the limit has left some out: `since` for the next page.")


class SealOut(BaseModel):
    """A seal; `actions` and `nonce` are present once you may see them."""

    seat: int
    step: int
    commitment: str
    actions: list[str] | None = None
    nonce: str | None = None


class SealsOut(BaseModel):
    """The seals of simultaneous decisions, and the origin of the seed."""

    table: str
    game: str
    origin: dict[str, Any] | None = Field(
        description="The secret's hash and the contributions; null if the seed was chosen."
    )
    seals: list[SealOut]


class RecordOut(BaseModel):
    """The record of a finished match; `pyramidion verify` replays and checks it."""

    game: str
    rules_version: int
    seats: int
    options: dict[str, Any]
    seed: int | str
    actions: list[tuple[int, str]] = Field(description="Seat and notation of every action.")
    cards: str | None = Field(default=None, description="The card file, if it is not the game's own.")
    table: str
    origin: dict[str, Any] | None = Field(default=None, description="The origin of the seed.")
    seals: list[tuple[int, str, str]] = Field(description="Number of the action, commitment and nonce.")
    clock: list[int] = Field(description="Numbers of the default moves played by the clock.")


class News(StandingOut):
    """The data of one message of the stream."""

    version: int
    events: list[EventOut]
    acting: list[int]
    free: list[int]
    over: bool
    legal: list[LegalAction | LegalRange] | None = Field(
        default=None, description="Your legal actions, if you may act."
    )
    outcome: dict[str, Any] | None = Field(default=None, description="The outcome, after the game.")
    seats: list[SeatOut] | None = Field(default=None, description="The players, if they have changed.")
