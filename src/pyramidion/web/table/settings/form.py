"""Table settings on pages: the form for a new table and for the waiting room, and the settings in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel

from pyramidion.engine.game import Game
from pyramidion.translation import _
from pyramidion.web.table.settings.declarations import RoomSettings, TableSettings
from pyramidion.web.table.settings.setting import GROUPS, Setting, SettingChoice


@dataclass(frozen=True, slots=True)
class DeclaredSetting:
    """A setting's declaration, together with the name, default and description of its model field.

    Attributes:
        path: the names of the fields that lead to it: `("chat", "private")`.
        in_room: whether the host can change it in the waiting room.
    """

    path: tuple[str, ...]
    setting: Setting
    default: Any
    description: str
    in_room: bool

    @property
    def field(self) -> str:
        """The name of the setting's form field: `chat-private`."""
        return "-".join(self.path).replace("_", "-")

    def value(self, settings: BaseModel) -> Any:
        """Return the value that this setting has in a table's settings."""
        value: Any = settings
        for name in self.path:
            value = getattr(value, name)
        return value

    def describe(self, value: Any, game: Game) -> str:
        """Return a value of this setting in words."""
        if self.setting.choices is None:
            return _("on") if value else _("off")
        label = next((choice.words for choice in self.setting.choices(game) if choice.value == value), None)
        if label is not None or self.setting.words is None:
            return label or str(value)
        return self.setting.words(value)


@cache
def declared_settings(model: type[BaseModel] = TableSettings) -> tuple[DeclaredSetting, ...]:
    """Return all settings that a model declares, in the order of the form."""
    order = list(GROUPS)
    return tuple(sorted(_walk(model, (), False), key=lambda declaration: order.index(declaration.setting.group)))


def _walk(model: type[BaseModel], path: tuple[str, ...], in_room: bool) -> Iterator[DeclaredSetting]:
    """Yield the settings of a model and of the models inside it; `path` leads to the model from the outermost one."""
    for name, field in model.model_fields.items():
        also_in_room = in_room or name in RoomSettings.model_fields
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _walk(field.annotation, (*path, name), also_in_room)
        for setting in field.metadata:
            if isinstance(setting, Setting):
                yield DeclaredSetting((*path, name), setting, field.default, field.description or "", also_in_room)


@dataclass(frozen=True, slots=True)
class FormField:
    """The texts and choices from which a template draws a setting's form field.

    Attributes:
        name: the name of the form field.
        choices: the choices; None for a checkbox.
        preset: what is selected, or ticked (`yes`), initially.
        paced: whether choosing one of the game's own paces overrides it.
    """

    name: str
    label: str
    help: str
    choices: Sequence[SettingChoice] | None
    preset: str
    paced: bool


def form_fields(game: Game, *, in_room: bool = False) -> list[tuple[str, list[FormField]]]:
    """Return the form's fields as (heading, fields); with `in_room` only those that can change in the waiting room."""
    groups: dict[str, list[FormField]] = {}
    for declaration in declared_settings():
        setting = declaration.setting
        if not setting.applies(game) or (in_room and not declaration.in_room):
            continue
        choices = setting.choices(game) if setting.choices is not None else None
        usual = setting.accept(declaration.default, game) if setting.accept is not None else declaration.default
        at_first = next((choice.text for choice in choices or () if choice.value == usual), "")
        preset = setting.preset if setting.preset is not None else at_first
        help_text = setting.help(game) if callable(setting.help) else _(setting.help) if setting.help else ""
        form_field = FormField(declaration.field, _(setting.label), help_text, choices, preset, setting.paced)
        groups.setdefault(setting.group, []).append(form_field)
    return [(_(GROUPS[group]), fields) for group, fields in groups.items()]


def form_values(settings: RoomSettings) -> dict[str, str]:
    """Return a waiting room's settings as form values, by field name; boxes that are not ticked are left out."""
    values = {
        declaration.field: declaration.value(settings) for declaration in declared_settings() if declaration.in_room
    }
    return {field: "yes" if value is True else str(value) for field, value in values.items() if value is not False}


@dataclass(frozen=True, slots=True)
class SettingText:
    """A setting of a table in words; `usual` tells whether it has its default value."""

    field: str
    group: str
    label: str
    words: str
    usual: bool


def setting_texts(settings: TableSettings, game: Game, *, host: bool = False) -> list[SettingText]:
    """Return a table's settings in words: those that are public or, if `host`, all."""
    texts: list[SettingText] = []
    for declaration in declared_settings():
        setting, value = declaration.setting, declaration.value(settings)
        if setting.applies(game) and (host or setting.audience == "public"):
            usual = setting.accept(declaration.default, game) if setting.accept is not None else declaration.default
            words = declaration.describe(value, game)
            texts.append(SettingText(declaration.field, setting.group, _(setting.label), words, value == usual))
    return texts
