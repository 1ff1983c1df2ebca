"""Tests of analyses of finished games: on request, with progress, stored with the table."""

import re
import time
from random import Random
from types import SimpleNamespace

import httpx
import pytest
from tests.every_game import few_seats, limits
from tests.web.conftest import Player, serving
from tests.web.helpers.accounts import Person, finish

import pyramidion
from pyramidion.bots.analysis import Analyst, Decision
from pyramidion.engine import registry
from pyramidion.engine.random_games import play_randomly
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.analysis import service
from pyramidion.web.features.analysis.retry import trial_of
from pyramidion.web.features.analysis.service import Analyses, Progress

LINK = re.compile(r'href="/t/\w+\?version=(\d+)" data-ply="(\d+)">([^<]*: cost [^<]*)<')
HEADLINE = re.compile(r'<h1 id="headline"[^>]*><span[^>]*>(.*?)</span>', re.S)
ORDER = {"options": {"round_limit": 2}, "seed": "9"}


def finished(client, **more):
    table = Player(client, ["policy", "random", "policy"], **{**ORDER, **more})
    while not table.get()["over"]:
        time.sleep(0.01)
    return table


def analysis(table, **query):
    return table.client.get(f"/t/{table.id}/analysis", params=query).text


@pytest.fixture
def client(tmp_path):
    with (
        serving(tmp_path, analysis_iterations=20) as server,
        httpx.Client(base_url=server.address, timeout=60) as client,
    ):
        yield client


@pytest.fixture
def nina(client):
    person = Person(SimpleNamespace(address=str(client.base_url)))
    yield person
    person.close()


def ready(table):
    while (told := table.get("/analysis"))["state"] != "ready":
        assert told["state"] in ("waiting", "running"), told
        assert told["done"] <= told["total"]
        time.sleep(0.01)
    return told


def test_it_is_made_when_somebody_asks_and_kept_through_a_restart(tmp_path, monkeypatch):
    with (
        serving(tmp_path, analysis_iterations=20) as server,
        httpx.Client(base_url=server.address, timeout=60) as client,
    ):
        table = finished(client)
        plies = len(table.get("/record")["actions"])
        assert table.get("/analysis") == {"state": "none", "done": 0, "total": 0}
        assert "Analyse game" in analysis(table)
        begun = client.post(f"{table.url}/analysis")
        assert begun.status_code == 202
        assert begun.json()["state"] != "none"
        told = ready(table)
        assert len(told["curve"]) == plies + 1
        assert {len(chances) for chances in told["curve"]} == {3}
        assert told["curve"][-1] == [float(seat == told["curve"][-1].index(1)) for seat in range(3)]
        # Asking again does not make it again.
        assert client.post(f"{table.url}/analysis").json()["state"] == "ready"
    monkeypatch.setattr(Analyst, "steps", None)
    with serving(tmp_path) as server, httpx.Client(base_url=server.address, timeout=60) as client:
        table.client = client
        assert table.get("/analysis")["curve"] == told["curve"]


def test_the_page_shows_a_chart_and_the_same_in_numbers(client):
    table = finished(client)
    page = client.get("/games/ponzi-scheme/new").text
    token = page.split('name="csrf" value="')[1].split('"')[0]
    begun = client.post(f"/t/{table.id}/analysis", data={"csrf": token})
    assert (begun.status_code, begun.headers["location"]) == (303, f"/t/{table.id}/analysis")
    told = ready(table)
    page, part = analysis(table), analysis(table, part=True)
    assert part.strip() in page
    assert part.count("<polyline") == 3
    assert part.count("<tr>") == table.get()["version"] + 2
    assert part.count(": cost ") == len(told["decisions"])
    assert client.post(f"/t/{table.id}/analysis", data={"csrf": "forged"}).status_code == 403


def test_a_game_that_goes_on_is_not_analysed(client):
    table = Player(client, ["me", "policy", "policy"])
    for answer in (
        client.get(f"{table.url}/analysis"),
        client.post(f"{table.url}/analysis"),
        client.get(f"/t/{table.id}/analysis"),
    ):
        assert answer.status_code == 403
    assert answer.text.count("once it is over") == 1


def test_one_that_fails_says_so_and_can_be_tried_again(client, monkeypatch, caplog):
    table = finished(client)
    steps = Analyst.steps
    monkeypatch.setattr(Analyst, "steps", lambda self: (1 / 0 for _ in range(2)))
    client.post(f"{table.url}/analysis")
    while table.get("/analysis")["state"] != "failed":
        time.sleep(0.01)
    assert "could not be analysed" in caplog.text
    assert "The analysis failed" in analysis(table)
    monkeypatch.setattr(Analyst, "steps", steps)
    client.post(f"{table.url}/analysis")
    ready(table)


