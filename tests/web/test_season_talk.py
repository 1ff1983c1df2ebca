"""A season's conversations at its tables: who has them there, who hears of them, and what the others see."""

import re

import pytest
from tests.web.conftest import Listening
from tests.web.helpers.accounts import Person
from tests.web.helpers.seasons import Host

MINE = 'id="season-talk'


class Table:
    """A season with three people at a table of three, its host, all in browsers, and somebody who only watches."""

    def __init__(self, server, client, bots=(), **settings):
        self.host = Host(client, **{"talk": "private", "audience": "live", **settings})
        names = ("Ana", "Bo", "Chi")
        for name in names:
            self.host.done("cast-added", name=name)
        self.host.bots(bots)
        self.people = {name: Person(server) for name in (*names, "Hal", "stranger")}
        self.links = {one["name"]: one["token"] for one in self.host.ask("GET", "/links").json()}
        self.season = f"/seasons/{self.host.id}"
        for name in (*names, "Hal"):
            self.people[name].say(f"{self.season}/join", code=self.links.get(name, self.host.token))
        [table] = self.host.step("open", game="pyramid-shambo")["episodes"][-1]["tables"]
        self.path, self.cast = f"/t/{table['table']}", table["cast"]

    def __getitem__(self, name):
        return self.people[name]

    def say(self, name, to, text):
        self[name].say(f"{self.season}/say", kind="said", to=to, text=text)

    def part(self, name):
        return self[name].get(f"{self.season}/talk", params={"part": 1})

    def stream(self, name):
        return Listening(self[name], f"{self.path}/stream", {}, {})

    def seen(self, name):
        """Return all that somebody gets of the table and the season, without what differs with each request."""
        paths = ["", "/fragment", "/log", "/chat"]
        paths = [*(self.path + path for path in paths), *(self.season + path for path in ("", "/now", "/talk"))]
        answers = [self[name].get(path) for path in paths] + [self.part(name)]
        return [(one.status_code, re.sub(r'(name="key" )?value="[^"]*"', "", one.text)) for one in answers]

    def close(self):
        for person in self.people.values():
            person.close()


@pytest.fixture
def table(server, client):
    made = []

    def one(**settings):
        made.append(Table(server, client, **settings))
        return made[-1]

    yield one
    for table in made:
        table.close()


def test_a_line_is_heard_by_its_readers_and_changes_no_byte_for_the_others(table):
    """Two worlds: before and after others have written to each other, formed an alliance, and one of them left it."""
    at = table()
    others = ("Chi", "Hal", "stranger")
    with at.stream("Ana") as ana, at.stream("Bo") as bo, at.stream("Chi") as chi, at.stream("stranger") as watching:
        for stream in (ana, bo, chi, watching):
            assert stream.next() is not None
        while any('class="away"' in text for _status, text in at.seen("stranger")):
            pass  # the players become present by their streams, and stay so
        before = {name: at.seen(name) for name in others}
        at.say("Ana", "c2", "Together?")
        assert bo.next("talk") == ana.next("talk") == {}
        at["Bo"].say(f"{at.season}/say", kind="alliance-formed", name="The Two", **{"with-c1": "yes"})
        assert ana.next("talk") == bo.next("talk") == {}
        at["Ana"].say(f"{at.season}/say", kind="said", to="a1", text="Nobody knows.")
        assert ana.next("talk") == bo.next("talk") == {}
        at["Bo"].say(f"{at.season}/say", kind="alliance-left", alliance="a1")
        assert ana.next("talk") == bo.next("talk") == {}
        for stream in (chi, watching):
            while (block := stream.raw()) != [": still here"]:
                assert not any("talk" in line for line in block)
        assert {name: at.seen(name) for name in others} == before
        # What they hear next is what is for them, too.
        at["Ana"].say(f"{at.path}/chat", text="Good luck", seat=str(at.cast.index("c1")))
        assert chi.next("chat") == watching.next("chat") == {}
    assert "Together?" in at.part("Bo").text


def test_contestants_and_hosts_have_a_tab(table):
    at = table()
    for name, has in {"Ana": True, "Hal": True, "stranger": False}.items():
        assert (MINE in at[name].get(at.path).text) is has, name
        assert at.part(name).status_code == (200 if has else 403), name
    # A show is watched without it.
    assert MINE not in at["Ana"].get(f"{at.path}?until_here=1").text
    # A stand-in takes the place; whoever held it before has nothing any more.
    at.host.done("stood-in", contestant="c1", name="Dea")
    assert MINE not in at["Ana"].get(at.path).text
    assert at.part("Ana").status_code == 403


def test_hosts_read_conversations_where_the_settings_say_so(table):
    at = table(talk="hosts")
    with at.stream("Hal") as hal:
        assert hal.next() is not None
        at.say("Ana", "c2", "Together?")
        assert hal.next("talk") == {}
    assert "Together?" in at.part("Hal").text
    assert "<form" not in at.part("Hal").text


