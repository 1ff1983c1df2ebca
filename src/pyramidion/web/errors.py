"""What the server refuses, each with its status and a sentence for the person or program that asked."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """A request that is answered with a clear sentence and has changed nothing.

    Attributes:
        status: the HTTP status of the answer.
        code: a word for programs, the same for every refusal of this kind.
        sentence: what is wrong, and what would be right.
        more: further JSON-ready facts for programs.
    """

    status = 400
    code = "refused"

    def __init__(self, sentence: str, **more: Any) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.more = more

    def as_json(self) -> dict[str, Any]:
        """Return the body of the answer that programs get."""
        return {"error": self.code, "detail": self.sentence, **self.more}


class BadRequest(Refused):
    """Not what this address takes: malformed JSON, a missing field."""

    code = "bad-request"


class TooLarge(BadRequest):
    """A body longer than anything this address takes."""

    status = 413
    code = "too-large"


class NoSuchToken(Refused):
    """A seat token that holds no seat at this table."""

    status = 401
    code = "unknown-token"


class Forged(Refused):
    """A form that did not come from one of our own pages."""

    status = 403
    code = "forged"


class NotYourSeat(Refused):
    """An action for a seat that the asker does not hold."""

    status = 403
    code = "not-your-seat"


class HasSecrets(Refused):
    """Something that holds everybody's secrets, asked for while the game is still going on."""

    status = 403
    code = "not-over"


class NoHints(Refused):
    """A hint, asked for at a table where nobody gets any."""

    status = 403
    code = "no-hints"


class NoOrders(Refused):
    """An order given in advance, in a game that has none."""

    status = 404
    code = "no-orders"


class NotStarted(Refused):
    """Something that needs a match that has begun, asked for while the table waits in its room."""

    status = 409
    code = "not-started"


class NotDue(Refused):
    """Something that needs a decision to be due."""

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


class StaleVersion(Refused):
    """An action made at a position that is no longer the newest one for its viewer: a doubled or a late click."""

    status = 409
    code = "stale"


class TimeIsUp(Refused):
    """An action that came after its deadline."""

    status = 409
    code = "time-is-up"


class TableIsPaused(Refused):
    """Something that cannot be done while the table is paused."""

    status = 409
    code = "paused"


class NotTheHost(Refused):
    """An act of the host, asked for by somebody who is not."""

    status = 403
    code = "not-the-host"


class CannotBeDone(Refused):
    """An act for which the table is not in the state it needs."""

    status = 409
    code = "not-now"


class SeatTaken(Refused):
    """A seat that somebody else holds, or a second seat for somebody who has one."""

    status = 409
    code = "seat-taken"


class CannotGoOn(Refused):
    """A table that this version of the games cannot continue."""

    status = 410
    code = "cannot-go-on"


class BadTable(Refused, ValueError):
    """A table that cannot be started as asked: seats or options out of their range."""

    status = 422
    code = "bad-table"


class TooMany(Refused):
    """More than one address, seat or table may ask for."""

    status = 429
    code = "too-many"


class Unreadable(Refused):
    """The database cannot be read just now."""

    status = 503
    code = "unreadable"


class NotSaved(Refused):
    """Storage failed, so what was asked for was not done."""

    status = 503
    code = "not-saved"
