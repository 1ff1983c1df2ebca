"""The host's console of a season: what it says of running tables, notes, tabs, and where its forms lead back to."""

import html
import re
import time
from contextlib import closing

import pytest
from tests.helpers.seasons import begun
from tests.web.helpers.accounts import Person

from pyramidion.event_log import HOUR
from pyramidion.seasons.events import EpisodeOpened, FormatSet, MatchOpened, ResultTaken
from pyramidion.web.features.seasons.commands import TakeStep
from pyramidion.web.features.seasons.console.result import result_form
from pyramidion.web.features.seasons.console.tabs import host_path, tab_of_form
from pyramidion.web.features.seasons.forms import command_of_form


@pytest.fixture
def people(server):
    hal, ida, nina, omar, viewer = (Person(server) for _ in range(5))
    with closing(hal), closing(ida), closing(nina), closing(omar), closing(viewer):
        yield {"hal": hal, "ida": ida, "nina": nina, "omar": omar, "viewer": viewer}


def new_season(hal):
    """Open a season; return its path, and the function by which its host posts a form of the console."""
    path = hal.say("/seasons", title="Code Red", host="Hal").removesuffix("/host")
    return path, lambda kind, **fields: hal.say(f"{path}/do", kind=kind, back="host", **fields)


class Running:
    """A season with a host, a co-host and two people, at a table of Pyramid-Sham-Bo, where both choose in secret."""

    def __init__(self, people, **step):
        self.people, self.hal = people, people["hal"]
        self.path = self.hal.say("/seasons", title="Code Red", host="Hal").removesuffix("/host")
        self.do("host-added", name="Ida", role="co-host")
        for name in ("Nina", "Omar"):
            self.do("cast-added", name=name, garnets="5")
        links = {one["name"]: one["token"] for one in self.hal.get(f"/api{self.path}/links").json()}
        for name in ("ida", "nina", "omar"):
            people[name].say(f"{self.path}/join", code=links[name.title()])
        self.hal.say(f"{self.path}/step", step="open", duel="pyramid-shambo", clock="3600", **step)
        [episode] = self.hal.get(f"/api{self.path}").json()["episodes"]
        self.table = episode["tables"][0]["table"]

    def do(self, kind, **fields):
        return self.hal.say(f"{self.path}/do", kind=kind, back="host", **fields)

    def console(self, who="hal", tab="now"):
        return self.people[who].get(f"{self.path}/host", params={"tab": tab}).text

    def version(self, who="hal"):
        return self.people[who].get(f"{self.path}/now?console=1").json()["version"]

    def states(self, who="hal"):
        return re.findall(r'<li id="progress-[^"]+-(c\d)" data-state="(\w+)"', self.console(who))

    def act(self, who):
        """Let a contestant take the first legal action."""
        person, path = self.people[{"c1": "nina", "c2": "omar"}[who]], f"/api/tables/{self.table}"
        legal = person.get(f"{path}/legal").json()
        action = legal["legal"][0]["text"]
        answer = person.api("POST", f"{path}/actions", action=action, version=legal["version"])
        assert answer.status_code == 200, answer.text

    def holds(self, person):
        """Return whether a person's browser has a seat at the table."""
        return "You are watching" not in person.get(f"/t/{self.table}").text

    def command(self, name, who="hal", **fields):
        back = f"{self.path}/host"
        return self.people[who].form(f"/t/{self.table}/host", command=name, back=back, **fields)


@pytest.fixture
def running(people):
    return Running(people)


def test_a_host_sees_who_has_submitted_and_a_co_host_does_not(running):
    for _ in range(30):
        if len(due := [who for who, state in running.states() if state == "due"]) == 2:
            break
        running.act(due[0])
    else:
        pytest.fail("Nobody chose in secret.")
    before, watched = running.version(), running.states("ida")
    running.act("c1")
    assert running.version() != before, "The page is brought up to date."
    assert f'data-version="{running.version()}"' in running.console()
    assert dict(running.states()) == {"c1": "done", "c2": "due"}
    assert dict(running.states("ida")) == dict(watched), "A co-host sees what spectators see."
    # Nothing of it is in what others get.
    assert running.people["viewer"].get(f"{running.path}/now?console=1").json() == {
        "version": running.people["viewer"].get(f"{running.path}/now").json()["version"]
    }


def test_a_host_commands_the_table_without_leaving_the_console(running):
    page = running.console()
    assert 'name="command" value="pause"' in page
    answer = running.command("pause")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{running.path}/host")
    page = running.console()
    assert 'name="command" value="resume"' in page
    assert ">Paused<" in page
    assert running.command("resume").status_code == 303
    assert running.command("extend", seconds="3600").status_code == 303
    # The address to which a form leads back is always a console.
    for back in ("https://example.org/", "//example.org/seasons/x/host", f"{running.path}/host/../..", "/account"):
        answer = running.hal.form(f"/t/{running.table}/host", command="pause", back=back)
        assert answer.headers["location"] == f"/t/{running.table}#hosting"
        running.command("resume")
    # A co-host who did not start the match has no controls, and none are carried out.
    assert 'name="command"' not in running.console("ida")
    assert running.command("pause", who="ida").status_code == 403


def test_what_waits_for_the_host_is_a_list_that_empties(running):
    running.people["nina"].say(f"{running.path}/do", kind="asked", contestant="c1", text="May I pass?")
    page = running.console()
    assert re.search(r'class="tab-count">1<', page)
    assert 'id="todo-question-' in page
    question = next(
        post["number"] for post in running.hal.get(f"/api{running.path}").json()["posts"] if post["what"] == "question"
    )
    where = running.do("answered", question=str(question), text="Yes.", tab="now")
    assert where.startswith(f"{running.path}/host#")
    page = running.console()
    assert "Nothing is waiting for you." in page
    running.do("settings", title="Code Red", strikes="1")
    running.do("struck", contestant="c2", amount="1", reason="Late.")
    assert 'id="todo-strikes-c2"' in running.console()
    assert 'id="todo-' not in running.console("ida", "posts")


def test_a_note_is_for_hosts_alone(running):
    secret = "Wants to leave after this episode."
    before = {
        who: [running.people[who].get(path).text for path in (running.path, f"/api{running.path}")]
        for who in ("nina", "omar", "viewer")
    }
    versions = {who: running.version(who) for who in before}
    assert running.do("noted", contestant="c1", text=secret) == f"{running.path}/host?tab=cast&who=c1#"
    running.do("holidays-set", days="2026-12-24 to 2026-12-26, Christmas")
    assert secret in running.console(tab="cast")
    assert secret in running.console("ida", "cast")
    for who, [_page, api] in before.items():
        assert secret not in running.people[who].get(running.path).text
        assert running.people[who].get(f"/api{running.path}").text == api, "Two worlds, with and without the note."
        assert running.version(who) == versions[who]
    assert secret not in running.people["nina"].get(f"/t/{running.table}").text


def test_a_change_of_this_episode_comes_with_its_reason(running):
    running.do("corrected", contestant="c1", currency="tokens", amount="2", reason="A gift of the house.")
    page = running.console(tab="cast")
    assert re.search(r'title="\+2 Correction: A gift of the house\."[^>]*>2\s*<span class="small change">\+2<', page)
    running.people["nina"].get(running.path)
    assert "Last seen:" in running.hal.get(f"{running.path}/host?tab=cast&who=c1").text


