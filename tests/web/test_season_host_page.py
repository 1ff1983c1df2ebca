"""The host's page: the forms that each role is offered, what they propose, and what they keep when they are refused."""

import csv
import re
from contextlib import ExitStack, closing
from html.parser import HTMLParser
from typing import get_args

import pytest
from tests.web.helpers.accounts import Person

from pyramidion.seasons.events.undo import LASTING
from pyramidion.seasons.people import Role
from pyramidion.seasons.roles import ALLOWED
from pyramidion.web.features.seasons.console.tabs import TABS

STEPS = {"open": {"episode-opened"}, "elimination": {"eliminated", "episode-closed"}, "close": {"episode-closed"}}
"""The entries of a form that takes a step."""
FORMS = {"schedule": {"phase-set"}, "plan": {"episode-planned"}, "cast": {"cast-added", "corrected"}}
"""The entries of forms that add several at once."""
FOR_CONTESTANTS = {"bought", "gave"}
"""What hosts can do for contestants with a program alone."""
OF_FORMATS = {"candidate-named"}
"""What only some formats of episodes ask for (`test_season_console.py`)."""


class Forms(HTMLParser):
    """The forms of a page: `found` has their actions, and their fields as a browser would send them."""

    def __init__(self, page):
        super().__init__()
        self.found, self._select, self._text = [], None, None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self.found.append((given["action"].rpartition("/")[2].partition("#")[0], {}))
        elif self.found:
            self._field(tag, given)

    def _field(self, tag, given):
        fields = self.found[-1][1]
        if tag == "input" and "name" in given and (given.get("type") != "checkbox" or "checked" in given):
            fields[given["name"]] = given.get("value", "")
        elif tag == "select":
            self._select = given["name"]
        elif tag == "option" and (self._select not in fields or "selected" in given):
            fields[self._select] = given.get("value", "")
            self._text = self._select if "value" not in given else None
        elif tag == "textarea":
            self._text = given["name"]
            fields[self._text] = ""

    def handle_endtag(self, tag):
        if tag in ("textarea", "option"):
            self._text = None

    def handle_data(self, data):
        if self._text is not None:
            self.found[-1][1][self._text] += data.removeprefix("\n")

    def kinds(self):
        """Return the kinds of entries that the forms are for."""
        found = set()
        for action, fields in self.found:
            found |= STEPS.get(fields.get("step"), set()) if action == "step" else FORMS.get(action, set())
            found |= {fields["kind"]} if action == "do" else set()
        return found

    def one(self, action="do", **fields):
        """Return the fields of the only form to this action with these fields."""
        [found] = [own for form, own in self.found if form == action and fields.items() <= own.items()]
        return found


class Season:
    """A season with a host of each role, all in browsers, and two contestants without; `people` are by role."""

    def __init__(self, server, stack):
        self.people = {role: stack.enter_context(closing(Person(server))) for role in get_args(Role)}
        self.hal = self.people["host"]
        self.path = self.hal.say("/seasons", title="Code Red", host="Hal").removesuffix("/host")
        for role in [*self.people][1:]:
            self.do("host-added", name=role.title(), role=role)
        self.hal.say(f"{self.path}/cast", csv="Ada,5,3,policy\nBlaise,4,7,random\nNina,8,4,\nOmar,6,5,", apply="yes")
        self.tokens = {one["name"]: one["token"] for one in self.hal.get(f"/api{self.path}/links").json()}
        for role, person in [*self.people.items()][1:]:
            person.say(f"{self.path}/join", code=self.tokens[role.title()])

    def do(self, kind, **fields):
        return self.hal.say(f"{self.path}/do", kind=kind, back="host", **fields)

    def page(self, role="host", **query):
        answer = self.people[role].get(f"{self.path}/host", params=query)
        assert answer.status_code == 200
        return answer.text

    def forms(self, role="host", **query):
        return Forms(self.page(role, **query))

    def asks(self, name, **event):
        """Do something as a contestant's program."""
        headers = {"authorization": f"Bearer {self.tokens[name]}"}
        answer = self.hal.post(f"/api{self.path}/entries", json={"event": event}, headers=headers)
        assert answer.status_code == 200, answer.text

    def refused(self, action="do", **fields):
        """Return the forms of the page that answers one that is refused."""
        answer = self.hal.form(f"{self.path}/{action}", back="host", **fields)
        assert answer.status_code == 409, answer.text
        assert 'role="alert"' in answer.text
        return Forms(answer.text)


