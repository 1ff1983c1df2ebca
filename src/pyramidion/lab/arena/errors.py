"""What ends a contest."""


class NoEntrant(ValueError):
    """An entrant does not exist, cannot be imported or has failed; the message is a sentence."""