def test_a_phase_is_moved_by_its_dates_and_says_what_it_meets(running):
    running.do("settings", title="Code Red", zone="Europe/Paris")
    running.hal.say(f"{running.path}/schedule", starts="2030-01-07T20:00", phases="Bids, 48")
    running.do("holidays-set", days="2030-01-11, Feast")
    assert "It meets a holiday" not in running.console(tab="timeline")
    fields = {"name": "Bids", "starts": "2030-01-10T20:00", "ends": "2030-01-13T20:00", "reminder": "5"}
    running.do("phase-set", phase="p1", tab="timeline", **fields)
    page = running.console(tab="timeline")
    assert "It meets a holiday: Feast." in page
    assert "It runs over a weekend." in page
    assert '<time datetime="2030-01-13T14:00Z">' in page, "Five hours before the end."
    refused = running.hal.form(f"{running.path}/do", kind="phase-set", back="host", phase="p1", name="Bids", starts="x")
    assert refused.status_code == 409
    assert "Enter a date and a time." in refused.text


def test_a_form_leads_back_to_its_tab():
    assert host_path({}) == "/host"
    assert host_path({"tab": "cast", "contestant": "c3"}) == "/host?tab=cast&who=c3"
    assert host_path({"tab": "nonsense"}, "timeline") == "/host?tab=timeline"
    assert tab_of_form({"kind": "revoked"}) == "log"
    assert tab_of_form({"kind": "answered", "tab": "now"}) == "now"


def test_an_episode_whose_winner_names_everybody_is_run_from_the_console(people):
    """The format is declared, chosen, and its steps are offered one after the other."""
    hal = people["hal"]
    path, do = new_season(hal)

    def console(tab="now"):
        return hal.get(f"{path}/host", params={"tab": tab}).text

    do("settings", title="Code Red", audience="live")
    for name in ("Ana", "Ben", "Cal", "Dan"):
        do("cast-added", name=name, bot="random")
    where = do("format-set", name="Crown", candidates="1", candidates_by="winner", opponent_by="winner", tokens="1")
    assert where == f"{path}/host?tab=episodes#"
    assert "<bdi>Crown</bdi>" in console("episodes")
    assert '<option value="Crown"' in console()
    hal.say(f"{path}/step", step="open", game="", duel="", format="Crown")
    page = console()
    assert 'name="winner"' in page
    assert 'name="second"' not in page
    do("result-entered", winner="c2", **{"tokens-c2": "1"})
    page = console()
    assert 'value="candidate-named"' in page
    assert "Name the elimination candidate." in page
    assert "is a bot: name the candidate yourself." in page
    for reader in ("nina", "viewer"):
        assert "The hosts name the elimination candidate." in people[reader].get(path).text
    do("candidate-named", candidate="c3")
    assert "is a bot: name the opponent yourself." in console()
    do("cast-changed", contestant="c2", name="Ben", bot="")
    assert "has not named an opponent yet." in console()
    assert 'id="waiting-for-contestants"' in console()
    assert "tab-count" not in console()
    assert "The winner of the main match names the opponent in the death match." in people["viewer"].get(path).text
    do("withdrawn", contestant="c2", reason="No time.", bot="")
    assert "has withdrawn: name the opponent yourself." in console()
    do("opponent-named", opponent="c4")
    do("duel-entered", loser="c4")
    assert "Eliminate Dan and close episode" in console()
    hal.say(f"{path}/step", step="elimination")
    assert "Dan lost" in console("episodes")


def test_the_console_leads_to_the_end_of_the_season(people):
    """The final and the end are offered in gold, and what has been played is no longer planned."""
    hal = people["hal"]
    path, do = new_season(hal)

    def gold():
        """Return the words of the gold buttons and links in the box of the next step."""
        box = hal.get(f"{path}/host").text.partition('id="next"')[2].partition('id="waiting"')[0]
        return re.findall(r'class="button main"[^>]*>([^<]+)<', box)

    def planned():
        plan = hal.get(f"{path}/host?tab=episodes").text.partition('id="plan"')[2].partition('id="plan-episode"')[0]
        return re.findall(r"<li>([^:<]+):", plan)

    for name in ("Ana", "Ben", "Cal"):
        do("cast-added", name=name, bot="random")
    for title in ("The vote", "Another"):
        do("episode-planned", game="", duel="", title=title)
    assert (gold(), planned()) == (["Start episode 1"], ["The vote", "Another"])
    hal.say(f"{path}/step", step="open", game="", duel="")
    assert planned() == ["Another"]
    do("result-entered", candidate="c3", **{"tokens-c1": "1"})
    do("opponent-named", opponent="c2")
    do("duel-entered", loser="c3")
    assert gold() == ["Eliminate Cal and close episode"]
    hal.say(f"{path}/step", step="elimination")
    assert gold() == ["Start the final"]
    hal.say(f"{path}/step", step="open", duel="")
    assert planned() == []
    do("duel-entered", loser="c2")
    assert gold() == ["Eliminate Ben and end the season"]
    hal.say(f"{path}/step", step="elimination")
    page = hal.get(f"{path}/host").text
    assert "Ana has won the season." in page
    assert gold() == ["Season page"]


def test_a_host_ends_a_season_with_three_left_and_names_the_winners(people):
    hal, viewer = people["hal"], people["ida"]
    path, do = new_season(hal)
    for name in ("Ana", "Ben", "Cal", "Dan"):
        do("cast-added", name=name, bot="random")
    hal.say(f"{path}/step", step="open", game="", duel="")
    assert 'id="end"' not in hal.get(f"{path}/host").text, "An episode is open."
    do("result-entered", candidate="c4", **{"tokens-c1": "1"})
    do("opponent-named", opponent="c3")
    do("duel-entered", loser="c4")
    hal.say(f"{path}/step", step="elimination")
    form = hal.get(f"{path}/host").text.partition('id="end"')[2].partition("</details>")[0]
    assert re.findall(r'name="won-(c\d)"', form) == ["c1", "c2", "c3"]
    do("season-ended", text="It was too hot.", **{"won-c1": "yes", "won-c3": "yes"})
    page = hal.get(f"{path}/host").text
    assert "Ana and Cal have won the season." in page
    assert 'id="end"' not in page
    assert "Start episode 2" not in page
    for reader in (hal, viewer):
        page = reader.get(path).text
        assert "Ana and Cal have won the season." in page
        assert "It was too hot." in page
        file = reader.get(f"{path}/season.html").text
        assert "Ana and Cal have won the season." in file
        assert "It was too hot." in file
    state = viewer.get(f"/api{path}").json()
    assert (state["step"], state["winners"], state["ending"]) == ("over", ["c1", "c3"], "It was too hot.")
    do("revoked", entry=str(len(hal.get(f"/api{path}").json()["log"])), reason="Too early.")
    assert "Start episode 2" in hal.get(f"{path}/host").text


def test_a_season_also_ends_where_all_but_one_have_withdrawn(people):
    hal = people["hal"]
    path, do = new_season(hal)
    for name in ("Ana", "Ben", "Cal"):
        do("cast-added", name=name)
    do("format-set", name="", candidates="0", eliminations="0", opponent_by="nobody")
    hal.say(f"{path}/step", step="open", game="", duel="")
    do("result-entered")
    assert "Close episode" in hal.get(f"{path}/host").text
    for who in ("c2", "c3"):
        do("withdrawn", contestant=who, reason="No time.", bot="")
    assert "End the season" in hal.get(f"{path}/host").text
    hal.say(f"{path}/step", step="close")
    assert "Ana has won the season." in hal.get(f"{path}/host").text


