"""The settings of a table: declared once, and everything else follows from the declarations."""

from __future__ import annotations

import re

import pytest

import pyramidion
from pyramidion.web.errors import BadRequest, BadTable
from pyramidion.web.table.settings.declarations import RoomSettings, TableSettings
from pyramidion.web.table.settings.form import declared_settings, form_fields, form_values, setting_texts
from pyramidion.web.table.settings.setting import GROUPS
from pyramidion.web.table_requests.forms import room_settings_of, settings_of

PONZI, UPSIDE = pyramidion.load("ponzi-scheme"), pyramidion.load("upside-down")


def test_every_field_of_the_model_is_a_declared_setting_with_words():
    leaves = {name.replace("_", "-") for name in TableSettings.model_fields if name != "chat"}
    assert {one.field for one in declared_settings()} == leaves | {"chat-private", "chat-closes", "chat-watchers"}
    for one in declared_settings():
        assert one.setting.label
        assert one.description
        assert one.setting.group in GROUPS


def test_the_form_for_a_new_table_has_a_field_for_each_setting_of_the_game(client):
    for game in (PONZI, UPSIDE):
        page = client.get(f"/games/{game.id}/new").text
        names = set(re.findall(r'name="([a-z-]+)"', page))
        fields = {field.name for _heading, fields in form_fields(game) for field in fields}
        assert fields <= names
        assert ("pregame" in fields) is (game is UPSIDE)


def test_a_form_is_parsed_by_the_declarations():
    form = {"clock": "90", "absent": "bot:easy", "hints": "on", "listed": "open", "start": "when-full"}
    form |= {"chat-private": "pairs", "chat-watchers": "yes", "pregame": "3600", "close-early": "yes"}
    made = settings_of(UPSIDE, form)
    expected = {"clock": 90, "absent": "bot:easy", "hints": True, "listed": True, "start": "when-full"}
    expected |= {"pregame": 3600, "close_early": True}
    assert made.model_dump(include=set(expected)) == expected
    assert made.chat.model_dump() == {"private": "pairs", "closes": "never", "watchers": True}
    assert settings_of(PONZI, {}).clock is None
    assert settings_of(UPSIDE, {}).close_early is False  # a box that was not ticked


def test_a_pace_of_the_game_decides_the_whole_timing():
    made = settings_of(UPSIDE, {"clock": "pace-0", "pregame": "3600", "close-early": "yes"})
    assert (made.clock, made.close_early, made.pregame) == (86400, False, 86400)


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("chat-private", "loud", "Private messages must be one of: none, pairs, groups"),
        ("start", "never", "Game starts must be one of: when-ready, when-full, now"),
        ("listed", "perhaps", r"Visibility must be one of: “” \(Private\), open"),
        ("hints", "maybe", r"Hints must be one of: “” \(Only against bots\), on, off"),
        ("clock", "soon", "Time per decision must be a whole number of seconds"),
        ("pregame", "soon", "Before the first phase must be a whole number of seconds"),
    ],
)
def test_what_the_form_does_not_offer_is_refused(field, text, sentence):
    with pytest.raises(BadRequest, match=sentence):
        settings_of(UPSIDE if field == "pregame" else PONZI, {field: text})


def test_what_is_left_to_the_game_is_filled_in():
    assert TableSettings().settled(UPSIDE, people=3).chat.private == "groups"
    assert [TableSettings().settled(PONZI, people).hints for people in (1, 2)] == [True, False]
    with pytest.raises(BadTable, match="'absent' must be"):
        TableSettings(absent="bot:nobody").settled(PONZI, people=1)


def test_the_waiting_room_changes_only_the_settings_that_are_declared_for_it():
    assert {one.field for one in declared_settings() if one.in_room} == {"chat-private", "chat-closes", "chat-watchers"}
    assert room_settings_of(PONZI, {"clock": "30"}) is None
    changes = room_settings_of(PONZI, {"chat-private": "pairs", "chat-closes": "secret", "clock": "30"})
    before = TableSettings(clock=60, listed=True).settled(PONZI, people=2)
    after = before.with_changes(changes, PONZI)
    assert (after.clock, after.chat.private, after.chat.closes) == (60, "pairs", "secret")
    assert after.with_changes(RoomSettings.model_validate({"chat": None}), PONZI) == after
    form = form_values(after)
    assert form == {"chat-private": "pairs", "chat-closes": "secret"}
    assert room_settings_of(PONZI, form).chat == after.chat


def test_pages_say_each_setting_in_words():
    settings = TableSettings(clock=75, absent="bot:easy", close_early=False).settled(UPSIDE, people=2)
    said = {one.label: (one.words, one.usual) for one in setting_texts(settings, UPSIDE)}
    assert said["Time per decision"] == ("1 minute 15 seconds", False)
    assert said["Absent players"] == ("Bot plays until they return: Easy", False)
    assert said["Close early"] == ("off", False)
    assert said["Visibility"] == ("Private", True)
    assert "Close early" not in {one.label for one in setting_texts(settings, PONZI)}


def test_the_api_documents_each_setting_for_new_tables_tables_and_rooms(client):
    schemas = client.get("/api/openapi.json").json()["components"]["schemas"]
    for name in ("NewTable", "TableOut", "RoomOut"):
        assert schemas[name]["properties"].keys() >= TableSettings.model_fields.keys()
    assert schemas["NewTable"]["properties"]["clock"]["description"] == TableSettings.model_fields["clock"].description


def test_a_program_is_told_the_values_of_a_flag(client):
    table = {"game": "ponzi-scheme", "seats": [{"kind": "me"}] * 3, "listed": "perhaps", "hints": "maybe"}
    answer = client.post("/api/tables", json=table)
    assert answer.status_code == 422
    assert answer.json()["detail"] == "listed: Choose one of true, false; hints: Choose one of true, false."
