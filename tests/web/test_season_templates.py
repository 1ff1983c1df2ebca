"""Saved templates of seasons: under a name, by link, within a club, from a file; on both databases."""

import re
from contextlib import closing

import httpx
import pytest
from tests.web.helpers.accounts import Person
from tests.web.helpers.databases import BOTH

pytestmark = pytest.mark.server(databases=BOTH)

SETTINGS = {"kind": "settings", "title": "Red", "talk": "private", "strikes": 2}
TEMPLATE = {
    "settings": SETTINGS,
    "shop": [{"name": "Nudge", "price": 2, "priority": 1}],
    "episodes": [{"game": "pyramid-shambo", "duel": "pyramis", "clock": 3600}, {"title": "The end"}],
    "phases": [{"name": "Main match", "after": 0, "minutes": 2880}],
}


@pytest.fixture
def people(server):
    """Ana and Ben, in a browser each."""
    with closing(Person(server)) as ana, closing(Person(server)) as ben:
        yield ana, ben


def keep(person, name="Weekly", template=TEMPLATE, club=None):
    return person.api("POST", "/api/season-templates", name=name, template=template, club=club)


def kept(person):
    answer = person.get("/api/season-templates")
    assert answer.status_code == 200, answer.text
    return [(one["name"], one["mine"], one["club_name"]) for one in answer.json()]


def listed(person):
    """Return the names of the templates on the page of seasons."""
    page = person.get("/seasons").text
    return re.findall(r"<strong><bdi>([^<]*)</bdi></strong>", page[page.index('id="templates"') :])


def test_a_host_saves_a_template_and_begins_a_season_with_it(people):
    ana, ben = people
    season = ana.say("/seasons", title="Red", host="Ana").removesuffix("/host")
    ana.say(f"{season}/do", kind="item-set", name="Nudge", price="2")
    ana.say(f"{season}/do", kind="episode-planned", game="pyramis", duel="", title="First")
    ana.say(f"{season}/schedule", starts="2030-01-07T20:00", phases="Main match, 48")
    assert ana.say(f"{season}/template", name="Weekly") == "/seasons#templates"
    assert listed(ana) == ["Weekly"]
    assert ben.form(f"{season}/template", name="Weekly").status_code == 409, "Only its hosts save a season."
    page = ana.get("/seasons").text
    assert "Weekly (1 episode · 1 shop item · 1 phase)" in page
    chosen = re.search(r'<option value="(\w+)">Weekly', page)[1]
    assert f'<option value="{chosen}" selected>' in ana.get(f"/seasons?template={chosen}").text
    again = ana.say("/seasons", title="Blue", host="Ana", template=chosen, starts="2030-02-01T20:00")
    shown = ana.get(f"/api{again.removesuffix('/host')}").json()
    assert (shown["title"], shown["cast"]) == ("Blue", [])
    assert [one["name"] for one in shown["shop"]] == ["Nudge"]
    assert [one["title"] for one in shown["plan"]] == ["First"]
    [phase] = shown["schedule"]
    assert (phase["starts"], phase["ends"] - phase["starts"]) == (1_896_206_400_000, 48 * 3_600_000)
    # The episodes of a template can be added to the plan of a season that goes on.
    ana.say(f"{season}/plan", template=chosen)
    assert [one["title"] for one in ana.get(f"/api{season}").json()["plan"]] == ["First", "First"]
    assert ben.form(f"{season}/plan", template=chosen).status_code == 409
    more = {"template": {"settings": SETTINGS, "episodes": [{"title": "Third"}]}}
    assert ana.api("POST", f"/api{season}/plan", **more).json()["plan"][-1]["title"] == "Third"
    ana.say(f"/seasons/templates/{chosen}/delete")
    assert listed(ana) == []
    assert ana.form("/seasons", title="Green", host="Ana", template=chosen).status_code == 409