def test_a_seat_keeps_the_contestants_name_whoever_plays_it(running, server):
    """Replaced by a bot, and then by a person who calls themselves something else: the season says who it is."""
    path, hal = f"/api/tables/{running.table}", running.hal

    def names():
        return [(seat["kind"], seat["name"]) for seat in hal.get(path).json()["seats"]]

    [played] = hal.get(f"/api{running.path}").json()["episodes"][0]["tables"]
    cast = [{"c1": "Nina", "c2": "Omar"}[who] for who in played["cast"]]
    before = names()
    assert [name for _kind, name in before] == cast
    seat = cast.index("Nina")
    assert running.command("replace", seat=str(seat), bot="easy", sure="yes").status_code == 303
    assert (names()[seat], [name for _kind, name in names()]) == (("bot", "Nina"), cast)
    console = running.console()
    assert re.search(r'id="progress-[^"]+-c1".*?<b class="name"><bdi>Nina</bdi></b>', console, re.S)
    assert ">Nina</option>" in console
    log = [event["text"] for event in hal.get(f"{path}/events").json()["events"]]
    assert any("replaced Nina with a bot" in text for text in log)
    # A stand-in whom the host declares takes the seat: it has the name that the season says.
    running.do("stood-in", contestant="c1", name="Zoe")
    assert names()[seat] == ("bot", "Nina"), "Nobody at the table learns of a stand-in before one sits down."
    code = hal.api("POST", f"{path}/host", command="replace", seat=seat).json()["code"]
    with closing(Person(server)) as guest:
        sat = guest.api("POST", f"{path}/seats/{seat}", name="Somebody", code=code)
        assert sat.status_code in (200, 201), sat.text
    assert names()[seat] == ("person", "Zoe")
    assert "is seated" not in running.console()


def test_a_stand_in_gets_the_running_seat_by_the_own_link(running, server):
    path, hal = f"/api/tables/{running.table}", running.hal
    [played] = hal.get(f"/api{running.path}").json()["episodes"][0]["tables"]
    seat = played["cast"].index("c1")
    running.do("stood-in", contestant="c1", name="Zoe")
    assert hal.get(path).json()["seats"][seat]["name"] == "Nina", "Nobody learns of a stand-in before one sits down."
    assert "Zoe gets the seat by opening the personal link" in running.console()
    assert "personal link" not in running.console("ida"), "Another host of the season does not control the table."
    code = next(one["token"] for one in hal.get(f"/api{running.path}/links").json() if one["name"] == "Zoe")
    with closing(Person(server)) as zoe:
        zoe.say(f"{running.path}/join", code=code)
        assert running.holds(zoe)
        assert not running.holds(running.people["nina"])
        assert hal.get(path).json()["seats"][seat]["name"] == "Zoe"
        log = [event["text"] for event in hal.get(f"{path}/events").json()["events"]]
        assert "Zoe takes over the seat of Nina." in log
        assert "Give Zoe the seat" not in running.console()


def test_the_tables_host_gives_a_seat_back_by_one_button_and_nobody_else_does(running, server):
    hal, ida = running.hal, running.people["ida"]
    [played] = hal.get(f"/api{running.path}").json()["episodes"][0]["tables"]
    seat = played["cast"].index("c1")
    # A stand-in of a co-host, who is not the table's host: neither the link nor the co-host gives the seat.
    ida.say(f"{running.path}/do", kind="stood-in", contestant="c1", name="Zoe", back="host")
    code = next(one["token"] for one in ida.get(f"/api{running.path}/links").json() if one["name"] == "Zoe")
    with closing(Person(server)) as zoe:
        zoe.say(f"{running.path}/join", code=code)
        assert not running.holds(zoe)
        assert ida.form(f"{running.path}/seat", who="c1").status_code == 409
        assert zoe.form(f"{running.path}/seat", who="c1").status_code == 409
        assert running.holds(running.people["nina"])
        assert "Give Zoe the seat" in running.console()
        assert "Give Zoe the seat" not in running.console("ida")
        hal.say(f"{running.path}/seat", who="c1", tab="now")
        assert running.holds(zoe)
        # Who has a seat is not given it again, and a bot gives it back.
        assert hal.form(f"{running.path}/seat", who="c1").status_code == 409
        running.command("replace", seat=str(seat), bot="easy", sure="yes")
        hal.say(f"{running.path}/seat", who="c1")
        assert running.holds(zoe)


def test_a_hosts_recovery_link_opens_the_console_elsewhere_once(people, server):
    hal, viewer = people["hal"], people["viewer"]
    path = hal.say("/seasons", title="Code Red", host="Hal").removesuffix("/host")
    link = re.search(r'value="[^"]*(/seasons/[^"]+/join/h1-[^"]+)"', hal.get(f"{path}/host").text)[1]
    code = link.rsplit("/", 1)[-1]
    assert "You are invited as a host" in viewer.get(link).text
    assert viewer.say(f"{path}/join", code=code) == f"{path}/host"
    assert "recovery" in viewer.get(f"{path}/host?tab=hosts").text
    assert hal.get(f"{path}/host").headers["location"] == path, "The browser that was lost hosts no more."
    assert hal.form(f"{path}/join", code=code).status_code == 403
    # Also when the place has come back to the browser for which the link was made.
    page = viewer.get(f"{path}/host?tab=hosts").text
    hal.say(f"{path}/join", code=re.search(r"/join/(h1-[^\"]+)", page)[1])
    assert people["ida"].form(f"{path}/join", code=code).status_code == 403
    page = hal.get(f"{path}/host?tab=hosts").text
    viewer.say(f"{path}/join", code=re.search(r"/join/(h1-[^\"]+)", page)[1])
    # Nobody else gets such a link, and no other host's.
    viewer.say(f"{path}/do", kind="host-added", name="Ida", role="co-host", back="host")
    ida = next(one["token"] for one in viewer.get(f"/api{path}/links").json() if one["name"] == "Ida")
    people["ida"].say(f"{path}/join", code=ida)
    page = people["ida"].get(f"{path}/host?tab=hosts").text
    assert re.findall(r"/join/(h\d)-", page) == ["h2", "h2"]
    assert "/join/" not in people["nina"].get(path).text


def test_a_nudge_can_be_repeated_once_its_time_is_over(running, monkeypatch):
    """The page says so by itself: its version changes with the time."""
    running.do("nudged", contestant="c1")
    row, before = f"{running.path}/host?tab=cast&who=c1", running.version()
    assert ">Nudged · " in running.hal.get(row).text
    monkeypatch.setattr("pyramidion.web.features.seasons.console.now.NUDGE_PAUSE", 0)
    assert running.version() != before
    assert ">Nudged · " not in running.hal.get(row).text


