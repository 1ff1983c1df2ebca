"""The error of an entrant, which ends a contest."""


class EntrantError(ValueError):
    """An entrant does not exist, cannot be imported or has failed; the message is a sentence."""
