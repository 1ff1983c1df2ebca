"""The name under which Pyramidion is published, and the commands that install its extras."""

DISTRIBUTION = "pyramidion-games"
"""The name of the distribution. On the package index, `pyramidion` is somebody else's package."""


def missing(error: ModuleNotFoundError, extra: str) -> ModuleNotFoundError:
    """Return the exception that names the missing package and the command that installs its extra.

    That of a module of Pyramidion is returned as it is.
    """
    if error.name is None or error.name.partition(".")[0] == "pyramidion":
        return error
    package = error.name.partition(".")[0]
    return ModuleNotFoundError(
        f"{package} is not installed; install it with: {install_command(extra)}", name=error.name
    )


def install_command(*extras: str) -> str:
    """Return the command that installs these extras of Pyramidion, for messages about a missing package."""
    return f"pip install '{DISTRIBUTION}[{','.join(extras)}]'"