def test_the_console_says_what_has_just_happened_and_undoes_it(people):
    hal = people["hal"]
    path, do = new_season(hal)

    def latest():
        page = hal.get(f"{path}/host").text
        said = re.search(r'id="latest"[^>]*><p>(.*?) <span', page, re.S)
        undo = re.search(r'name="entry" value="(\d+)"', page)
        return said and said[1], undo and undo[1]

    assert latest() == (None, None)
    for name in ("Ana", "Ben", "Cal"):
        do("cast-added", name=name, bot="random")
    assert latest()[0] == "Cal was added to the cast."
    hal.say(f"{path}/step", step="open", game="", duel="")
    assert latest()[0] == "Episode 1 began."
    do("result-entered", candidate="c2", **{"tokens-c1": "1"})
    said, entry = latest()
    assert said == "Ana wins a token of life. Ben is the elimination candidate."
    do("revoked", entry=entry, reason="Entered by mistake.")
    assert latest() == ("Undone: Ben is the elimination candidate.", None)
    assert hal.get(f"/api{path}").json()["step"] == "result"
    # A note changes nothing of it, and a cast of three has games that it is too small for.
    do("noted", contestant="c1", text="Quiet.")
    assert latest()[0].startswith("Undone")
    do("result-entered", candidate="c2", **{"tokens-c1": "1"})
    do("opponent-named", opponent="c3")
    do("duel-entered", loser="c3")
    assert "challenged" in latest()[0]
    hal.say(f"{path}/step", step="elimination")
    assert latest()[0] == "Cal is out. 2 contestants are left."


def test_what_a_season_begins_with_is_no_news(people):
    template = {"template": "vote-episode", "starts": "2030-01-07T20:00"}
    path = people["hal"].say("/seasons", title="Code Red", host="Hal", **template)
    assert 'id="latest"' not in people["hal"].get(path).text


def test_a_game_that_the_cast_cannot_play_says_why(running, people):
    hal = people["hal"]
    path = hal.say("/seasons", title="Code Blue", host="Hal").removesuffix("/host")
    for name in ("Ana", "Ben", "Cal"):
        hal.say(f"{path}/do", kind="cast-added", back="host", name=name, bot="random")
    page = hal.get(f"{path}/host").text
    assert "<option disabled>Upside Down Pyramid Scheme takes 10 players; the cast has 3</option>" in page


def test_where_priority_does_not_decide_a_tie_the_host_does(people):
    hal, (path, do) = people["hal"], new_season(people["hal"])
    for name in ("Ana", "Ben", "Cal"):
        do("cast-added", name=name)
    do("format-set", candidates="1", eliminations="1", tie="priority")
    do("own-match-set", preset="vote", name="Vote", label="Your vote", score="count(vote == me)", highest="loses")
    hal.say(f"{path}/step", step="open", game="own:Vote", duel="")
    do("own-round-sealed", match="m1")
    hal.say(f"{path}/reveal", match="m1", back="host")
    page = hal.get(f"{path}/host").text
    assert "A tie between Ana, Ben and Cal." in page
    assert "Priority does not decide it, so you do." in page


def test_the_rule_for_ties_proposes_to_the_host_alone(people):
    """Two worlds that differ in priorities, which only hosts may know: nobody else sees who is proposed."""

    def tied(priorities):
        hal, nina = people["hal"], people["nina"]
        path = hal.say("/seasons", title="Code Red", host="Hal").removesuffix("/host")

        def do(kind, **fields):
            hal.say(f"{path}/do", kind=kind, back="host", **fields)

        do("settings", title="Code Red", priority="hosts", garnets="public", audience="live")
        for name, priority in zip(("Ana", "Ben", "Cal"), priorities, strict=True):
            do("cast-added", name=name, priority=str(priority), bot="" if name == "Ana" else "random")
        nina.say(f"{path}/join", code=hal.get(f"/api{path}/links").json()[0]["token"])
        do("format-set", candidates="1", eliminations="1", tie="priority")
        do("own-match-set", preset="vote", name="Vote", label="Your vote", score="count(vote == me)", highest="loses")
        hal.say(f"{path}/step", step="open", game="own:Vote", duel="")
        do("own-round-sealed", match="m1")
        assert "The voting is closed." in hal.get(f"{path}/host").text
        hal.say(f"{path}/reveal", match="m1", back="host")
        page = hal.get(f"{path}/host").text
        assert "A tie between Ana, Ben and Cal." in page
        chosen = re.search(r'<select name="candidate".*?</select>', page, re.S)[0]
        said = re.search(r"The rule for ties chooses (\w+)\.", page)[1]

        def text(who, where):
            page = people[who].get(where).text.replace(path, "")
            page = re.sub(r'(value|content)="[\w-]{16,}"|data-version="[^"]*"', "", page)
            return re.sub(r'\d{13}|datetime="[^"]*">[^<]*|calendar/[\w.-]*|"id":"\w{16,}"|[\w-]{22,}', "", page)

        return (
            said,
            re.search(r'value="(c\d)" selected', chosen)[1],
            [
                text(who, where)
                for who in ("nina", "viewer")
                for where in (path, f"/api{path}", f"{path}/show/1?slide=3")
            ],
        )

    first, second = tied((1, 2, 3)), tied((3, 2, 1))
    assert (first[:2], second[:2]) == (("Ana", "c1"), ("Cal", "c3"))
    assert first[2] == second[2]
    assert all("A tie between Ana, Ben and Cal." in page for page in (first[2][0], first[2][3]))


def test_a_sealed_round_is_not_called_revealed_and_the_host_is_warned_of_who_is_missing(people):
    hal = people["hal"]
    path, do = new_season(hal)

    def console():
        return hal.get(f"{path}/host").text

    do("settings", title="Code Red", audience="live")
    for name in ("Nina", "Omar", "Ada", "Bob"):
        do("cast-added", name=name, bot="random" if name == "Bob" else "")
    links = {one["name"]: one["token"] for one in hal.get(f"/api{path}/links").json()}
    for name in ("nina", "omar"):
        people[name].say(f"{path}/join", code=links[name.title()])
    do("own-match-set", preset="vote", name="Banishment", label="Vote", score="count(vote == me)", highest="loses")
    hal.say(f"{path}/step", step="open", game="own:Banishment")
    people["nina"].say(f"{path}/submit", match="m1", round="1", **{"value-vote": "c2"}, confirm="yes")
    assert "2 have not voted: Omar and Ada." in console()
    assert "Close the vote anyway" in console()
    do("own-round-sealed", match="m1")
    page = people["viewer"].get(path).text
    assert "the voting is closed" in page
    assert "are revealed" not in console() + page
    seal = re.search(r'name="entry" value="(\d+)"><input type="hidden" name="reason"', console())[1]
    do("revoked", entry=seal, reason="Sealed too early.")
    for name in ("omar",):
        people[name].say(f"{path}/submit", match="m1", round="1", **{"value-vote": "c1"}, confirm="yes")
    assert "1 has not voted: Ada." in console()
    do("own-round-sealed", match="m1")
    hal.say(f"{path}/reveal", match="m1", contestant="c1")
    assert "the hosts are revealing the votes" in people["viewer"].get(path).text
    assert "Open the vote again" not in console(), "Somebody has seen a submission."
    # A tie is between two, and the host may choose anybody.
    hal.say(f"{path}/reveal", match="m1")
    rows = re.findall(r"<tr><td><bdi>(\w+)", console().partition('class="season-table own-results"')[2])
    assert set(rows) == {"Nina", "Omar", "Ada"}, "A bot does not vote, and nobody has voted for it."
    form = re.search(r'<select name="candidate".*?</select>', console(), re.S)[0]
    assert re.findall(r'<option value="(c\d)"', form.partition("</optgroup>")[0]) == ["c1", "c2"]
    assert re.findall(r'<option value="(c\d)"', form.partition("</optgroup>")[2]) == ["c3", "c4"]
    do("result-entered", candidate="c3")


