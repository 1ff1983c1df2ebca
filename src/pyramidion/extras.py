"""The name under which Pyramidion is published, and the commands that install its extras."""

DISTRIBUTION = "pyramidion-games"
"""The name of the distribution. On the package index, `pyramidion` is somebody else's package."""


def install_command(*extras: str) -> str:
    """Return the command that installs these extras of Pyramidion, for messages about a missing package."""
    return f"pip install '{DISTRIBUTION}[{','.join(extras)}]'"
