"""Names of accounts: what is accepted, and which names count as the same."""

from __future__ import annotations

from pyramidion.names import folded
from pyramidion.web.errors import Refused
from pyramidion.web.names import OF_A_BOT, clean_name
from pyramidion.words import _

RESERVED = {"me"}
"""Names that stand for something else in addresses: /people/me is the visitor's own page."""


class BadAccount(Refused):
    """The name, password or passkey is not acceptable."""

    status = 422
    code = "bad-account"


def account_name(name: str) -> str:
    """Return an account's name with normalized spaces. Raises BadAccount or BadRequest with a sentence."""
    tidy = clean_name(name)
    if tidy is None:
        raise BadAccount(_("Enter a name."))
    if OF_A_BOT.search(tidy):
        raise BadAccount(_("Only a bot's name can end like this. Choose another name."))
    if key_of(tidy) in RESERVED:
        raise BadAccount(_("This name is reserved. Choose another one."))
    return tidy


def key_of(name: str) -> str:
    """Return a name normalized for comparison: case, width and the spaces around words do not matter."""
    return folded(" ".join(folded(name).split()))[:160]