def test_a_nudge_is_seen_on_the_contestants_pages_and_the_host_is_told_whether_it_is_sent(running):
    nina, omar, viewer = (running.people[name] for name in ("nina", "omar", "viewer"))

    def news(person):
        return person.get(f"{running.path}/now?own=1").json()

    def card(person):
        return re.search(r'<section class="panel own-card.*?</section>', person.get(running.path).text, re.S)

    due = [who for who, state in running.states() if state == "due"]
    nudged, other = (nina, omar) if "c1" in due else (omar, nina)
    who = "c1" if nudged is nina else "c2"
    name = {"c1": "Nina", "c2": "Omar"}[who]
    text = card(nudged)[0]
    assert f"You are <bdi>{name}</bdi>." in text or f"You are {name}." in text
    assert "It is your turn." in text
    assert f'href="/t/{running.table}"' in text
    assert "Get a notification when it is your turn" in text
    assert "The hosts are waiting" not in text
    assert news(nudged)["version"] in nudged.get(running.path).text, "The page does not reload itself for nothing."
    before = news(nudged)["version"]
    running.do("nudged", contestant=who)
    assert news(nudged)["version"] != before
    assert news(nudged)["waiting"] == "The hosts are waiting for you."
    assert "The hosts are waiting for you." in card(nudged)[0]
    assert f'data-news="{running.path}/now?own=1"' in nudged.get(f"/t/{running.table}").text
    assert "They have no notifications on: write to them yourself." in running.console()
    # It ends with what they were waited for.
    running.act(who)
    while who in [c for c, state in running.states() if state == "due"]:
        running.act(who)
    assert "waiting" not in news(nudged)
    assert "The hosts are waiting" not in card(nudged)[0]
    # Nobody else learns of it.
    for person in (other, viewer):
        assert "waiting" not in news(person)
        assert "The hosts are waiting" not in person.get(running.path).text
    assert card(viewer) is None
    assert 'id="season-nudge"' not in viewer.get(f"/t/{running.table}").text


def test_all_who_are_missing_are_nudged_by_one_button(running):
    for _ in range(30):
        if len(due := [who for who, state in running.states() if state == "due"]) == 2:
            break
        running.act(due[0])
    else:
        pytest.fail("Nobody chose in secret.")
    form = re.search(r'<form[^>]*id="nudge-all".*?</form>', running.console(), re.S)[0]
    assert re.findall(r'name="with-(c\d)"', form) == ["c1", "c2"]
    running.hal.say(f"{running.path}/nudge", **{"with-c1": "yes", "with-c2": "yes"}, key="k")
    assert 'id="nudge-all"' not in running.console()
    for name in ("nina", "omar"):
        assert running.people[name].get(f"{running.path}/now?own=1").json()["waiting"]
    assert running.people["nina"].form(f"{running.path}/nudge", **{"with-c2": "yes"}).status_code == 409


def test_who_is_eliminated_is_told_so_on_the_own_page(people):
    hal, nina = people["hal"], people["nina"]
    path, do = new_season(hal)

    for name in ("Nina", "Omar"):
        do("cast-added", name=name)
    links = {one["name"]: one["token"] for one in hal.get(f"/api{path}/links").json()}
    nina.say(f"{path}/join", code=links["Nina"])
    do("posted", what="announcement", text="The first episode begins on Friday.")
    assert re.search(r"From the hosts:\s+The first episode begins on Friday\.", nina.get(path).text)
    do("cast-added", name="Ada")
    do("cast-added", name="Bob")
    hal.say(f"{path}/step", step="open", game="", duel="")
    do("result-entered", candidate="c2", tokens={"c3": 1})
    do("opponent-named", opponent="c1")
    do("duel-entered", loser="c1")
    hal.say(f"{path}/step", step="elimination")
    assert "You were eliminated in episode 1." in nina.get(path).text
    assert "You were eliminated" not in hal.get(path).text


def test_finalists_are_told_of_the_final_on_their_own_page(people):
    hal, nina = people["hal"], people["nina"]
    path, do = new_season(hal)
    for name in ("Nina", "Omar"):
        do("cast-added", name=name)
    links = {one["name"]: one["token"] for one in hal.get(f"/api{path}/links").json()}
    nina.say(f"{path}/join", code=links["Nina"])
    hal.say(f"{path}/step", step="open", duel="")
    page = nina.get(path).text
    assert "You play the final against Omar." in page
    assert "Nobody is waiting for you" not in page
    assert "The hosts enter who won the final." in page
    assert "death match" not in page.split("<main")[1].lower()
    do("duel-entered", loser="c1")
    assert "You lost the final against Omar." in nina.get(path).text
    hal.say(f"{path}/step", step="elimination")
    assert "You lost the final against Omar." in nina.get(path).text


def test_the_log_names_the_host_who_intervened_at_a_table(running):
    running.command("pause")
    running.command("resume")
    running.command("extend", seconds="3600")
    lines = re.findall(r"<tr>.*?</tr>", running.console(tab="log"), re.S)
    [added] = [line for line in lines if "At the table: The host added time: 1 hour." in line]
    assert "Hal" in added
    assert f'href="/t/{running.table}"' in added
    assert sum("At the table: " in line for line in lines) == 3
    assert "At the table: The host added time" in lines[1], "The newest is first, below the heading."


def test_a_bot_keeps_the_seat_of_somebody_who_has_not_come(people):
    hal, nina = people["hal"], people["nina"]
    path = hal.say("/seasons", title="Code Red", host="Hal").removesuffix("/host")
    for name in ("Nina", "Omar"):
        hal.say(f"{path}/do", kind="cast-added", name=name, back="host")
    links = {one["name"]: one["token"] for one in hal.get(f"/api{path}/links").json()}
    people["omar"].say(f"{path}/join", code=links["Omar"])
    refused = hal.form(f"{path}/step", step="open", duel="pyramid-shambo", clock="3600")
    # Nothing has begun: the form asks, with what was chosen, and is no error.
    asked = re.search(r'<p class="tie" id="asked".*?</p>', refused.text)
    assert asked is not None
    assert "Nina" in asked[0]
    assert 'class="error" role="alert">' not in refused.text
    assert re.search(r'<button class="button main" name="bots" value="yes">Start with bots for Nina', refused.text)
    assert '<option value="3600" selected' in refused.text
    assert hal.get(f"/api{path}").json()["episodes"] == []
    hal.say(f"{path}/step", step="open", duel="pyramid-shambo", bots="yes")
    assert re.search(r'id="progress-[^"]+-c1"', page := hal.get(f"{path}/host").text)
    assert "has not opened the invitation" in page
    nina.say(f"{path}/join", code=links["Nina"])
    hal.say(f"{path}/seat", who="c1")
    table = hal.get(f"/api{path}").json()["episodes"][0]["tables"][0]["table"]
    assert nina.get(f"/api/tables/{table}/legal").status_code == 200, "She has the seat."