def test_a_template_is_shared_by_its_link(people):
    ana, ben = people
    saved = keep(ana).json()
    assert (kept(ana), kept(ben)) == ([("Weekly", True, None)], [])
    page = ben.get(f"/seasons?template={saved['id']}").text
    assert "Shared template: Weekly" in page
    assert f'<option value="{saved["id"]}" selected>' in page
    assert ben.get(f"/api/season-templates/{saved['id']}").json() == {**saved, "mine": False}
    season = ben.api("POST", "/api/seasons", title="Blue", host="Ben", template=saved["id"]).json()
    assert [one["title"] for one in season["plan"]] == ["", "The end"]
    assert ben.say("/seasons/templates", template=saved["id"]) == "/seasons#templates"
    assert listed(ben) == ["Weekly"]
    assert ben.api("DELETE", f"/api/season-templates/{saved['id']}").status_code == 403
    assert ana.api("DELETE", f"/api/season-templates/{saved['id']}").status_code == 204
    assert ana.get(f"/api/season-templates/{saved['id']}").status_code == 404
    assert "There is no such template." in ben.get(f"/seasons?template={saved['id']}").text
    assert listed(ben) == ["Weekly"], "A copy stays."


def page(person):
    """Return the page of a person's seasons without the key of its form, which is new each time."""
    return re.sub(r'name="key" value="[^"]+"', "", person.get("/seasons").text)


def test_a_downloaded_template_is_imported(people):
    ana, ben = people
    saved = keep(ana).json()
    file = ana.get(f"/seasons/templates/{saved['id']}.json")
    assert file.headers["content-disposition"] == "attachment"
    ben.say("/seasons/templates", name="Mine", json=file.text)
    [mine] = ben.get("/api/season-templates").json()
    assert (mine["name"], mine["template"]) == ("Mine", saved["template"])
    for text in ("{}", "no JSON", '{"settings": {"kind": "settings", "title": "A", "zone": "Mars"}}'):
        refused = ben.form("/seasons/templates", name="Wrong", json=text)
        assert refused.status_code == 409
        assert 'role="alert"' in refused.text
    assert listed(ben) == ["Mine"]


def test_members_of_a_club_are_shown_its_templates_and_nobody_else(people, server):
    ana, ben = people
    club = ana.api("POST", "/api/clubs", name="Builders", member="Ana", door="private").json()
    with closing(Person(server)) as cleo:
        before = page(cleo), kept(cleo)
        code = club["invitation"].rsplit("/", 1)[-1]
        assert ben.api("POST", f"/api/clubs/{club['id']}/join", name="Ben", code=code).status_code == 200
        saved = keep(ben, club=club["id"]).json()
        assert (kept(ana), kept(ben)) == ([("Weekly", False, "Builders")], [("Weekly", True, "Builders")])
        assert (page(cleo), kept(cleo)) == before
        # By the link it opens for others, too, and does not tell of the club.
        met = cleo.get(f"/api/season-templates/{saved['id']}").json()
        assert (met["club"], met["club_name"]) == (None, None)
        assert "Builders" not in cleo.get(f"/seasons?template={saved['id']}").text
        # A private club is for others as one that does not exist.
        answers = [keep(cleo, club=one) for one in (club["id"], "nowhere")]
        assert [answer.status_code for answer in answers] == [403, 403]
        assert answers[0].text == answers[1].text
    assert ana.api("DELETE", f"/api/season-templates/{saved['id']}").status_code == 403
    assert ben.api("POST", f"/api/clubs/{club['id']}/leave").status_code == 200
    assert (kept(ana), kept(ben)) == ([("Weekly", False, "Builders")], [("Weekly", True, None)])


def test_a_template_with_which_no_season_can_begin_is_refused(people):
    ana, _ben = people
    assert keep(ana, name="").status_code == 400
    assert keep(ana, name="x" * 81).status_code == 400
    assert keep(ana, template={**TEMPLATE, "shop": [{"name": "Free", "price": 0}]}).status_code == 409
    assert keep(ana, template={**TEMPLATE, "settings": {**SETTINGS, "zone": "Mars"}}).status_code == 409
    assert keep(ana, template={**TEMPLATE, "settings": {**SETTINGS, "title": "\x1b[2J"}}).status_code in (400, 409)
    assert keep(ana, template={"episodes": []}).status_code == 422
    assert ana.api("POST", "/api/seasons", title="A", host="Ana", template="nowhere").status_code == 404
    assert kept(ana) == []


def test_templates_take_a_cookie_or_a_token(people, server):
    ana, _ben = people
    with httpx.Client(base_url=server.address) as nobody:
        assert nobody.get("/api/season-templates").status_code == 401
        assert nobody.post("/api/season-templates", json={"name": "A", "template": TEMPLATE}).status_code in (401, 403)
    assert ana.post("/api/season-templates", json={"name": "A", "template": TEMPLATE}).status_code == 403, "Forged."
