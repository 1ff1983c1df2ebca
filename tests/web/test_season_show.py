"""Shows: neither the replay of a match nor the page of an episode tells viewers of what comes later."""

import re

from tests.web.conftest import Player
from tests.web.test_seasons import Host

SAME = 12
"""How many actions two matches have in common before they part."""


def finished(client, game, choice):
    """Play a match of two, the first `SAME` actions alike in every world; return it and how many actions it had."""
    table = Player(client, ("me", "me"), game, seed="the same deal", title="Code Red, episode 1")
    number = 0
    while not (seen := table.get("/view"))["over"]:
        assert number < 500
        for seat in range(2):
            legal = table.get("/legal", seat)
            if legal["legal"]:
                action = legal["legal"][0 if number < SAME else choice]
                answer = table.post(seat, action["text"], legal["version"])
                assert answer.status_code == 200, answer.text
                number += 1
                break
        else:
            raise AssertionError(seen)
    return table, number


def told(table, path, **query):
    """Return what a viewer gets at an address, without what differs between any two tables and visits."""
    answer = table.client.get(f"/t/{table.id}{path}", params=query)
    assert answer.status_code == 200, answer.text
    text = answer.text.replace(table.id, "TABLE")
    return re.sub(r'(csrf"|data-csrf=)[^>]*?value="[^"]*"|data-csrf="[^"]*"', "", text)


def test_a_replay_from_the_beginning_tells_nothing_of_what_comes_later(client):
    (one, first), (other, second) = finished(client, "pyramid-scheme", 0), finished(client, "pyramid-scheme", -1)
    assert min(first, second) > SAME
    assert told(one, "") != told(other, "")  # the results differ
    for at in range(0, SAME + 1, 3):
        for path, query in {
            "": {"at": at, "open": 1, "until_here": 1},
            "/fragment": {"version": at, "seat": "all", "until_here": 1},
            "/position.svg": {"at": at, "open": 1},
        }.items():
            assert told(one, path, **query) == told(other, path, **query), (at, path)
        known = re.search(r'data-events="(\d+)"', told(one, "/fragment", version=at, seat="all", until_here=1))
        lines = {"since": 0, "until": known[1], "seat": "all"}
        assert told(one, "/log", **lines) == told(other, "/log", **lines)
    # Once the end is reached nothing is hidden any more.
    end = told(one, "", at=first, open=1, until_here=1)
    assert "data-until-here" not in end
    assert f"{first} of {first}" in end


def test_the_page_of_an_episode_keeps_every_result_behind_a_fold(client):
    def shown(loser):
        host = Host(client, audience="live")
        for name in ("Nina", "Felix", "Grace"):
            host.done("cast-added", name=name, bot="random")
        host.done("episode-opened")
        host.done("result-entered", candidate=loser, tokens={"c3": 1})
        host.done("opponent-named", opponent="c1" if loser == "c2" else "c2")
        host.done("duel-entered", loser=loser)
        host.step("elimination")
        page = client.get(f"/seasons/{host.id}/show/1").text.replace(host.id, "SEASON")
        folded = re.sub(r"(<details[^>]*><summary>.*?</summary>).*?</details>", r"\1", page, flags=re.DOTALL)
        return re.sub(r'value="[^"]*"|data-version="[^"]*"', "", folded), page

    (one, whole), (other, _) = shown("c1"), shown("c2")
    assert one == other
    assert "Felix" not in one
    assert "Felix" in whole


def test_the_page_of_an_episode_tells_nothing_of_later_ones(client):
    host = Host(client, audience="live")
    for name in ("Nina", "Felix", "Grace", "Ada"):
        host.done("cast-added", name=name, bot="random")

    def leaves(loser, opponent):
        host.done("episode-opened")
        host.done("result-entered", candidate=loser, tokens={"c3": 1})
        host.done("opponent-named", opponent=opponent)
        host.done("duel-entered", loser=loser)
        host.step("elimination")

    def first_episode():
        page = client.get(f"/seasons/{host.id}/show/1").text
        page = page.replace(f'<a class="button" href="/seasons/{host.id}/show/2">\nNext episode</a>', "")
        return re.sub(r'value="[^"]*"|data-version="[^"]*"|data-csrf="[^"]*"|\s', "", page)

    leaves("c1", "c2")
    before = first_episode()
    assert "gone" in before, "Nina has left."
    leaves("c2", "c4")
    assert first_episode() == before


def test_viewers_see_who_is_left_first_and_only_columns_that_are_open_to_them(client):
    host = Host(client, garnets="hosts", priority="public")
    for name, garnets in (("Nina", 3), ("Felix", 4), ("Grace", 5)):
        host.done("cast-added", name=name, garnets=garnets, priority=7, bot="random")
    page = client.get(f"/seasons/{host.id}").text
    columns = re.findall(r'<th scope="col">([^<]*)</th>', page[page.index('id="cast"') :])[:3]
    assert columns[:2] == ["Name", "Priority"]
    assert "Garnets" not in columns
    host.done("episode-opened")
    host.done("result-entered", candidate="c1", tokens={"c3": 1})
    host.done("opponent-named", opponent="c2")
    host.done("duel-entered", loser="c1")
    host.step("elimination")
    page = client.get(f"/seasons/{host.id}").text
    gallery = page[page.index('class="gallery"') :]
    assert re.findall(r'<span class="name">(\w+)', gallery)[:3] == ["Felix", "Grace", "Nina"]


def test_the_show_leads_to_a_replay_without_later_positions(client):
    host = Host(client, audience="live")
    for name in ("Nina", "Felix", "Grace"):
        host.done("cast-added", name=name, bot="random")
    host.step("open", game="pyramid-shambo")
    host.wait("main-playing")
    page = client.get(f"/seasons/{host.id}/show/1").text
    link = re.search(r'href="(/t/[^"]*)"', page)[1].replace("&amp;", "&")
    replay = client.get(link).text
    assert f'id="season-link" href="/seasons/{host.id}/show/1"' in replay
    assert "data-until-here" in replay
    assert 'max="0"' in replay


def test_the_page_says_what_comes_next(client):
    host = Host(client, audience="live")
    path = f"/seasons/{host.id}"

    def said():
        return re.search(r'id="step">(.*?)</p>', client.get(path).text, re.DOTALL)[1].strip()

    assert said() == "The cast is not complete yet."
    host.bots(("Nina", "Felix", "Grace"))
    assert said() == "The first episode can begin."

    def leaves(loser, opponent):
        host.done("episode-opened")
        host.done("result-entered", candidate=loser)
        host.done("opponent-named", opponent=opponent)
        host.done("duel-entered", loser=loser)
        host.step("elimination")

    host.bots(("Omar",))
    leaves("c1", "c2")
    assert said() == "The next episode can begin."
    leaves("c2", "c3")
    assert said() == "The final can begin."
    # Whether an episode is being played is not for these viewers to know.
    host.done("settings", title="Code Red", audience="episode")
    before = said()
    host.done("episode-opened")
    assert said() == before == "Each episode appears here when it is over."
