"""Table settings: each is declared once (`setting.py`).

The form for a new table, the waiting room and the texts on pages (`form.py`), the JSON API, the stored row and
`docs/reference` follow from the declarations. The host can also change the settings of `RoomSettings` in the waiting
room; all others are fixed when the table is created.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pyramidion.bots import MASTER
from pyramidion.bots.labels import label
from pyramidion.engine.game import Game
from pyramidion.translation import _, marked
from pyramidion.web.durations import duration
from pyramidion.web.errors import BadTable
from pyramidion.web.table.bots import bot_names
from pyramidion.web.table.settings.setting import Setting, SettingChoice
from pyramidion.web.table.settings.time_controls import PREGAMES, accept_clock, accept_pregame, offered

PACES = {"instant": 0.0, "normal": 1.0, "relaxed": 2.5}
"""How long bots wait before each move, as multiples of the server's pause."""
NOW, WHEN_FULL, WHEN_READY = "now", "when-full", "when-ready"
LIVE_SECONDS = 3600
"""The longest time per decision of a live game; with more it is one by correspondence."""
BOT, RESIGN = "bot", "resign"
"""What happens to absent players: a bot plays until they return, or takes over for good."""


def plays_in_parts(game: Game) -> bool:
    """Return whether a game's submissions have parts that are saved before they are confirmed."""
    return any(family.is_part for family in game.actions.families.values())


def _clocks(game: Game) -> list[SettingChoice]:
    """Return the choices of the time per decision."""
    numbers = (SettingChoice(text, int(text) if text.isdecimal() else text, words) for text, words in offered(game))
    return [SettingChoice("", None, _("No limit")), *numbers]


def _pregames(game: Game) -> list[SettingChoice]:
    """Return the choices of the time before the first decision."""
    return [
        SettingChoice("", None, _("None")),
        *(SettingChoice(str(seconds), seconds, duration(seconds)) for seconds in PREGAMES),
    ]


def accept_absent(text: str | None, bots: Sequence[str]) -> str | None:
    """Return the policy for absent players: None (default moves), `bot:LEVEL` or `resign:LEVEL`. Raises BadTable."""
    if not text or text == "rule":
        return None
    kind, _colon, bot = text.partition(":")
    if kind not in (BOT, RESIGN) or bot not in bots:
        raise BadTable(
            _("'absent' must be rule, bot:LEVEL or resign:LEVEL, where LEVEL is one of {levels}.").format(
                levels=", ".join(bots)
            )
        )
    return text


def _absent(game: Game) -> list[SettingChoice]:
    """Return the choices of what happens to a player who is away."""
    kinds = ((BOT, _("Bot plays until they return")), (RESIGN, _("Replace with a bot")))
    bots = (
        SettingChoice(f"{kind}:{bot}", f"{kind}:{bot}", _("%(what)s: %(level)s") % {"what": words, "level": label(bot)})
        for kind, words in kinds
        # A form does not know yet whether Master will differ from Expert.
        for bot in bot_names(game)
        if bot != MASTER.name
    )
    return [SettingChoice("", None, _("Apply default moves")), *bots]


def _clock_help(game: Game) -> str:
    """Return the explanation of the time per decision."""
    if plays_in_parts(game):
        return _(
            "When time runs out, saved choices count and the rules' default moves fill in the rest. "
            "The clock runs day and night."
        )
    return _("When time runs out, the rules' default move is played. The clock runs day and night.")


class ChatSettings(BaseModel):
    """A table's chat rules."""

    model_config = ConfigDict(frozen=True)

    private: Annotated[
        Literal["none", "pairs", "groups"] | None,
        Setting(
            label=marked("Private messages"),
            group="chat",
            help=marked("Anyone with the link can read public messages."),
            choices=lambda game: [
                SettingChoice("none", "none", _("Public only")),
                SettingChoice("pairs", "pairs", _("Between two players")),
                SettingChoice("groups", "groups", _("Any group of players")),
            ],
            accept=lambda value, game: value or game.private_talk,
        ),
    ] = Field(
        default=None,
        description="Private messages: none, between two players, or among any; null for the game's default.",
    )
    closes: Annotated[
        Literal["never", "secret"],
        Setting(
            label=marked("Chat closes"),
            group="chat",
            choices=lambda game: [
                SettingChoice("never", "never", _("Never")),
                SettingChoice("secret", "secret", _("During secret choices")),
            ],
        ),
    ] = Field(default="never", description="`secret`: the chat is closed during secret simultaneous decisions.")
    watchers: Annotated[
        bool,
        Setting(
            label=marked("Spectators can chat"),
            group="chat",
            help=marked("Spectators can always read public messages."),
        ),
    ] = Field(default=False, description="Whether spectators can write public messages.")