@pytest.mark.parametrize("talk", ["none", "private"])
def test_hosts_hear_of_a_confessional_and_nobody_else_does(table, talk):
    at = table(talk=talk)
    assert 'id="confess"' in at.part("Ana").text
    assert ('class="say"' in at.part("Ana").text) is (talk == "private")
    before = {name: at.seen(name) for name in ("Bo", "stranger")}
    with at.stream("Hal") as hal, at.stream("Bo") as bo, at.stream("stranger") as watching:
        for stream in (hal, bo, watching):
            assert stream.next() is not None
        words = {"text": "Bo bluffs.", "publish": "never"}
        at["Ana"].say(f"{at.season}/do", kind="confessed", contestant="c1", key="once", **words)
        assert hal.next("talk") == {}
        for stream in (bo, watching):
            while (block := stream.raw()) != [": still here"]:
                assert not any("talk" in line for line in block)
    assert {name: at.seen(name) for name in before} == before
    assert re.search(r'data-lines="1"><summary>Confessionals', at.part("Hal").text)
    assert "Bo bluffs." in at.part("Hal").text


def test_a_hidden_season_is_not_there_for_those_who_may_not_see_it(table):
    at = table(audience="none")
    for path in ("/talk", "/talk?part=1"):
        assert at["stranger"].get(at.season + path).status_code == 404
    assert at.host.id not in at["stranger"].get(at.path).text


def test_a_program_with_the_link_of_a_contestant_reads_nothing(table):
    at = table()
    headers = {"Authorization": f"Bearer {at.links['Ana']}"}
    answer = at.host.client.get(f"{at.season}/talk", headers=headers)
    assert answer.status_code == 403


def test_forms_answer_scripts_with_a_sentence_and_pages_with_the_draft(table):
    at, scripts = table(), {"accept": "application/json"}
    bo = at["Bo"]

    def send(path="say", headers=None, **fields):
        data = {"csrf": bo.csrf, "back": "talk", **fields}
        return bo.post(f"{at.season}/{path}", data=data, headers=headers)

    line = {"kind": "said", "to": "c1", "key": "once"}
    for _ in range(2):
        answer = send(headers=scripts, text="Gladly.", **line)
        assert (answer.status_code, answer.json()) == (200, {})
    assert at.part("Ana").text.count("Gladly.") == 1
    assert send(text="Then", **{**line, "key": "2"}).headers["location"] == f"{at.season}/talk#say-c1"
    long = {**line, "key": "3", "text": "x" * 4001}
    answer = send(headers=scripts, **long)
    assert answer.status_code == 409
    assert "4000" in answer.json()["detail"].replace(",", "")
    page = send(**long)
    assert page.status_code == 409
    assert '<main class="page narrow season"' in page.text
    assert f"{'x' * 4001}</textarea>" in page.text
    assert re.search(r'id="talk-c1-c2" open\s', page.text), "The conversation is open."
    assert send("do", scripts, kind="confessed", contestant="c2", text="Hm.", publish="never").json() == {}
    assert "Hm." in at.part("Bo").text
    assert "Hm." not in at.part("Ana").text
    # The match is given up; Bo leaves the season, reads on, and writes no more.
    for kind in ("confessed", "match-opened", "episode-opened"):
        entry = next(one for one in reversed(at.host.get()["log"]) if one["kind"] == kind)
        at.host.done("revoked", "Played elsewhere.", entry=entry["number"])
    at.host.done("withdrawn", contestant="c2")
    answer = send(headers=scripts, text="Wait", **{**line, "key": "4"})
    assert answer.status_code == 409
    assert answer.json()["detail"] == "Bo has left the season."
    assert "Gladly." in at.part("Bo").text
    assert "<form" not in at.part("Bo").text


def test_a_page_has_conversations_in_a_lasting_order(table):
    at = table(bots=("Ada",))
    folds = re.compile(r'<details class="talk-with" id="talk-(\w+(?:-\w+)?)"')

    def order(name):
        return folds.findall(at.part(name).text)

    assert order("Bo") == ["c1-c2", "c2-c3", "new", "confess"], "A bot cannot read."
    at.say("Chi", "c2", "Hello")
    at["Chi"].say(f"{at.season}/say", kind="alliance-formed", name="All", **{"with-c1": "yes", "with-c2": "yes"})
    assert order("Bo") == ["a1", "c1-c2", "c2-c3", "new", "confess"]
    assert re.findall(r'data-lines="(\d+)"', at.part("Bo").text) == ["0", "0", "1"]
    assert re.findall(r'data-lines="(\d+)"', at.part("Chi").text) == ["0", "0", "0"], "One's own lines are not news."
