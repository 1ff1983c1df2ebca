"""Tests of the lab's pages: off by default, one run per person in a process of its own, cancelled when abandoned."""

import asyncio
import math
import re

import httpx
import pytest
from tests.web.conftest import serving
from tests.web.helpers.lessons import csrf

from pyramidion.web.features.lab import service
from pyramidion.web.features.lab.pages import _number
from pyramidion.web.features.lab.run_form import Order
from pyramidion.web.features.lab.service import ABANDONED, MOST_WAITING, Lab


@pytest.fixture(scope="module")
def lab_server(tmp_path_factory):
    # The tests wait for runs without watching them, on machines that may be busy.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "ABANDONED", 3600.0)
        with serving(tmp_path_factory.mktemp("lab"), lab=True, lab_games=2_000) as server:
            yield server


@pytest.fixture
def browser(lab_server):
    with httpx.Client(base_url=lab_server.address, follow_redirects=True, timeout=120) as client:
        yield client


def started(browser, game, **fields):
    page = browser.get(f"/lab/{game}")
    return browser.post(f"/lab/{game}", data={"csrf": csrf(page), "seats": "2", "games": "1000", **fields})


def finished(lab_server, browser, page):
    """Wait for a run to end and return its figures."""
    run_id = re.search(r'data-run="([^"]+)"', page.text)[1]
    lab = lab_server.app.server.lab
    task = next(run.task for run in lab._runs.values() if run.id == run_id)
    asyncio.run_coroutine_threadsafe(asyncio.wait([task]), task.get_loop()).result(300)
    return run_id, browser.get(f"/lab/runs/{run_id}").text


def test_a_server_has_no_lab_unless_asked(client):
    assert client.get("/lab").status_code == 404
    assert client.get("/lab/pyramis").status_code == 404
    assert 'href="/lab"' not in client.get("/").text


@pytest.mark.slow
def test_cards_are_edited_drawn_played_and_compared(lab_server, browser):
    assert 'href="/lab"' in browser.get("/").text
    assert browser.get("/lab").text.count('href="/lab/') >= 6
    drawing = browser.get("/lab/pyramis/cards/0", params={"card-0-top": "3, 1"}).text
    assert drawing != browser.get("/lab/pyramis/cards/0").text
    page = started(browser, "pyramis", **{"card-0-top": "3, 1"})
    assert page.url.query.startswith(b"run=")
    assert 'value="3, 1"' in page.text
    assert page.text.count('class="panel changed"') == 1
    run_id, figures = finished(lab_server, browser, page)
    assert 'data-state="over"' in figures
    assert "1,000 of 1,000 games on each side" in figures
    assert figures.count("<circle class=") == 2 * 4  # drawn for broad and for narrow screens
    assert "Cards worth most and least" in figures
    cards = browser.get(f"/lab/runs/{run_id}/cards.toml")
    assert "attachment" in cards.headers["content-disposition"]
    assert "top = [3, 1]" in cards.text
    report = browser.get(f"/lab/runs/{run_id}/report.html")
    assert "what changes from as printed to yours?" in report.text
    with httpx.Client(base_url=lab_server.address) as stranger:
        stranger.get("/lab")
        for place in ("", "/report.html", "/cards.toml"):
            assert stranger.get(f"/lab/runs/{run_id}{place}").status_code == 404
        assert stranger.get(f"/lab/pyramis?run={run_id}").status_code == 303


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"games": "2001"}, "A run has 1 to 2,000 games."),
        ({"seats": "9"}, "Pyramis has 2 to 4 seats, not 9."),
        ({"card-3-top": "1, 2, 3, 4, 5, 6, 7, 8, 9"}, "is not a valid value for top."),
        ({"card-3-star": "maybe"}, "is not a valid value for star."),
    ],
)
def test_the_form_says_what_is_wrong(browser, fields, sentence):
    page = started(browser, "pyramis", **({"card-0-top": "3, 1", "seats": "4"} | fields))
    assert page.status_code == 400
    assert sentence in page.text
    # What else was filled in stays.
    assert 'value="3, 1"' in page.text
    assert fields.get("seats") or "<option selected>4</option>" in page.text


def test_the_rules_say_what_is_wrong_with_a_card(lab_server, browser):
    _run, figures = finished(lab_server, browser, started(browser, "pyramis", **{"card-0-colour": "green"}))
    assert "there are 14 green cards (PY 1.1)" in figures


def test_a_forged_form_starts_nothing(lab_server, browser):
    before = len(lab_server.app.server.lab._runs)
    assert browser.post("/lab/pyramis", data={"csrf": "x", "seats": "2", "games": "10"}).status_code == 403
    assert len(lab_server.app.server.lab._runs) == before


async def test_runs_that_nobody_watches_are_cancelled_and_everybody_has_one(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(service, "ABANDONED", ABANDONED)

    lab = Lab(1, 60, 1000, lambda: clock[0])
    lab._room = asyncio.Semaphore(0)
    order = Order("pyramis", 2, 1000)
    first = lab.begin("ada", order)
    second = lab.begin("ada", order)
    assert (first.state, second.state) == ("cancelled", "waiting")
    assert lab.find(second.id, "eve") is None
    clock[0] = ABANDONED
    assert lab.find(second.id, "ada") is second
    third = lab.begin("eve", order)
    clock[0] = ABANDONED + 1
    lab.find(third.id, "eve")
    clock[0] = 2 * ABANDONED + 0.5
    lab.cancel_abandoned()
    assert (second.state, third.state) == ("cancelled", "waiting")
    for n in range(MOST_WAITING - 1):
        lab.begin(f"visitor {n}", order)
    with pytest.raises(service.TooMany, match="busy"):
        lab.begin("one more", order)
    await lab.close()
    assert third.state == "cancelled"


@pytest.mark.slow
async def test_a_cancelled_run_ends_its_process(monkeypatch):
    started = []
    create = asyncio.create_subprocess_exec

    async def noted(*words, **more):
        started.append(await create(*words, **more))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)

    lab = Lab(1, 600, 10**9)
    playing = asyncio.Event()
    note = service._note

    def seen(run, said):
        note(run, said)
        if run.done:
            playing.set()

    monkeypatch.setattr(service, "_note", seen)
    run = lab.begin("ada", Order("pyramis", 2, 10**9))
    await asyncio.wait_for(playing.wait(), 300)
    lab.cancel(run)
    await asyncio.wait([run.task])
    assert run.state == "cancelled"
    assert run.figures is None or run.figures["games"] < 10**9
    await lab.close()
    assert [process.returncode for process in started] == [-9]


def test_a_figure_from_too_few_games_has_no_interval():
    assert _number(True, (0.5, 0.25, 0.75)) == ("50.0 %", "25.0 to 75.0")
    assert _number(False, (3.0, -math.inf, math.inf)) == ("3.00", "too few games")
    assert _number(True, (math.nan, -math.inf, math.inf)) == ("–", "too few games")
