"""Tests of host commands as values: forms and JSON bodies say the same."""

from typing import get_args, get_type_hints

import pytest

from pyramidion.web.errors import BadRequest
from pyramidion.web.features.host_controls.api import HostCommandIn, ProposalIn
from pyramidion.web.features.host_controls.commands import (
    Answer,
    ApplyDefault,
    Close,
    Extend,
    HandOver,
    Pause,
    Propose,
    Release,
    Replace,
    Resume,
    Rewind,
    TakeSeatBack,
    command_of_form,
    parse_command,
    parse_proposal,
    proposal_of_form,
)

COMMANDS = [
    ({"command": "pause"}, Pause()),
    ({"command": "resume"}, Resume()),
    ({"command": "extend", "seconds": 60}, Extend(60)),
    ({"command": "close"}, Close()),
    ({"command": "apply-default", "seat": 1}, ApplyDefault(1)),
    ({"command": "replace", "seat": 1, "bot": "random"}, Replace(1, "random", None)),
    ({"command": "replace", "seat": 1, "account": "Ben"}, Replace(1, None, "Ben")),
    ({"command": "replace", "seat": 1}, Replace(1, None, None)),
    ({"command": "hand-over", "seat": 2}, HandOver(2)),
    ({"command": "rewind", "step": 0}, Rewind(0)),
    ({"command": "release"}, Release(everything=False)),
    ({"command": "release", "everything": True}, Release(everything=True)),
]


def as_form(body):
    return {name: "yes" if value is True else str(value) for name, value in body.items()} | {"sure": "yes"}


@pytest.mark.parametrize(("body", "command"), COMMANDS)
def test_a_form_and_a_json_body_give_the_same_command(body, command):
    assert parse_command(body["command"], HostCommandIn(**body).model_dump()) == command
    assert command_of_form(as_form(body)) == command


def test_every_command_of_the_api_is_tried_above():
    assert {body["command"] for body, _command in COMMANDS} == set(get_args(get_type_hints(HostCommandIn)["command"]))


@pytest.mark.parametrize(("name", "field"), [("extend", "seconds"), ("replace", "seat"), ("rewind", "step")])
def test_a_missing_number_is_refused_by_its_name(name, field):
    with pytest.raises(BadRequest, match=f"Missing field: {field}"):
        parse_command(name, HostCommandIn(command=name).model_dump())
    with pytest.raises(BadRequest, match=f"The field {field} must be a whole number"):
        command_of_form({"command": name, field: "soon", "sure": "yes"})


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"command": "close"}, "This affects everyone"),
        ({"command": "replace", "seat": "1", "account": "Ben", "bot": "random", "sure": "yes"}, "Invited player"),
        ({"command": "dance"}, "Unknown host action"),
        ({}, "Unknown host action"),
    ],
)
def test_a_form_that_gives_no_clear_command_is_refused(form, sentence):
    with pytest.raises(BadRequest, match=sentence):
        command_of_form(form)


@pytest.mark.parametrize(
    ("body", "proposal"),
    [
        ({"do": "propose", "what": "pause"}, Propose("pause", None)),
        ({"do": "propose", "what": "takeback", "version": 7}, Propose("takeback", 7)),
        ({"do": "agree", "what": "pause"}, Answer("pause", agrees=True, version=None)),
        ({"do": "refuse", "what": "extension"}, Answer("extension", agrees=False, version=None)),
        ({"do": "resume"}, Resume()),
        ({"do": "back"}, TakeSeatBack()),
    ],
)
def test_a_form_and_a_json_body_give_the_same_proposal(body, proposal):
    given = ProposalIn(**body)
    assert parse_proposal(given.do, given.what or "", given.version) == proposal
    form = {"proposal": f"{given.do}:{given.what or ''}", "version": str(given.version or "")}
    assert proposal_of_form(form) == proposal


@pytest.mark.parametrize("form", [{}, {"proposal": "dance"}, {"proposal": "propose:pause", "version": "new"}])
def test_a_form_that_makes_no_proposal_is_refused(form):
    with pytest.raises(BadRequest):
        proposal_of_form(form)
