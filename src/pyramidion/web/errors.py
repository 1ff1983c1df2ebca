"""Refusals: exceptions with an HTTP status and a sentence for the person or program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """Return the body of a refusal as problem details (RFC 9457), with `error` and `more` as extensions."""
    title = code.replace("-", " ").capitalize()
    body = {"type": f"urn:pyramidion:problem:{code}", "title": title, "status": status, "detail": detail}
    return {**body, "error": code, **more}


def fault_text(fault: Mapping[str, Any]) -> str:
    """Return the message of one fault of Pydantic's, without the prefix that it puts before a message of ours."""
    return str(fault["msg"]).removeprefix("Value error, ")


class Refused(Exception):
    """A request that is refused with a message and has changed nothing.

    Attributes:
        status: the HTTP status.
        code: a code for programs, the same for every refusal of this kind.
        sentence: what is wrong, and what would be right.
        more: further JSON-ready members for programs.
    """

    status = 400
    code = "refused"

    def __init__(self, sentence: str, **more: Any) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.more = more

    def as_json(self) -> dict[str, Any]:
        """Return the body of the response for programs."""
        return problem(self.status, self.code, self.sentence, **self.more)


class BadRequest(Refused):
    """The request is malformed: invalid JSON, a missing field or an invalid value."""

    code = "bad-request"


class TooLarge(BadRequest):
    """The body is larger than this address accepts."""

    status = 413
    code = "too-large"


class NoSuchToken(Refused):
    """The token does not hold a seat at this table."""

    status = 401
    code = "unknown-token"


class Forged(Refused):
    """The form was not sent by one of our own pages."""

    status = 403
    code = "forged"


class NotSignedIn(Refused):
    """The requester is neither a browser that the server knows, nor a program with a token."""

    status = 401
    code = "not-signed-in"


class OutOfScope(Refused):
    """The API token does not allow this."""

    status = 403
    code = "out-of-scope"


class NotYourSeat(Refused):
    """The requester does not hold the seat."""

    status = 403
    code = "not-your-seat"


class HasSecrets(Refused):
    """The response would contain secrets of a game that is still in progress."""

    status = 403
    code = "not-over"


class NoHints(Refused):
    """The table has no hints."""

    status = 403
    code = "no-hints"


class NoPremoves(Refused):
    """The game has no premoves."""

    status = 404
    code = "no-premoves"


class NotStarted(Refused):
    """The match has not started: the table is in its waiting room."""

    status = 409
    code = "not-started"


class NotDue(Refused):
    """The seat has no decision to make now."""

    status = 409
    code = "not-due"


class UnknownTable(Refused, LookupError):
    """No table has this id."""

    status = 404
    code = "unknown-table"


class UnknownSeat(Refused, LookupError):
    """The table has no such seat."""

    status = 404
    code = "unknown-seat"


class UnknownGame(Refused, LookupError):
    """No game has this id."""

    status = 404
    code = "unknown-game"


class NoSuchPerson(Refused, LookupError):
    """No account has this name."""

    status = 404
    code = "unknown-person"


class NotYours(Refused):
    """Only somebody else may do this in a season or tournament."""

    status = 403
    code = "not-yours"


class NotPossibleNow(Refused):
    """The present state of a season or tournament does not allow this."""

    status = 409
    code = "not-possible"


class StaleVersion(Refused):
    """The action was chosen at a position that is no longer the viewer's latest: a double or late click."""

    status = 409
    code = "stale"


class TimeIsUp(Refused):
    """The action came after its deadline."""

    status = 409
    code = "time-is-up"


class TableIsPaused(Refused):
    """The table is paused."""

    status = 409
    code = "paused"


class NotTheHost(Refused):
    """Only the host may do this."""

    status = 403
    code = "not-the-host"


class CannotBeDone(Refused):
    """The table is not in the right state for this."""

    status = 409
    code = "not-now"


class SeatTaken(Refused):
    """The seat belongs to somebody else, or the requester already has one."""

    status = 409
    code = "seat-taken"


class CannotGoOn(Refused):
    """This version of the game cannot continue the table."""

    status = 410
    code = "cannot-go-on"


class BadTable(Refused, ValueError):
    """The seats, options or settings of a new table are invalid."""

    status = 422
    code = "bad-table"


class HiddenByOperators(Refused, LookupError):
    """The operators of this server have hidden the page."""

    status = 404
    code = "hidden"


class ClosedByOperators(Refused):
    """The operators of this server have closed sign-up, or the creation of tables and events."""

    status = 403
    code = "closed"


class TooMany(Refused):
    """An address, seat or table has exceeded a rate limit."""

    status = 429
    code = "too-many"


class Unreadable(Refused):
    """The database cannot be read at the moment."""

    status = 503
    code = "unreadable"


class NotSaved(Refused):
    """Storage failed, so nothing was changed."""

    status = 503
    code = "not-saved"
