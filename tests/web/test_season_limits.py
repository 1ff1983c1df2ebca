"""How much people can write in a season, so that nobody makes it too long for the server or for the others."""

import pytest
from tests.web.helpers.season_company import cast
from tests.web.helpers.seasons import Host

from pyramidion.web.features.seasons import limits


@pytest.fixture
def season(client):
    """A season with an open match of the host's own; its contestants have tokens."""
    host = Host(client, talk="private", audience="live")
    host.tokens, _links = cast(host)
    host.done("own-match-set", name="Reasons", fields=[{"name": "why", "kind": "text"}])
    host.done("episode-opened") if host.get()["step"] == "open" else None
    host.done("own-match-opened", form="Reasons")
    return host


def refused(answer):
    """Return the sentence of a refusal."""
    assert answer.status_code == 409, answer.text
    return answer.json()["detail"]


def test_a_contestant_leaves_room_for_others_and_contestants_for_hosts(season, monkeypatch):
    nina, felix = season.tokens["Nina"], season.tokens["Felix"]
    monkeypatch.setattr(limits, "MOST_OF_CONTESTANT", 3)

    def asks(token, who):
        return season.do("asked", token=token, contestant=who, text="May I?")

    for _number in range(3):
        assert asks(nina, "c1").status_code == 200
    assert refused(asks(nina, "c1")) == "You have added 3 entries to this season, which is the most for a contestant."
    assert asks(felix, "c2").status_code == 200
    monkeypatch.setattr(limits, "MOST_OF_CONTESTANTS", length := len(season.get()["log"]))
    assert refused(asks(felix, "c2")) == f"This season is full: its log has {length} entries."
    season.done("posted", text="Hello!")
    monkeypatch.setattr(limits, "MOST_ENTRIES", length + 1)
    for answer in (
        season.do("posted", text="Hello!"),
        season.ask("POST", "/links/c1"),
        season.ask("POST", "/schedule", starts=1893456000000, phases=[["A", 24]]),
        season.ask("POST", "/cast", csv="name\nZoe", apply=True),
        season.ask("POST", "/reveal", match="m1"),
        season.ask("POST", "/step", step="own-match"),
    ):
        assert answer.status_code == 409, answer.text
    assert len(season.get()["log"]) == length + 1
    assert season.get(felix)["title"], "It can still be read."


def test_messages_and_submissions_have_limits_that_do_not_meet(season, monkeypatch):
    monkeypatch.setattr(limits, "MOST_MESSAGES_OF_ONE", 2)
    monkeypatch.setattr(limits, "MOST_MESSAGES", 3)
    monkeypatch.setattr(limits, "MOST_SUBMISSIONS", 2)
    nina, felix = season.tokens["Nina"], season.tokens["Felix"]

    def says(token):
        return season.ask("POST", "/talk", token, event={"kind": "said", "to": "c3", "text": "Hello!"})

    def submits(token):
        return season.ask("POST", "/submissions", token, match="m1", values={"why": "No."})

    assert [says(nina).status_code, says(nina).status_code] == [200, 200]
    assert refused(says(nina)) == "You have written 2 messages in this season, which is the most for a contestant."
    assert says(felix).status_code == 200
    assert refused(says(felix)) == "The conversations of this season are full: they have 3 messages."
    assert [submits(nina).status_code, submits(nina).status_code] == [200, 200]
    assert refused(submits(nina)) == "You have submitted 2 times in this season, which is the most for a contestant."
    assert submits(felix).status_code == 200