def test_who_withdraws_during_an_episode_leaves_when_it_is_closed(people):
    hal, (path, do) = people["hal"], new_season(people["hal"])
    for name in ("Nina", "Ben", "Cal"):
        do("cast-added", name=name, bot="" if name == "Nina" else "random")
    links = {one["name"]: one["token"] for one in hal.get(f"/api{path}/links").json()}
    people["nina"].say(f"{path}/join", code=links["Nina"])
    hal.say(f"{path}/step", step="open", game="pyramis", duel="pyramis")
    assert "Nina leaves when this episode is closed" in hal.get(f"{path}/host?tab=cast&who=c1").text
    do("withdrawn", contestant="c1", bot="expert", reason="No time.")
    table = hal.get(f"/api{path}").json()["episodes"][0]["tables"][0]["table"]
    assert "You are watching" in people["nina"].get(f"/t/{table}").text, "A bot has the seat."
    page = hal.get(f"{path}/host?tab=cast&who=c1").text
    assert re.search("withdrew in episode 1: [^.]*No time", page)
    assert "Leaves when this episode is closed" in page
    assert "You have withdrawn" in people["nina"].get(path).text
    assert "No time." not in people["nina"].get(f"/api{path}").text, "The reason is for hosts alone."


def test_who_withdrew_is_not_shown_as_eliminated(people):
    hal = people["hal"]
    path = hal.say("/seasons", title="Code Red", host="Hal").removesuffix("/host")
    for name in ("Ana", "Ben", "Cal", "Dan"):
        hal.say(f"{path}/do", kind="cast-added", name=name, bot="random", back="host")
    hal.say(f"{path}/step", step="open", game="", duel="")
    hal.say(f"{path}/do", kind="result-entered", candidate="c1", back="host")
    hal.say(f"{path}/do", kind="opponent-named", opponent="c2", back="host")
    hal.say(f"{path}/do", kind="duel-entered", loser="c1", back="host")
    hal.say(f"{path}/step", step="elimination")
    assert 'value="withdrawn"' in hal.get(f"{path}/host?tab=cast&who=c2").text
    hal.say(f"{path}/do", kind="withdrawn", contestant="c2", reason="No time.", back="host")
    page = hal.get(f"{path}/host?tab=cast").text
    assert page.count("left in episode 1") == page.count("withdrew after episode 1") == 2, "For narrow rows, too."


def test_the_timeline_says_which_deadline_disagrees_with_the_phase(people):
    hal, (path, do) = people["hal"], new_season(people["hal"])
    for name in ("Nina", "Ben", "Cal"):
        do("cast-added", name=name, bot="" if name == "Nina" else "random")
    do("own-match-set", preset="vote", name="Vote", label="Vote", score="count(vote == me)", highest="loses")
    now = int(time.time() * 1000)
    do("phase-set", name="Voting", starts=str(now - HOUR), ends=str(now + 9 * HOUR))
    hal.say(f"{path}/step", step="open", game="own:Vote", duel="")
    assert "with the phase" in hal.get(f"{path}/host").text, "Without a clock it ends with the phase in progress."
    assert "another deadline" not in hal.get(f"{path}/host?tab=timeline").text
    do("own-deadline-set", match="m1", deadline="2090-01-01T20:00")
    page = hal.get(f"{path}/host?tab=timeline").text
    assert "Vote has another deadline:" in page
    do("own-deadline-set", match="m1", phase="p1", tab="timeline")
    assert hal.get(f"/api{path}").json()["own_matches"][0]["rounds"][0]["deadline"] == now + 9 * HOUR


def test_a_vote_that_only_bots_take_part_in_waits_for_nobody(people):
    hal, (path, do) = people["hal"], new_season(people["hal"])
    for name in ("Ana", "Ben", "Cal"):
        do("cast-added", name=name, bot="random")
    vote = {"preset": "vote", "name": "Vote", "label": "Vote", "score": "count(vote == me)", "highest": "loses"}
    do("own-match-set", hours="24", **vote)
    hal.say(f"{path}/step", step="open", game="own:Vote", duel="")
    page = hal.get(f"{path}/host").text
    assert "Only bots take part in this match" in page
    assert "in secret" not in page
    assert re.findall(r'class="button main"[^>]*>([^<]+)<', page) == ["Close Vote"]
    assert "Until" not in people["viewer"].get(path).text
    hal.say(f"{path}/reveal", match="m1")
    assert hal.get(f"/api{path}").json()["step"] == "result"
    # With a person among them it waits, until the person has withdrawn, too.
    path, do = new_season(hal)
    for name in ("Ana", "Ben", "Cal", "Dan"):
        do("cast-added", name=name, bot="" if name == "Dan" else "random")
    do("own-match-set", **vote)
    hal.say(f"{path}/step", step="open", game="own:Vote", duel="", bots="yes")
    assert "Close Vote" not in hal.get(f"{path}/host").text
    [link] = [one["token"] for one in hal.get(f"/api{path}/links").json() if one["name"] == "Dan"]
    people["nina"].say(f"{path}/join", code=link)
    assert "The contestants vote in secret." in hal.get(f"{path}/host").text
    people["nina"].say(f"{path}/submit", match="m1", round="1", **{"value-vote": "c2"}, confirm="yes")
    assert "Everyone has voted. Close the vote." in hal.get(f"{path}/host").text
    own = people["nina"].get(path)
    assert own.status_code == 200
    assert "You are Dan." in own.text
    assert "Everyone has voted" not in own.text
    do("withdrawn", contestant="c4", reason="No time.", bot="random")
    assert "Close Vote" in hal.get(f"{path}/host").text


def test_hosts_and_late_contestants_are_told_that_a_deadline_has_passed(people, server, monkeypatch):
    hal, nina, omar = (people[name] for name in ("hal", "nina", "omar"))
    path, do = new_season(hal)
    for name in ("Nina", "Omar", "Cal"):
        do("cast-added", name=name, bot="random" if name == "Cal" else "")
    links = {one["name"]: one["token"] for one in hal.get(f"/api{path}/links").json()}
    for person, name in ((nina, "Nina"), (omar, "Omar")):
        person.say(f"{path}/join", code=links[name])
    score = {"score": "count(vote == me)", "highest": "loses"}
    do("own-match-set", preset="vote", name="Vote", label="Vote", hours="24", **score)
    hal.say(f"{path}/step", step="open", game="own:Vote", duel="")
    omar.say(f"{path}/submit", kind="submit", match="m1", round="1", confirm="yes", **{"value-vote": "c1"})

    def waiting():
        return re.search(r'<li id="todo-deadline">.*?</li>', hal.get(f"{path}/host").text, re.S)

    def late(person):
        return 'id="late"' in person.get(path).text

    assert waiting() is None
    assert not late(nina)
    tables = server.config.app.server.tables
    monkeypatch.setattr(tables, "_time", lambda: int(time.time() * 1000) + 25 * HOUR)
    item = re.sub(r"<[^>]*>", "", waiting()[0])
    assert "Vote: the deadline has passed. 1 has not voted: Nina." in item
    assert "Close the vote" in item
    assert late(nina)
    assert "Nobody is waiting for you right now." not in nina.get(path).text
    assert not late(omar)
    page = hal.get(f"{path}/host").text
    assert "<h2>The time to vote is over.</h2>" in page
    assert page.count(">Close the vote</button>") == 1
    # One tap gives everybody more time; after the deadline it counts from now.
    given = {name: re.search(rf'name="{name}" value="([^"]*)"', waiting()[0])[1] for name in ("match", "from")}
    do("own-deadline-set", more="3600", **given)
    assert waiting() is None
    assert not late(nina)
    for page in (path, f"{path}/submit/m1"):
        assert "The hosts have moved the deadline. Before:" in nina.get(page).text
    deadline = hal.get(f"/api{path}").json()["own_matches"][0]["rounds"][0]["deadline"]
    assert 0 <= tables.now() + HOUR - deadline < HOUR // 2
    page = hal.get(f"{path}/host").text
    given = {
        name: re.search(rf'name="{name}" value="([^"]*)"', page[page.index("+1 hour") - 600 :])[1] for name in given
    }
    do("own-deadline-set", more="86400", **given)
    assert hal.get(f"/api{path}").json()["own_matches"][0]["rounds"][0]["deadline"] == deadline + 24 * HOUR
    do("own-round-sealed", match="m1")
    assert waiting() is None
    assert "Vote: the voting is closed, and you did not vote." in nina.get(path).text
    assert not late(omar)
    hal.say(f"{path}/reveal", match="m1")
    assert hal.get(f"/api{path}").json()["step"] != "own-match"
    assert not late(nina)