@pytest.fixture
def season(server):
    with ExitStack() as stack:
        yield Season(server, stack)


def test_each_role_is_offered_what_it_may_do(season):
    """At every step: no form is offered that would be refused, and nothing that the role may do is missing."""
    offered = {role: set() for role in season.people}
    assert season.hal.post(f"/api{season.path}/join", json={"code": season.tokens["Nina"]}).status_code == 200

    def look(*tabs):
        for role in season.people:
            kinds = set().union(*(season.forms(role, **tab).kinds() for tab in tabs or [{}]))
            assert kinds <= ALLOWED[role], role
            offered[role] |= kinds
            told = season.people[role].get(f"/api{season.path}").json()
            assert told["may"] == sorted(ALLOWED[role])

    look()
    season.do("item-set", name="Nudge", price="2")
    season.do("episode-planned", title="Arrival")
    season.hal.say(f"{season.path}/schedule", starts="2030-01-07T20:00", phases="Main match, 48")
    season.asks("Nina", kind="asked", contestant="c3", text="May I?")
    season.asks("Nina", kind="extension-asked", contestant="c3", phase="p1", hours=12)
    planned = {"kind": "phases-planned", "phases": [{"name": "Bids", "after": 0, "minutes": 60}]}
    assert season.hal.api("POST", f"/api{season.path}/entries", event=planned).status_code == 200
    look(*({"tab": tab.id, "who": "c3", "phase": "p1"} for tab in TABS))
    for step, entries in {
        "open": [],
        "result": [("result-entered", {"candidate": "c4"})],
        "opponent": [("opponent-named", {"opponent": "c3"})],
        "duel-result": [("duel-entered", {"loser": "c4"}), ("eliminated", {"contestant": "c4"})],
        "close": [],
    }.items():
        look()
        if step == "result":
            bids = {"preset": "form", "name": "Bids", "label-1": "Bid", "kind-1": "number", "rounds": "2"}
            season.do("own-match-set", **bids)
            look()
            for kind in ("own-match-opened", "own-round-opened"):
                season.do(kind, form="Bids", match="m1")
                look()
                season.do("own-round-sealed", match="m1")
                season.hal.say(f"{season.path}/reveal", kind="reveal", back="host", match="m1")
                look()
        for kind, fields in entries:
            look()
            season.do(kind, **fields)
        if step in ("open", "close"):
            season.hal.say(f"{season.path}/step", step=step)
    for role, kinds in offered.items():
        assert kinds == ALLOWED[role] - FOR_CONTESTANTS - OF_FORMATS, role


def test_a_moderator_extends_phases_and_renames_contestants(season):
    season.hal.say(f"{season.path}/schedule", starts="2030-01-07T20:00", phases="Main match, 48")
    mo = season.people["moderator"]
    mo.say(f"{season.path}/do", **season.forms("moderator", tab="timeline").one(kind="phase-extended"))
    form = season.forms("moderator", tab="cast", who="c3").one(kind="cast-changed", contestant="c3")
    assert mo.say(f"{season.path}/do", **{**form, "name": "Pia"}) == f"{season.path}/host?tab=cast&who=c3#c3"
    told = mo.get(f"/api{season.path}").json()
    assert told["cast"][2]["name"] == "Pia"
    assert told["schedule"][0]["ends"] - told["schedule"][0]["starts"] == 72 * 3_600_000
    assert 'id="portraits"' in season.page("moderator", tab="cast", who="c3")
    assert 'id="portraits"' not in season.page("announcer", tab="cast", who="c3")


def test_entries_that_cannot_be_undone_have_no_form_for_it(season):
    season.do("posted", text="Hello.")
    entries = {one["number"]: one["kind"] for one in season.hal.get(f"/api{season.path}").json()["log"]}
    undo = {fields["entry"] for _action, fields in season.forms(tab="log").found if fields.get("kind") == "revoked"}
    assert undo == {str(number) for number, kind in entries.items() if kind not in LASTING}
    assert "host-added" in LASTING