def test_the_costliest_decisions_lead_to_the_positions_before_them(tmp_path):
    with (
        serving(tmp_path, analysis_iterations=150) as server,
        httpx.Client(base_url=server.address, timeout=60) as client,
    ):
        # Bots choose anew each time, and few bad decisions may be left; these choices are always the same.
        table, chance = Player(client, options={"round_limit": 3}, seed="4"), Random(2)
        while not table.get()["over"]:
            table.play(lambda legal: chance.choice([one["id"] if "id" in one else one["first_id"] for one in legal]))
        client.post(f"{table.url}/analysis")
        told, actions = ready(table)["decisions"], table.get("/record")["actions"]
        costs = [one["chance_better"] - one["chance_played"] for one in told]
        assert len(told) >= 2
        assert costs == sorted(costs, reverse=True)
        links = LINK.findall(analysis(table, part=True))
        plies = client.get(f"/t/{table.id}/chapters").json()["plies"]
        for one, (version, ply, text) in zip(told, links, strict=True):
            assert int(ply) == one["ply"] == plies[int(version)]
            assert re.search(r"round \d+: cost", text)
            assert actions[one["ply"]][-1] == one["played"]
            # The page of the link shows the position, at which this seat is to act.
            page = client.get(f"/t/{table.id}", params={"version": version}).text
            assert f'data-version="{version}"' in page
            assert f"{table.get()['seats'][one['seat']]['name']}" in HEADLINE.search(page)[1]


def test_only_the_latest_finished_ones_are_kept_in_memory(monkeypatch):
    monkeypatch.setattr(service, "MOST_READY", 3)
    analyses = Analyses(None, None, None, None)
    for number in range(5):
        analyses._keep(str(number), Progress("ready"))
        assert list(analyses._progress) == [str(one) for one in range(max(0, number - 2), number + 1)]


def test_my_own_decisions_come_first_and_what_the_win_turned_on(nina):
    table = nina.start("me", "bot:random", "bot:random", me="Nina")
    finish(table, nina)
    nina.say(f"/t/{table}/analysis")
    while "<progress" in (page := nina.get(f"/t/{table}/analysis").text):
        time.sleep(0.05)
    own, turning, others = (
        page.index(text) for text in ("Your costliest decisions", "What the win turned on", "<figure")
    )
    assert own < turning < others
    assert f'action="/t/{table}/analysis/try"' in page
    assert 'form="analyse" id="ending-analyse">Learn from this game' in nina.get(f"/t/{table}").text


@pytest.mark.parametrize("game", registry.all_games().values(), ids=lambda game: game.id)
def test_a_decision_of_a_finished_game_is_made_again_against_bots(client, nina, game):
    played = Player(client, ["random"] * few_seats(game), game=game.id, options=limits(game, 6), seed="3")
    while not played.get()["over"]:
        time.sleep(0.01)
    match = pyramidion.Match.from_record(played.get("/record"))
    ply = next(n for n in range(match.ply // 2, match.ply) if len(match.at(n).legal_ids(match.history[n][0])) > 1)
    seat = match.history[ply][0]
    assert nina.form(f"/t/{played.id}/analysis/try", ply=str(match.ply)).status_code == 400
    again, trial = nina.say(f"/t/{played.id}/analysis/try", ply=str(ply)).removeprefix("/t/").split("#trial=")
    assert trial == f"{played.id}.{ply}"
    line = nina.get(f"/t/{played.id}/analysis/trial?table={again}&ply={ply}")
    assert "Trial from decision" in line.text
    assert f'href="/t/{played.id}?version=' in line.text
    assert nina.get(f"/t/{played.id}/analysis/trial?table={again}&ply={ply + 1}").status_code == 400
    assert nina.get(f"/t/{again}/analysis/trial?table={again}&ply={ply}").status_code == 403
    about = nina.get(f"/api/tables/{again}").json()
    assert about["title"] == f"Trial: {game.name}", "in lists it is told from a game of one's own"
    assert [entry["kind"] == "person" for entry in about["seats"]] == [n == seat for n in range(match.seats)]
    assert seat in about["acting"]
    legal = nina.get(f"/api/tables/{again}/legal").json()
    assert legal["legal"]
    assert nina.api("POST", f"/api/tables/{again}/actions", action=_first(legal), version=legal["version"]).is_success


def test_a_trial_is_compared_with_the_analysis_of_the_game():
    game = pyramidion.load("pyramis")
    first = play_randomly(game, Random(1), 2, {}).match
    ply = next(n for n in range(first.ply) if len(first.at(n).legal_ids(first.history[n][0])) > 2)
    seat, action = first.history[ply]
    played = game.actions[action].text
    better, other = [text for text in map(str, first.at(ply).legal(seat)) if text != played][:2]
    result = SimpleNamespace(decisions=[Decision(ply, seat, played, better, 0.31, 0.43, 0.01)])
    for choice, words, good in (
        (None, "", False),
        (better, "That was the better move: 43\N{NO-BREAK SPACE}% to win instead of 31\N{NO-BREAK SPACE}%.", True),
        (played, "The same move as in the game, 31\N{NO-BREAK SPACE}% to win. Better: ", False),
        (other, "Another move than in the game. The analysis recommends: ", False),
    ):
        second = first.at(ply)
        if choice is not None:
            second.play(seat, choice)
        tables = [SimpleNamespace(match=match, game=game, names=["Ana", "Ben"]) for match in (first, second)]
        trial = trial_of(*tables, ply, seat, result)
        assert trial.judgement.startswith(words)
        assert (bool(trial.judgement), trial.better) == (choice is not None, good)
        with pytest.raises(BadRequest):
            trial_of(*tables, ply, 1 - seat, result)


def test_a_decision_is_not_made_again_during_the_game(nina):
    table = nina.start("me", "bot:random", "open", me="Nina")
    assert nina.form(f"/t/{table}/analysis/try", ply="0").status_code == 403


def _first(legal):
    action = legal["legal"][0]
    return action.get("text") or f"{action['family']} {action['low']}"
