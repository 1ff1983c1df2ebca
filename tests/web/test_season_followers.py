"""Followers of a season: who is notified of which episode, and when."""

import re
from contextlib import closing
from xml.etree import ElementTree

from tests.helpers.seasons import after, begun, episode
from tests.web.helpers.accounts import Person
from tests.web.helpers.seasons import Host

from pyramidion.event_log import HOUR
from pyramidion.seasons.events import EpisodeClosed, EpisodeOpened, Revoked, SettingsChanged
from pyramidion.web.competitions import competition
from pyramidion.web.features.seasons import followers
from pyramidion.web.features.seasons.followers import episode_notices, watchable
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.http import pagination
from pyramidion.web.operations import moderation

ATOM = {"atom": "http://www.w3.org/2005/Atom"}
FIRST = episode("c4", "c3", "c4", c1=1)


def season(audience="episode", delay=0):
    return begun(SettingsChanged(title="Code Red", audience=audience, delay=delay))


def notices(before, grown):
    """Return the notices to a follower, each as mark, text (None where it is withdrawn), link and time."""
    return [
        (notice.mark, notice.text() if notice.text else None, notice.link, notice.due)
        for notice in episode_notices("S", before, grown, ["f"])
    ]


def test_followers_are_told_of_an_episode_when_it_can_be_watched():
    before = season(delay=2)
    over = after(before, *FIRST, at=HOUR)
    told = ("S.episode.1", "Code Red: episode 1 can be watched.", "/seasons/S/show/1", 3 * HOUR)
    assert notices(before, over) == [told]
    assert notices(over, after(over, EpisodeOpened(), at=HOUR)) == []
    assert "Dan" not in told[1], "It does not say what happened."


def test_nobody_is_told_of_a_season_that_viewers_do_not_see_or_of_an_open_episode():
    closed = season("none")
    assert notices(closed, after(closed, *FIRST, at=HOUR)) == []
    before = season("live")
    assert notices(before, after(before, *FIRST[:-1], at=HOUR)) == []


def test_a_notice_is_withdrawn_when_the_episode_is_open_again_and_moved_with_the_delay():
    before = season(delay=2)
    over = after(before, *FIRST, at=HOUR)
    assert isinstance(over.log[-1].event, EpisodeClosed)
    again = after(over, Revoked(over.log[-1].number), reason="Too early.", at=HOUR)
    assert notices(over, again) == [("S.episode.1", None, "", None)]
    later = after(over, SettingsChanged(title="Code Red", delay=5), at=2 * HOUR)
    assert [due for *_others, due in notices(over, later)] == [6 * HOUR]
    told = after(over, SettingsChanged(title="Code Red", delay=5), at=4 * HOUR)
    assert notices(over, told) == [], "It has been sent."
    assert watchable(told) == {1: 6 * HOUR}