def test_a_bot_who_is_renamed_stays_a_bot(season):
    forms = {}
    for who, name, bot in (("c1", "Ada", "policy"), ("c2", "Blaise", "random"), ("c3", "Nina", "")):
        forms[who] = season.forms(tab="cast", who=who).one(kind="cast-changed", contestant=who)
        assert (forms[who]["name"], forms[who]["bot"]) == (name, bot)
    season.hal.say(f"{season.path}/do", **{**forms["c1"], "name": "Eve"})
    cast = season.hal.get(f"/api{season.path}").json()["cast"]
    assert [(one["name"], one["bot"]) for one in cast[:2]] == [("Eve", "policy"), ("Blaise", "random")]


def test_what_a_removed_host_did_keeps_the_name_and_nothing_else_is_theirs(season):
    mo = season.people["moderator"]
    mo.say(f"{season.path}/do", kind="posted", text="Welcome.")
    mo.say(f"{season.path}/do", kind="corrected", contestant="c1", currency="garnets", amount="2", reason="Counted.")
    who = next(one["id"] for one in season.hal.get(f"/api{season.path}").json()["hosts"] if one["name"] == "Moderator")
    season.do("host-removed", host=who)
    told = season.hal.get(f"/api{season.path}").json()
    assert who not in {one["id"] for one in told["hosts"]}
    assert told["former_hosts"] == [{"id": who, "name": "Moderator", "role": "moderator"}]
    assert re.search(r"Announcement\s*· <bdi>Moderator</bdi> ·", season.page(tab="posts"))
    log = season.page(tab="log")
    assert re.search(r"<td><bdi>Moderator</bdi></td>\s*<td>An announcement was posted\.<", log)
    assert re.search(r"<td><bdi>Moderator</bdi></td>\s*<td>[^<]+, Garnets: corrected by \+2\.", log)
    assert re.search(r"<td><bdi>Hal</bdi></td>\s*<td>Moderator was removed from the hosts\.<", log)
    assert re.search(r"· <bdi>Moderator</bdi> ·", season.hal.get(season.path).text)
    for part, line in (("log", ",Moderator,posted,"), ("ledger", ",corrected,Moderator,"), ("posts", "Moderator,ann")):
        assert line in season.hal.get(f"/seasons/{season.path.rpartition('/')[2]}/{part}.csv").text, part
    # A removed host may do nothing, sees no host's page, and the link opens nothing.
    refused = mo.form(f"{season.path}/do", kind="posted", text="Again.")
    assert refused.status_code == 409
    assert mo.get(f"{season.path}/host").headers["location"] == season.path
    headers = {"authorization": f"Bearer {season.tokens['Moderator']}"}
    assert mo.get(f"/api{season.path}", headers=headers).status_code == 401
    assert "no longer valid" in mo.get(f"{season.path}/join/{season.tokens['Moderator']}").text
    # The name is free again for a host who comes back.
    season.do("host-added", name="Moderator", role="moderator")


LONG = "x" * 4001
REFUSED = [
    ("do", "settings", {"title": "Code Blue", "about": LONG, "garnets": "public", "audience": "live", "delay": "3"}),
    ("do", "settings", {"title": "Code Blue", "gifts": "yes", "zone": "Mars/Olympus", "talk": "hosts", "strikes": "4"}),
    ("do", "posted", {"text": LONG, "what": "ruling"}),
    ("do", "cast-added", {"name": "Ada", "garnets": "4", "priority": "2", "bot": "random"}),
    ("do", "cast-changed", {"contestant": "c3", "name": "Ada", "bot": "policy"}),
    ("do", "stood-in", {"contestant": "c3", "name": "Ada", "bot": "policy"}),
    ("do", "corrected", {"contestant": "c2", "currency": "tokens", "amount": "-7", "reason": "A mistake."}),
    ("do", "struck", {"contestant": "c2", "amount": "-7", "reason": "Forgiven."}),
    ("do", "item-set", {"name": "Nudge", "price": "0", "priority": "3", "words": "A step.", "per_person": "2"}),
    ("do", "host-added", {"name": "Hal", "role": "announcer"}),
    ("do", "episode-planned", {"game": "", "duel": "", "clock": "3600", "title": "y" * 81}),
    ("do", "revoked", {"entry": "1", "reason": "A mistake."}),
    ("step", "open", {"game": "pyramid-shambo", "duel": "", "clock": "3600", "title": "y" * 81}),
    ("schedule", None, {"starts": "2030-01-07T20:00", "phases": "Main match", "skip_weekends": "yes"}),
    ("webhook", None, {"webhook": "ftp://x", "hosts": "https://example.org/"}),
]


