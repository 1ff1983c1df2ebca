"""The command line: `main`, and the list of all commands. Each command imports its slow dependencies itself."""

from __future__ import annotations

import functools
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from difflib import get_close_matches
from enum import Enum
from typing import Annotated, Any, cast

import typer
from typer.exceptions import TyperException

import pyramidion
from pyramidion import environment_variables
from pyramidion.cli import play_commands, research_commands, server_commands
from pyramidion.cli.admin_app import admin as admin_app
from pyramidion.cli.console import accept_any_encoding
from pyramidion.cli.lab_app import lab as lab_app
from pyramidion.cli.options import CommandFailed
from pyramidion.text_files import unusable_file

NUMBERS = {"int": "a whole number", "float": "a number"}
"""What an option takes, by the name of its type."""
LONGEST_QUOTE = 40
"""Maximum characters of a value to quote in an error message."""

app = typer.Typer(
    name="pyramidion",
    help="Pyramid tabletop games for people (browser or terminal), bots and other programs.",
    add_completion=False,
    rich_markup_mode=None,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 0 success, 1 failure, 2 usage error, 130 interrupted.

    Errors are one line on stderr. `PYRAMIDION_DEBUG=1` shows the traceback of an unexpected error.
    """
    accept_any_encoding()
    try:
        code = _command()(args=arguments, prog_name="pyramidion", standalone_mode=False)
        sys.stdout.flush()
    except CommandFailed as refused:
        return _complain(str(refused), refused.code)
    except TyperException as error:
        message = _number_wanted(error) or error.format_message().replace(": Value error, ", ": ")
        message = _near_options(error) or message + _other_choice(error)
        return _complain(f"{message}{'' if message.endswith(('.', '?')) else '.'} {_hint(error)}", error.exit_code)
    except environment_variables.WrongVariable as error:
        return _complain(str(error), 1)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("Stopped.", 130)
    except BrokenPipeError:
        # The reader (`| head`) closed the pipe. Without this, Python reports the error again when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(unusable_file(error), 1)
    except ModuleNotFoundError:
        raise
    except Exception as error:
        if isinstance(error, UnicodeEncodeError) and (wrong := _not_utf8(arguments)) is not None:
            return _complain(f"{wrong} is not in UTF-8. Set your terminal to UTF-8, and type it again.", 2)
        if environment_variables.flag(environment_variables.DEBUG):
            raise
        return _complain(f"Internal error, please report it: {type(error).__name__}: {error}", 1)
    return code if isinstance(code, int) else 0


@functools.cache
def _command() -> Any:
    """Return all commands as one of Click's, built once."""
    # Typer would build all commands anew at every call.
    return typer.main.get_command(app)


def _complain(line: str, code: int) -> int:
    """Print a line on stderr, in a terminal broken between words, and return the exit code."""
    text = "pyramidion: " + " ".join(line.split())
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        text = textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)
    print(text, file=sys.stderr)
    return code


def _not_utf8(arguments: Sequence[str] | None) -> str | None:
    """Return the first argument that is not in UTF-8, escaped, or None."""
    given = sys.argv[1:] if arguments is None else arguments
    return next((ascii(text) for text in given if any("\udc80" <= sign <= "\udcff" for sign in text)), None)


def _number_wanted(error: TyperException) -> str | None:
    """Return a sentence about a value that is no number, or one out of range; None for every other error."""
    from pydantic import ValidationError  # slow to import

    param, cause = getattr(error, "param", None), error.__cause__
    number = NUMBERS.get(param.bare_type()) if param is not None else None
    if param is None or number is None or not isinstance(cause, ValidationError):
        return None
    limits = {"of at least": param.min, "and at most": param.max}
    words = [f"{word} {limit:,}" for word, limit in limits.items() if limit is not None]
    name = param.opts[0] if param.param_type_name == "option" else param.opts[0].upper()
    return f"{' '.join([name, 'must be', number, *words])}, not {str(cause.errors()[0]['input'])[:LONGEST_QUOTE]!r}."


def _near_options(error: TyperException) -> str | None:
    """Return a sentence about an option that does not exist, with those that may be meant; None for other errors."""
    near = sorted(getattr(error, "possibilities", None) or ())
    if not near:
        return None
    return f"No such option: {getattr(error, 'option_name', '')}. Did you mean {' or '.join(near)}?"


def _other_choice(error: TyperException) -> str:
    """Return what was probably meant by a word that is none of the choices: the nearest choice, or another command."""
    param, cause = getattr(error, "param", None), cast("Any", error.__cause__)
    choices = _choices(param)
    if cause is None or not choices:
        return ""
    given = str(cause.errors()[0]["input"]).lower()
    context: Any = getattr(error, "ctx", None)
    commands: dict[str, Any] = getattr(context.parent.command, "commands", {}) if context and context.parent else {}
    takers = [name for name, command in commands.items() for other in command.params if given in _choices(other)]
    if takers and given not in choices:
        return f" {given!r} goes with: {', '.join(takers)}."
    near = get_close_matches(given, choices, 1)
    return f" Did you mean {near[0]!r}?" if near else ""


def _choices(param: Any) -> list[str]:
    """Return the words that a parameter can be; none if it can be anything else."""
    annotation = param.type_descriptor.annotation if param is not None else None
    return [str(word) for word in annotation] if isinstance(annotation, type) and issubclass(annotation, Enum) else []


def _hint(error: TyperException) -> str:
    """Return what to do about a mistyped command: the names of the commands or games, or where to read its options."""
    context = getattr(error, "ctx", None)
    if context is not None and error.format_message().startswith(("No such command", "Missing command")):
        return f"The commands are: {', '.join(context.command.commands)}."
    if error.format_message().startswith("Missing argument 'GAME'"):
        from pyramidion.engine import registry  # slow to import

        return f"The games are: {', '.join(registry.ids())}."
    return f"See {context.command_path if context else 'pyramidion'} --help."


def commands() -> list[str]:
    """Return the names of all commands in --help order."""
    return list(typer.main.get_group(app).commands)


def subcommands() -> list[str]:
    """Return the names of the commands of all groups, such as `lab sweep`."""
    groups = typer.main.get_group(app).commands.items()
    return [f"{name} {command}" for name, group in groups for command in getattr(group, "commands", ())]


def _version(wanted: bool) -> None:
    """Print the version and exit, if that is wanted."""
    if wanted:
        print(f"pyramidion {pyramidion.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Pyramid tabletop games for people (browser or terminal), bots and other programs."""
    if context.invoked_subcommand is None:
        print(context.get_help())
    else:
        environment_variables.check_variables()


for command in (
    server_commands.serve,
    play_commands.play,
    play_commands.learn,
    play_commands.games,
    play_commands.rules,
    play_commands.cards,
    play_commands.verify,
    play_commands.analyse,
    research_commands.laws,
    research_commands.new_game,
    research_commands.bench,
    research_commands.arena,
    research_commands.describe,
    research_commands.dataset,
    research_commands.evaluate,
    research_commands.puzzles,
    research_commands.train,
    server_commands.warm,
    server_commands.migrate,
    server_commands.backup,
    server_commands.restore,
    server_commands.settings,
    server_commands.export,
):
    app.command()(command)  # in the order of --help
for group in (lab_app, server_commands.ratings, admin_app):
    app.add_typer(group)
