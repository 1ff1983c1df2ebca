"""Tests of what people do in seasons and tournaments as values: forms and JSON bodies say the same."""

import pytest

from pyramidion.seasons.events import EpisodeOpened
from pyramidion.tournaments.events import Joined, Left, PlacesEntered, Replaced, Returned
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.seasons import forms as season_forms
from pyramidion.web.features.seasons.api.schemas import EntryIn, TalkIn
from pyramidion.web.features.seasons.commands import (
    AddEvent,
    ChooseFace,
    Converse,
    LayOutPhases,
    PlanEpisodes,
    RenewLink,
    SetWebhooks,
    TakeStep,
)
from pyramidion.web.features.tournaments import commands as tournament_commands
from pyramidion.web.features.tournaments.api import EventIn
from pyramidion.web.features.tournaments.commands import BeginRound, SetWebhook, SignUp, Withdraw

TOURNAMENT_FORMS = [
    ("join", {"name": "Ana"}, SignUp("Ana")),
    ("leave", {}, Withdraw()),
    ("begin", {}, BeginRound()),
    ("webhook", {"webhook": "https://a.example"}, SetWebhook("https://a.example")),
]
HOST_FORMS = [
    ("bot", {"name": "Bo", "bot": "easy"}, {"kind": "joined", "name": "Bo", "bot": "easy"}, Joined("Bo", "easy")),
    ("remove", {"player": "p1"}, {"kind": "left", "player": "p1"}, Left("p1")),
    ("take-back", {"player": "p1"}, {"kind": "returned", "player": "p1"}, Returned("p1")),
    (
        "replace",
        {"player": "p1", "bot": "easy"},
        {"kind": "replaced", "player": "p1", "bot": "easy"},
        Replaced("p1", "easy"),
    ),
    (
        "result",
        {"round": "1", "table": "0", "place-10": "3", "place-0": "2", "place-2": "1"},
        {"kind": "result-entered", "round": 1, "group": 0, "places": [2, 1, 3]},
        PlacesEntered(1, 0, (2, 1, 3)),
    ),
]


@pytest.mark.parametrize(("name", "form", "command"), TOURNAMENT_FORMS)
def test_a_form_of_a_tournament_gives_its_command(name, form, command):
    assert tournament_commands.command_of_form(name, form) == command


@pytest.mark.parametrize(("name", "form", "body", "event"), HOST_FORMS)
def test_a_form_and_a_json_body_give_the_same_event_of_a_tournament(name, form, body, event):
    assert EventIn.model_validate({"event": body}).event == event
    assert tournament_commands.command_of_form(name, form) == tournament_commands.AddEvent(event)


def test_a_form_and_a_json_body_give_the_same_event_of_a_season():
    body = EntryIn.model_validate(
        {"event": {"kind": "gave", "contestant": "c1", "to": "c2", "amount": 3}, "reason": "A bet"}
    )
    form = {"kind": "gave", "contestant": "c1", "to": "c2", "amount": "3", "reason": "A bet"}
    assert season_forms.command_of_form("do", form, "UTC") == AddEvent(body.event, body.reason, None)


def test_a_form_and_a_json_body_give_the_same_line_of_a_conversation():
    body = TalkIn.model_validate({"event": {"kind": "said", "to": "c2", "text": "Hello"}})
    form = {"kind": "said", "to": "c2", "text": "Hello", "back": "talk"}
    assert season_forms.command_of_form("say", form, "UTC") == Converse(body.event, None)


SEASON_FORMS = [
    (
        "step",
        {"step": "open", "game": "pyramis", "duel": "", "clock": "60", "title": "One"},
        TakeStep("open", EpisodeOpened("pyramis", None, 60, "One")),
    ),
    (
        "schedule",
        {"starts": "2026-11-28T12:00", "phases": "Main match, 48", "skip_weekends": "yes"},
        LayOutPhases(1795863600000, "Main match, 48", True, None),
    ),
    ("plan", {"template": "t1"}, PlanEpisodes("t1", None)),
    ("link", {"who": "c1"}, RenewLink("c1")),
    ("portrait", {"who": "c1", "face": "default"}, ChooseFace("c1", None)),
]


@pytest.mark.parametrize(("name", "form", "command"), SEASON_FORMS)
def test_a_form_of_a_season_gives_its_command(name, form, command):
    assert season_forms.command_of_form(name, form, "Europe/Paris") == command


def test_a_form_sets_the_webhooks_that_it_has():
    command = season_forms.command_of_form("webhook", {"hosts": ""}, "UTC")
    assert isinstance(command, SetWebhooks)
    assert command.urls.get("hosts") == ""
    assert "webhook" not in command.urls


def test_a_form_with_an_unknown_name_is_refused():
    with pytest.raises(BadRequest):
        tournament_commands.command_of_form("promote", {})
    with pytest.raises(BadRequest):
        season_forms.command_of_form("promote", {}, "UTC")