@pytest.mark.parametrize(("action", "kind", "fields"), REFUSED, ids=[f"{one[1] or one[0]}" for one in REFUSED])
def test_a_refused_form_keeps_what_was_typed(season, action, kind, fields):
    which = {} if kind is None else {"step" if action == "step" else "kind": kind}
    if kind == "revoked":  # a correction that later ones depend on
        season.do("corrected", contestant="c1", currency="garnets", amount="-5", reason="All of them.")
        log = season.hal.get(f"/api{season.path}").json()["log"]
        fields = {**fields, "entry": str(next(one["number"] for one in log if one["kind"] == "cast-added"))}
    forms = season.refused(action, **which, **fields)
    about = {name: fields[name] for name in {"cast-changed": ["contestant"], "revoked": ["entry"]}.get(kind, [])}
    form = forms.one(action, **which, **about)
    assert {name: form.get(name) for name in fields} == fields
    if kind == "settings":
        assert ("gifts" in form) == ("gifts" in fields), "A box that was not ticked stays so."
    # Another form has nothing of it.
    assert season.forms(tab="posts").one(kind="posted")["text"] == ""


def test_the_next_episode_is_proposed_as_it_was_planned_or_as_the_last_one_was(season):
    assert season.forms().one("step", step="open")["game"] != ""
    season.do("episode-planned", game="", duel="pyramis", title="Arrival")
    proposed = season.forms().one("step", step="open")
    assert (proposed["game"], proposed["duel"], proposed["title"]) == ("", "pyramis", "Arrival")
    season.hal.say(f"{season.path}/step", step="open", game="", duel="", title="Arrival")
    for kind, fields in {
        "result-entered": {"candidate": "c4"},
        "opponent-named": {"opponent": "c3"},
        "duel-entered": {"loser": "c4"},
        "eliminated": {"contestant": "c4"},
    }.items():
        season.do(kind, **fields)
    season.hal.say(f"{season.path}/step", step="close")
    proposed = season.forms().one("step", step="open")
    assert (proposed["game"], proposed["duel"], proposed["title"]) == ("", "", "")


def test_a_planned_game_that_cannot_be_played_is_named(season):
    planned = season.forms(tab="episodes").one(kind="episode-planned")
    assert planned["game"] == season.forms().one("step", step="open")["game"]
    season.do("episode-planned", game="upside-down")
    assert "Upside Down Pyramid Scheme is planned, but cannot be played by 4 contestants." in season.page()
    assert season.forms().one("step", step="open")["game"] != "upside-down"


def test_a_template_with_too_long_a_name_leaves_the_host_at_the_form(season):
    form = season.refused("template", name="x" * 81, club="").one("template")
    assert form["name"] == "x" * 81


def test_those_who_have_not_joined_are_not_nudged_and_those_who_left_early_have_left(season):
    for who in ("c3", "c4"):
        page = season.page(tab="cast", who=who)
        nudges = [fields for _action, fields in Forms(page).found if fields.get("kind") == "nudged"]
        assert (nudges, page.count("Has not opened the link.")) == ([], 1)
    assert "2 contestants have not opened their invitations:" in season.page()
    season.do("withdrawn", contestant="c4")
    page = season.page(tab="cast")
    assert "left before the first episode" in page
    assert "episode 0" not in page


def test_a_refused_reply_stays_with_its_question(season):
    for name, who in (("Nina", "c3"), ("Omar", "c4")):
        season.asks(name, kind="asked", contestant=who, text="May I?")
    [later, first] = [one["number"] for one in season.hal.get(f"/api{season.path}").json()["posts"]]
    forms = season.refused(kind="answered", question=str(first), text=LONG, to_all="yes")
    form, other = (forms.one(kind="answered", question=str(number)) for number in (first, later))
    assert (form["text"], form["to_all"]) == (LONG, "yes")
    assert (other["text"], "to_all" in other) == ("", False)