def test_a_contestant_finds_posts_and_what_they_name_an_opponent_for(people):
    hal, nina = people["hal"], people["nina"]
    path, do = new_season(hal)
    for name in ("Nina", "Omar", "Cal"):
        do("cast-added", name=name, bot="" if name == "Nina" else "random")
    links = {one["name"]: one["token"] for one in hal.get(f"/api{path}/links").json()}
    nina.say(f"{path}/join", code=links["Nina"])
    do("own-match-set", preset="vote", name="Vote", label="Vote", score="count(vote == me)", highest="loses")
    hal.say(f"{path}/step", step="open", game="own:Vote", duel="pyramis", clock="86400")
    assert 'id="own-post"' not in nina.get(f"{path}/submit/m1").text
    do("posted", text="Zero is a number, too.", what="ruling")
    for page in (path, f"{path}/submit/m1"):
        [news] = re.findall(r'<span id="own-post" data-post="(\d+)"><b class="new-mark" hidden>', nina.get(page).text)
    # The mark goes once the post itself has been in view.
    assert f'data-posted="{news}"' in nina.get(path).text
    nina.say(f"{path}/submit", kind="submit", match="m1", round="1", confirm="yes", **{"value-vote": "c2"})
    do("own-round-sealed", match="m1")
    hal.say(f"{path}/reveal", match="m1")
    do("revoked", entry=str(hal.get(f"/api{path}").json()["log"][-1]["number"]), reason="A mistake.")
    do("result-entered", candidate="c1")
    about = re.search(r'<p class="small" id="naming-about">(.*?)</p>', nina.get(path).text, re.S)[1]
    assert re.sub(r"<[^>]*>", "", about) == "Death match: Pyramis · 1 day per decision"


def test_the_start_of_a_match_at_several_tables_is_told_and_undone_as_one(people):
    hal = people["hal"]
    path, do = new_season(hal)
    do("cast-added", name="Nina")
    for letter in "ABCDEFGHIJK":
        do("cast-added", name=f"Robot {letter}", bot="random")
    hal.say(f"{path}/step", step="open", game="pyramid-scheme", duel="", bots="yes")
    season = hal.get(f"/api{path}").json()
    if season["step"] == "main":
        hal.say(f"{path}/step", step="main", bots="yes")
    season = hal.get(f"/api{path}").json()
    count = len(season["episodes"][0]["tables"])
    assert count > 1
    page = hal.get(f"{path}/host").text
    assert f"The main match started at {count} tables." in page
    entry = re.search(r'name="entry" value="(\d+)"', page)[1]
    do("revoked", entry=entry, reason="Entered by mistake.")
    season = hal.get(f"/api{path}").json()
    assert (season["step"], season["episodes"][0]["tables"]) == ("main", [])


def test_the_result_of_a_closed_episode_is_a_text_whose_first_lines_tell_nothing(people):
    hal = people["hal"]
    path, do = new_season(hal)
    for name in ("Ana", "Ben", "Cal", "Dan"):
        do("cast-added", name=name, bot="random")
    hal.say(f"{path}/step", step="open", game="", duel="", title="The Average")
    do("result-entered", candidate="c1", **{"tokens-c2": "1"})
    do("opponent-named", opponent="c3")
    do("duel-entered", loser="c1")
    assert "data-copy-text" not in hal.get(f"{path}/host?tab=episodes").text
    hal.say(f"{path}/step", step="elimination")
    page = hal.get(f"{path}/host?tab=episodes").text
    text = html.unescape(re.search(r"<textarea[^>]*readonly[^>]*>\n(.*?)</textarea>", page, re.S)[1])
    head, result = text.split("Spoilers below")
    assert "Episode 1: The Average" in head
    assert f"{path}/show/1" in head
    assert not any(name in head for name in ("Ana", "Ben", "Cal", "Dan"))
    assert "Ana" in result
    do("settings", title="Code Red", audience="none")
    assert "data-copy-text" not in hal.get(f"{path}/host?tab=episodes").text


def test_a_declared_match_is_confirmed_edited_and_leads_to_an_episode(people):
    hal = people["hal"]
    path, do = new_season(hal)
    for name in ("Ana", "Ben", "Cal"):
        do("cast-added", name=name, bot="random")
    given = {"preset": "form", "label-1": "Bid", "name-1": "bid", "kind-1": "number", "least-1": "5", "most-1": "50"}
    given |= {"label-2": "Side", "name-2": "side", "kind-2": "choice", "choices-2": "Left, Right"}
    given |= {"kind": "own-match-set", "name": "Bids", "place": "own-form-1", "back": "host", "tab": "episodes"}
    refused = hal.form(f"{path}/do", **given, score="average(bid)")
    assert refused.status_code == 409
    # What is wrong is said once, in the form, above the formula.
    form = refused.text[refused.text.index('id="declare-match" open') :]
    assert refused.text.count("A formula cannot contain") == 1
    assert form.index("A formula cannot contain") < form.index('name="score"') < form.index("</form>")
    answer = hal.form(f"{path}/do", **given, score="bid")
    assert answer.headers["location"] == f"{path}/host?tab=episodes#own-form-1"
    page = hal.get(f"{path}/host?tab=episodes").text
    [entry] = re.findall(r'<li id="own-form-1">.*?</li>', page, re.S)
    assert "Declared" in entry
    for name, value in {"name": "Bids", "label-1": "Bid", "least-1": "5", "most-1": "50", "score": "bid"}.items():
        assert re.search(rf'name="{name}"[^>]* value="{value}"', entry), name
    assert 'value="Left, Right"' in entry
    assert re.search(r'<option value="choice" selected>', entry)
    start = html.unescape(re.search(r'href="([^"]*)#next"', entry)[1])
    assert '<option value="own:Bids" data-waits="1" selected>' in hal.get(start).text
    hal.form(f"{path}/do", **{**given, "preset": "form-1"}, score="bid * 2")
    [form] = hal.get(f"/api{path}").json()["own_forms"]
    assert (form["score"], len(form["fields"])) == ("bid * 2", 2)
    do("own-match-set", preset="vote", name="Vote", label="Who?", score="count(vote == me)", highest="loses")
    do("own-match-set", preset="vote-2", name="Vote", label="Whom?", score="count(vote == me)", highest="loses")
    page = hal.get(f"{path}/host?tab=episodes").text
    assert re.search(r'id="own-form-2">.*?name="label"[^>]* value="Whom\?"', page, re.S)