def test_a_visitor_follows_and_stops(client):
    host = Host(client, audience="episode")
    host.bots(("Nina", "Felix", "Grace"))
    path = f"/seasons/{host.id}"

    def press(**fields):
        csrf = re.search(r'name="csrf" value="([^"]+)"', client.get(path).text)[1]
        answer = client.post(f"{path}/follow", data={"csrf": csrf, **fields}, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return answer.text

    assert "You follow this season." in press(follow="yes")
    assert "You follow this season." in press(follow="yes")
    assert "You follow this season." not in press()


def test_a_visitor_follows_and_stops_over_the_api(server, client):
    host = Host(client, audience="episode")
    hidden = Host(client, audience="none")
    with closing(Person(server, "Fay")) as fay:

        def put(season, follow, **headers):
            path = f"/api/seasons/{season}/following"
            return fay.put(path, json={"follow": follow}, headers={"x-csrf": fay.csrf, **headers})

        def follows():
            return "You follow this season." in fay.get(f"/seasons/{host.id}").text

        assert put(host.id, True).json() == {"follow": True}
        assert follows()
        assert put(host.id, False).json() == {"follow": False}
        assert not follows()
        assert put(host.id, True, **{"x-csrf": "wrong"}).status_code == 403
        assert put(host.id, True, authorization=f"Bearer {host.token}").status_code == 401, "A season's is no person's."
        assert put("nothing", True).status_code == 404
        assert put(hidden.id, True).status_code == fay.get(f"/api/seasons/{hidden.id}").status_code


def test_a_visitor_finds_the_seasons_that_they_follow(server, client):
    host, hidden = Host(client, audience="episode"), Host(client, audience="episode")
    host.bots(("Nina", "Felix", "Grace"))
    with closing(Person(server, "Gil")) as gil:
        for season in (host, hidden):
            path = f"/api/seasons/{season.id}/following"
            assert gil.put(path, json={"follow": True}, headers={"x-csrf": gil.csrf}).status_code == 200
        hidden.done("settings", title="Code Red", audience="none")
        host.done("episode-opened")
        host.done("result-entered", candidate="c1", tokens={"c3": 1})
        listed = gil.get("/seasons").text
        assert f'href="/seasons/{host.id}"' in listed
        assert hidden.id not in listed
        assert "/show/" not in listed
        host.done("opponent-named", opponent="c2")
        host.done("duel-entered", loser="c1")
        host.step("elimination")
        listed = gil.get("/seasons").text
        assert f'href="/seasons/{host.id}/show/1"' in listed
        assert "Nina" not in listed


def test_a_feed_has_the_episodes_that_viewers_can_watch_and_says_no_more(client):
    host = Host(client, audience="episode")
    host.bots(("Nina", "Felix", "Grace"))

    def feed(**headers):
        answer = client.get(f"/seasons/{host.id}/episodes.atom", headers=headers)
        assert answer.headers["content-type"].startswith("application/atom+xml")
        return ElementTree.fromstring(answer.content)

    def titles():
        return [one.text for one in feed().iterfind("atom:entry/atom:title", ATOM)]

    assert titles() == []
    host.done("episode-opened", title="Arrival")
    host.done("result-entered", candidate="c1", tokens={"c3": 1})
    assert titles() == []
    assert ElementTree.tostring(feed(authorization=f"Bearer {host.token}")) == ElementTree.tostring(feed())
    host.done("opponent-named", opponent="c2")
    host.done("duel-entered", loser="c1")
    host.step("elimination")
    assert titles() == ["Episode 1: Arrival"]
    assert feed().find("atom:entry/atom:link", ATOM).get("href").endswith(f"/seasons/{host.id}/show/1")
    assert "Nina" not in ElementTree.tostring(feed(), "unicode")
    host.done("settings", title="Code Red", audience="episode", delay=5)
    assert titles() == []
    host.done("settings", title="Code Red", audience="none")
    assert client.get(f"/seasons/{host.id}/episodes.atom").status_code == 404


def test_a_visitor_follows_a_bounded_number_of_seasons(server, client, monkeypatch):
    monkeypatch.setattr(followers, "MOST_FOLLOWED", 2)
    seasons = [Host(client, audience="episode") for _number in range(4)]
    words = "You can follow up to 2 seasons. Stop following one of them first."
    with closing(Person(server, "Una")) as una:

        def put(season, follow=True):
            path = f"/api/seasons/{season.id}/following"
            return una.put(path, json={"follow": follow}, headers={"x-csrf": una.csrf})

        first, second, third, fourth = seasons
        assert [put(season).status_code for season in (first, second, second)] == [200, 200, 200]
        assert (put(third).status_code, put(third).json()["detail"]) == (409, words)
        refused = una.post(f"/seasons/{third.id}/follow", data={"csrf": una.csrf, "follow": "yes"})
        assert (refused.status_code, words in refused.text) == (409, True)
        assert third.id not in una.get("/seasons").text
        assert put(first, follow=False).status_code == 200
        assert put(third).status_code == 200
        # Nobody can open what operators have hidden, so it does not count.
        moderation.execute(server.app.server.store, moderation.Hide("season", third.id), "tests")
        assert put(fourth).status_code == 200


def test_the_lists_of_seasons_come_in_pages_that_load_nothing_else(server, client, monkeypatch):
    for module in (competition, followers, pagination):
        monkeypatch.setattr(module, "PAGE", 2)
    with closing(Person(server, "Vic")) as vic:
        others = [Host(client, audience="episode", title=f"Other {number}") for number in range(5)]
        for season in others:
            vic.put(f"/api/seasons/{season.id}/following", json={"follow": True}, headers={"x-csrf": vic.csrf})
        own = [vic.say("/seasons", title=f"Own {number}", host="Vic").split("/")[2] for number in range(3)]
        loaded, read = [], Seasons._load

        def noted(service, season_id):
            loaded.append(season_id)
            return read(service, season_id)

        monkeypatch.setattr(Seasons, "_load", noted)

        def listed(query):
            """Return the seasons on a page, and the addresses of the next pages."""
            loaded.clear()
            text = vic.get(f"/seasons{query}").text
            shown = re.findall(r'<li class="panel"><a href="/seasons/([^"/]+)', text)
            assert sorted(loaded) == sorted(shown), "Only what is shown is loaded."
            return shown, re.findall(r'rel="next" href="([^"]+)"', text)

        first, following = listed("")
        assert (len(first), following) == (4, ["?after=2#main", "?followed=2#followed"])
        rest, following = listed("?after=2&followed=2")
        assert (len(rest), following) == (3, ["?followed=4#followed"])
        last, following = listed("?after=4&followed=4")
        assert (len(last), following) == (1, [])
        assert sorted([*first, *rest, *last]) == sorted([*own, *(season.id for season in others)])