def test_a_refused_question_and_a_refused_gift_are_kept_for_a_contestant(season, server):
    with closing(Person(server)) as nina:
        season.do("settings", title="Code Red", gifts="yes")
        nina.say(f"{season.path}/join", code=season.tokens["Nina"])
        for kind, fields in {
            "asked": {"text": LONG},
            "gave": {"to": "c4", "amount": "99"},
        }.items():
            answer = nina.form(f"{season.path}/do", kind=kind, contestant="c3", **fields)
            assert answer.status_code == 409
            form = Forms(answer.text).one(kind=kind)
            assert {name: form[name] for name in fields} == fields


def test_a_text_is_as_long_for_the_server_as_for_the_browser(season):
    """Browsers send line breaks as CRLF and count them as one character."""
    text = ("x" * 39 + "\r\n") * 99 + "x" * 40
    season.do("posted", text=text)
    [post] = season.hal.get(f"/api{season.path}").json()["posts"]
    assert post["text"] == text.replace("\r\n", "\n")
    assert len(post["text"]) == 4000
    forms = season.refused(kind="posted", text="a\r\nb" + LONG)
    assert forms.one(kind="posted")["text"].startswith("a\nb")


def test_files_for_spreadsheets_have_plain_cells(season):
    season.do("noted", contestant="c1", text="Quick.")
    for part in ("cast", "ledger", "episodes", "posts", "schedule", "log"):
        rows = [*csv.DictReader(season.hal.get(f"{season.path}/{part}.csv").text.removeprefix("\ufeff").splitlines())]
        for row in rows:
            assert not any(re.search(r"[{\[]|\d{13}", cell) for cell in row.values()), row
        times = [row["at (UTC)"] for row in rows if "at (UTC)" in row]
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", time) for time in times)
    assert "The private note about Ada was changed." in [row["what"] for row in rows]


def test_files_open_in_the_spreadsheets_of_each_language_and_are_read_back(season):
    for tag, separator in (("en", ","), ("fr", ";"), ("pt", ";"), ("zh-Hant", ",")):
        for part in ("cast", "ledger", "log"):
            saved = season.hal.get(f"{season.path}/{part}.csv", headers={"accept-language": tag})
            first = saved.content.split(b"\r\n")[0]
            assert first.startswith(b"\xef\xbb\xbf"), (tag, part)
            assert first.count(separator.encode()) > 2, (tag, part)
        saved = season.hal.get(f"{season.path}/cast.csv", headers={"accept-language": tag}).content.decode()
        plan = season.hal.api("POST", f"/api{season.path}/cast", csv=saved).json()["plan"]
        assert plan
        assert all(one["before"] == one["after"] for one in plan)
    assert not season.hal.get(f"/api{season.path}/cast.csv").text.startswith("\ufeff")
    season.do("episode-opened")
    page = season.page(tab="ledger")
    assert f'href="{season.path}/ledger.csv"' in page, "Pages offer the files for people."
    assert f'href="/api{season.path}/ledger.csv"' not in page
    assert f'href="{season.path}/season.html"' in page, "A host can print the season."


def test_a_pasted_cast_is_refused_beside_its_box_and_told_in_numbers(season):
    hal, text = season.hal, "Una\tbot\nVic\tpuppet"
    refused = hal.form(f"{season.path}/cast", csv=text).text
    box = refused[refused.index('id="paste"') :]
    assert "Line 2: there is no bot puppet" in box[: box.index("<textarea")], "It stands beside the box."
    assert refused.count('role="alert">Line 2') == 1
    assert text in box, "What was pasted stays."
    preview = hal.form(f"{season.path}/cast", csv=text.replace("puppet", "expert")).text
    assert "2 new contestants · 0 changed · 0 unchanged" in preview
    assert "Bot: Normal" in preview
    hal.say(f"{season.path}/cast", csv=text.replace("puppet", "expert"), apply="yes")
    assert "2 contestants were added to the cast." in season.page()
    cast = hal.get(f"{season.path}/host?tab=cast").text
    assert [cast.count(f'bot-mark">Bot: {level}') for level in ("Normal", "Expert")] == [1, 1]