@pytest.mark.parametrize("hours", ["", "1"])
def test_who_is_late_asks_for_more_time_on_the_card_and_gets_it(people, server, monkeypatch, hours):
    hal, nina = people["hal"], people["nina"]
    path, do = new_season(hal)
    for name in ("Nina", "Omar", "Cal"):
        do("cast-added", name=name, bot="" if name == "Nina" else "random")
    [link] = [one["token"] for one in hal.get(f"/api{path}/links").json() if one["name"] == "Nina"]
    nina.say(f"{path}/join", code=link)
    now = int(time.time() * 1000)
    do("phase-set", name="Voting", starts=str(now - HOUR), ends=str(now + (2 if not hours else 30) * HOUR))
    score = {"score": "count(vote == me)", "highest": "loses"}
    do("own-match-set", preset="vote", name="Vote", label="Vote", hours=hours, **score)
    hal.say(f"{path}/step", step="open", game="own:Vote", duel="", clock="86400")

    def card():
        return nina.get(path).text.partition('id="mine"')[2].partition("</section>")[0]

    assert 'value="extension-asked"' not in card()
    tables = server.config.app.server.tables
    monkeypatch.setattr(tables, "_time", lambda: int(time.time() * 1000) + 5 * HOUR)
    assert 'value="extension-asked"' in card()
    nina.say(f"{path}/do", kind="extension-asked", contestant="c1", phase="p1", hours="3")
    assert "Voting: you have asked for 3 more hours." in card()
    assert 'value="extension-asked"' not in card()
    assert 'id="todo-wish-c1-p1"' in hal.get(f"{path}/host").text
    do("extension-declined", contestant="c1", phase="p1", reason="Too late.")
    assert "Too late." in card()
    assert 'value="extension-asked"' in card()
    do("phase-extended", phase="p1", hours="3")
    nina.say(f"{path}/submit", kind="submit", match="m1", round="1", confirm="yes", **{"value-vote": "c2"})
    assert "You voted for Omar." in card()


def test_a_host_is_told_when_viewers_read_a_post(people):
    hal, (path, do) = people["hal"], new_season(people["hal"])
    for name in ("Nina", "Ben", "Cal"):
        do("cast-added", name=name, bot="random")
    assert "Everyone reads it at once." in hal.get(f"{path}/host").text
    hal.say(f"{path}/step", step="open", game="", duel="")
    assert "viewers when episode 1 is closed." in hal.get(f"{path}/host?tab=posts").text
    do("settings", title="Code Red", audience="phase", delay="3")
    page = hal.get(f"{path}/host").text
    assert "when the next part of episode 1 is over. The delay of 3 hours is added." in page


def ended(*points, tokens=3, names=("Ana", "Ben", "Cal", "Dan", "Eve")):
    """Return a season whose main match has ended with these points, in a format with so many tokens of life."""
    cast = tuple(f"c{nth}" for nth in range(1, len(names) + 1))
    won = tuple(who for who, value in zip(cast, points, strict=True) if value == max(points))
    return begun(
        FormatSet(tokens=tokens),
        EpisodeOpened("g"),
        MatchOpened("t1", "main", cast),
        ResultTaken("t1", won, points),
        names=names,
    )


def test_the_form_of_a_result_proposes_as_many_tokens_as_the_format_gives_out():
    form = result_form(ended(5, 4, 9, 1, 7), "main")
    assert (set(form.wins.proposed), list(form.loses.proposed)) == ({"c3", "c5", "c1"}, ["c4"])
    assert [row[:2] for row in form.standings[0].rows] == [(1, "c3"), (2, "c5"), (3, "c1"), (4, "c2"), (5, "c4")]
    tied = result_form(ended(5, 5, 9, 1, 7), "main")
    assert (set(tied.wins.proposed), tied.ties) == ({"c3", "c5"}, ["A tie between Ana and Ben."])
    many = result_form(ended(5, 4, 9, 1, 7, tokens=6), "main")
    assert set(many.wins.proposed) == {"c1", "c2", "c3", "c5"}, "The candidate has no token."
    unscored = result_form(ended(5, 4, 9, -1, 7), "main")
    assert list(unscored.wins.proposed) == ["c3"]


def test_a_reason_for_a_broken_tie_is_in_the_log_and_the_story(people):
    hal, (path, do) = people["hal"], new_season(people["hal"])
    for name in ("Nina", "Ben", "Cal"):
        do("cast-added", name=name, bot="random")
    hal.say(f"{path}/step", step="open", game="", duel="")
    do("result-entered", candidate="c1", tie_reason="Nina asked for it.")
    assert "Nina asked for it." in hal.get(f"{path}/host?tab=log").text
    assert "The hosts on the tie: Nina asked for it." in hal.get(path).text
    page = hal.get(f"{path}/host?tab=episodes").text
    assert 'value="episode-renamed"' in page
    do("episode-renamed", number="1", title="Bids", tab="episodes")
    assert "Bids" in hal.get(f"{path}/host?tab=episodes").text


def test_a_request_for_more_time_reaches_the_console_without_a_reload(running):
    before = running.version()
    asker = running.people["nina"]
    answer = asker.form(f"/t/{running.table}/proposals", proposal="propose:extension")
    assert answer.status_code == 303, answer.text
    assert running.version() != before, "The page is brought up to date."
    assert 'value="agree:extension"' in running.console()
    assert 'value="agree:extension"' in running.hal.get(f"/t/{running.table}").text
    assert 'value="agree:extension"' not in running.console("ida")


def test_a_planned_title_stays_with_its_match(people):
    hal = people["hal"]
    path = hal.say("/seasons", title="Code Red", host="Hal", template="upside-down-episode").removesuffix("/host")
    for name in ("Nina", "Omar", "Pia"):
        hal.say(f"{path}/do", kind="cast-added", name=name, bot="random", back="host")
    fields = dict(re.findall(r'name="(planned-[a-z]+)" value="([^"]*)"', hal.get(f"{path}/host").text))
    assert fields == {"planned-match": "upside-down", "planned-title": "Upside Down Pyramid Scheme"}
    for game, title, kept in (
        ("upside-down", fields["planned-title"], fields["planned-title"]),
        ("pyramis", fields["planned-title"], ""),
        ("pyramis", "The bids", "The bids"),
    ):
        command = command_of_form("step", {"step": "open", "game": game, "title": title, **fields}, "UTC")
        assert isinstance(command, TakeStep)
        assert command.opening.title == kept


def test_time_that_is_added_is_in_proportion_to_the_clock(people):
    running = Running(people)
    [options] = re.findall(r'<select name="seconds".*?</select>', running.console(), re.S)
    seconds = [int(value) for value in re.findall(r'value="(\d+)"', options)]
    assert seconds[0] >= 3600 // 48
    assert 3600 in seconds
    assert "viewers when episode 1 is closed" in running.console()
