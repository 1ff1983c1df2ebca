"""HTML forms for tables: game options and table settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pyramidion import Game
from pyramidion.translation import _
from pyramidion.web.errors import BadRequest
from pyramidion.web.http.forms import whole_number
from pyramidion.web.table.settings.declarations import RoomSettings, TableSettings
from pyramidion.web.table.settings.form import DeclaredSetting, declared_settings
from pyramidion.web.table.settings.time_controls import chosen_pace


def options_of(game: Game, form: Mapping[str, str]) -> dict[str, Any]:
    """Return the options in a form; a missing flag is an unticked box."""
    options: dict[str, Any] = {}
    for name, option in game.options.items():
        if option.kind == "numbers":
            row = [form.get(f"option-{name}-{seat}", "").strip() for seat in range(option.count)]
            if any(row):
                options[name] = row
            continue
        value = form.get(f"option-{name}")
        if value is not None or option.kind == "flag":
            options[name] = value if value is not None else "no"
    return options


def option_fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as values of a form's fields by name, which `options_of` reads: a list has one for each number."""
    fields: dict[str, Any] = {}
    for name, value in options.items():
        if isinstance(value, (list, tuple)):
            numbers = cast("Sequence[int]", value)
            fields |= {f"option-{name}-{seat}": number for seat, number in enumerate(numbers)}
        else:
            fields[f"option-{name}"] = value
    return fields


def settings_of(game: Game, form: Mapping[str, str]) -> TableSettings:
    """Return the settings in the form for a new table; one of the game's own paces sets all timing.

    Raises BadRequest with a sentence.
    """
    values = _values([declared for declared in declared_settings() if declared.setting.applies(game)], game, form)
    pace = chosen_pace(game, form.get("clock", ""))
    if pace is not None:
        values |= {"clock": pace.clock, "close_early": not pace.stays_open, "pregame": pace.pregame or None}
    return TableSettings.model_validate(values)


def room_settings_of(game: Game, form: Mapping[str, str]) -> RoomSettings | None:
    """Return the settings in the form of a waiting room, or None if it contains none. Raises BadRequest."""
    in_room = [declared for declared in declared_settings() if declared.in_room and declared.setting.applies(game)]
    if not any(declared.field in form for declared in in_room):
        return None
    return RoomSettings.model_validate(_values(in_room, game, form))


def _values(settings: Sequence[DeclaredSetting], game: Game, form: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of settings in a form, nested like the models that declare them."""
    values: dict[str, Any] = {}
    for declared in settings:
        inner = values
        for name in declared.path[:-1]:
            inner = inner.setdefault(name, {})
        inner[declared.path[-1]] = _value(declared, game, form)
    return values


def _value(declared: DeclaredSetting, game: Game, form: Mapping[str, str]) -> Any:
    """Return the value of one setting in a form, or its default. Raises BadRequest."""
    if declared.setting.choices is None:
        return declared.field in form
    text = form.get(declared.field)
    if text is None:
        return declared.default
    choices = declared.setting.choices(game)
    for choice in choices:
        if choice.text == text:
            return choice.value
    if declared.setting.other == "number":
        return whole_number(
            text, _("{setting} must be a whole number of seconds.").format(setting=_(declared.setting.label))
        )
    if declared.setting.other == "text":
        return text
    offered = ", ".join(choice.text or f"“” ({choice.words})" for choice in choices)
    sentence = _("{setting} must be one of: {choices}.")
    raise BadRequest(sentence.format(setting=_(declared.setting.label), choices=offered))