class RoomSettings(BaseModel):
    """The settings that the host can also change in the waiting room."""

    model_config = ConfigDict(frozen=True)

    chat: ChatSettings = Field(default=ChatSettings(), description="Who may write what in the chat, and when.")

    @model_validator(mode="before")
    @classmethod
    def _null_is_left_out(cls, given: Any) -> Any:
        """Return the given settings, in which a null for `chat` counts as left out."""
        if not isinstance(given, dict):
            return given
        values = cast("dict[str, Any]", given)
        return {name: value for name, value in values.items() if name != "chat" or value is not None}


class TableSettings(RoomSettings):
    """The settings of a table. Some values may be left to the game; `settled` fills them in."""

    listed: Annotated[
        bool,
        Setting(
            label=marked("Visibility"),
            group="seats",
            help=marked("A private table can be joined by link or code. A public table is also listed in the lobby."),
            choices=lambda game: [
                SettingChoice("", False, _("Private")),
                SettingChoice("open", True, _("Public: listed in the lobby")),
            ],
        ),
    ] = Field(default=False, description="Whether the lobby lists the table while it has open seats.")
    rated: Annotated[
        bool,
        Setting(
            label=marked("Rated"),
            group="rating",
            help=marked(
                "The result changes the players' ratings. Players need an account. There are no hints and no "
                "takebacks, and the host cannot step in."
            ),
        ),
    ] = Field(
        default=False,
        description="Whether the result changes ratings. Players have accounts or are bots; there are no hints, no "
        "takebacks, no chosen seeds and no custom cards.",
    )
    hints: Annotated[
        bool | None,
        Setting(
            label=marked("Hints"),
            group="help",
            help=marked(
                "On their turn, players can ask what the strongest bot would do and why. Hints use only what that "
                "player can see. Everyone can see whether hints are on."
            ),
            choices=lambda game: [
                SettingChoice("", None, _("Only against bots")),
                SettingChoice("on", True, _("On")),
                SettingChoice("off", False, _("Off")),
            ],
        ),
    ] = Field(default=None, description="Whether players can ask for hints; null: only if all other seats are bots.")
    bot_pace: Annotated[
        Literal["instant", "normal", "relaxed"],
        Setting(
            label=marked("Bot pace"),
            group="time",
            help=marked(
                "How long bots wait before each move. It is the same for every move, so it gives nothing away."
            ),
            choices=lambda game: [
                SettingChoice("normal", "normal", _("Normal")),
                SettingChoice("instant", "instant", _("Instant")),
                SettingChoice("relaxed", "relaxed", _("Relaxed")),
            ],
        ),
    ] = Field(default="normal", description="How long bots wait before each move: instant, normal or relaxed.")
    coach: Annotated[
        bool,
        Setting(
            label=marked("Coach"),
            group="help",
            help=marked(
                "Before a serious mistake, the coach asks once whether you are sure. It uses only what that player "
                "can see. Not available in correspondence games. Everyone can see whether there is a coach."
            ),
        ),
    ] = Field(default=False, description="Whether people are asked once before a move that loses 15 points of chance.")
    clock: Annotated[
        int | None,
        Setting(
            label=marked("Time per decision"),
            group="time",
            help=_clock_help,
            choices=_clocks,
            other="number",
            words=duration,
            accept=lambda value, game: accept_clock(value),
        ),
    ] = Field(default=None, description="Seconds per decision, 5 to 604800, or null for no limit.")
    absent: Annotated[
        str | None,
        Setting(
            label=marked("Absent players"),
            group="time",
            help=marked(
                "What happens when a player runs out of time. Default moves are applied for the missed decision in any "
                "case."
            ),
            choices=_absent,
            other="text",
            words=str,
            accept=lambda value, game: accept_absent(value, bot_names(game)),
        ),
    ] = Field(
        default=None,
        description="What happens when a player runs out of time: null or rule for a default move each time, bot:LEVEL "
        "for a bot that plays until the player returns, resign:LEVEL for a bot that takes over the seat for good.",
    )
    pregame: Annotated[
        int | None,
        Setting(
            label=marked("Before the first phase"),
            group="time",
            help=marked("Time to chat before the game opens. The host can open the first phase earlier."),
            choices=_pregames,
            other="number",
            words=duration,
            accept=lambda value, game: accept_pregame(value),
            applies=plays_in_parts,
            paced=True,
        ),
    ] = Field(default=None, description="Seconds before the first phase, when nobody can act: 1 to 604800, or null.")
    close_early: Annotated[
        bool,
        Setting(
            label=marked("Close early"),
            group="time",
            help=marked(
                "A phase closes as soon as everyone has confirmed. Otherwise it stays open until time runs out, and "
                "players can change their choices."
            ),
            applies=plays_in_parts,
            preset="yes",
            paced=True,
        ),
    ] = Field(
        default=True, description="Whether a phase closes when all have confirmed, rather than when its time is up."
    )
    host_releases: Annotated[
        bool,
        Setting(
            label=marked("Host reveals results"),
            group="time",
            help=marked(
                "When a phase closes, the host reveals what happened one event at a time, to everybody at once. "
                "If the host is away for as long as a decision may take, the rest is revealed automatically."
            ),
            applies=plays_in_parts,
        ),
    ] = Field(default=False, description="Whether the host reveals the results of a phase one event at a time.")
    start: Annotated[
        Literal["now", "when-full", "when-ready"],
        Setting(
            label=marked("Game starts"),
            group="start",
            help=marked(
                "Until then players meet in a waiting room. As the host you can still change the options there and "
                "start at any time."
            ),
            choices=lambda game: [
                SettingChoice(WHEN_READY, WHEN_READY, _("when all seats are taken and everyone is ready")),
                SettingChoice(WHEN_FULL, WHEN_FULL, _("when all seats are taken")),
                SettingChoice(NOW, NOW, _("immediately; others can join later")),
            ],
            preset=WHEN_READY,
        ),
    ] = Field(
        default="now",
        description="When the match starts: now, when all seats are taken, or when all players are ready.",
    )

    @classmethod
    def of(cls, other: TableSettings) -> TableSettings:
        """Return the table settings in `other`, without the further fields that its model has."""
        return cls.model_validate({name: getattr(other, name) for name in cls.model_fields})

    def settled(self, game: Game, people: int) -> TableSettings:
        """Return these settings checked and completed with the defaults of a game. Raises BadTable with a sentence.

        `people` is the number of seats without bots.
        """
        made = _accepted(self, game)
        if made.rated:
            _check_rated(made, people)
        if made.hints is None:
            made = made.model_copy(update={"hints": people == 1 and not made.rated})
        if made.coach and made.clock is not None and made.clock > LIVE_SECONDS:
            raise BadTable(_("A coach needs a live game, with at most an hour per decision."))
        if not made.close_early:
            _check_stays_open(game, made.clock)
        return made

    def with_changes(self, changes: RoomSettings, game: Game) -> TableSettings:
        """Return the settings with a host's changes from the waiting room. Raises BadTable with a sentence."""
        changed = changes.model_fields_set & RoomSettings.model_fields.keys()
        return _accepted(self.model_copy(update={name: getattr(changes, name) for name in changed}), game)


Model = TypeVar("Model", bound=BaseModel)


def _accepted(model: Model, game: Game) -> Model:
    """Return settings with each value checked and completed by its declaration (`Setting.accept`)."""
    update: dict[str, Any] = {}
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            update[name] = _accepted(value, game)
        for setting in field.metadata:
            if isinstance(setting, Setting) and setting.accept is not None:
                update[name] = setting.accept(value, game)
    return model.model_copy(update=update)


def _check_rated(settings: TableSettings, people: int) -> None:
    """Raise BadTable for settings that a rated table cannot have."""
    if settings.hints:
        raise BadTable(_("A rated table has no hints."))
    if settings.coach:
        raise BadTable(_("A rated table has no coach."))
    if settings.host_releases:
        raise BadTable(_("At a rated table, results are shown at once."))
    if (settings.absent or "").startswith(f"{BOT}:"):
        raise BadTable(_("At a rated table a bot can replace absent players, but cannot play until they return."))
    if people > 1 and settings.clock is None:
        raise BadTable(_("A rated table for several players needs a time limit per decision."))


def _check_stays_open(game: Game, clock: int | None) -> None:
    """Raise BadTable if this game or clock does not allow phases that stay open until their time is up."""
    if not plays_in_parts(game):
        sentence = _("{game} allows no changes after submitting, so phases always close early.")
        raise BadTable(sentence.format(game=_(game.name)))
    if clock is None:
        raise BadTable(_("Fixed-length phases need a time limit per decision."))
