"""The pages as forms, without a browser."""

import re

import pytest
from markupsafe import escape

from pyramidion.bots import WEAKEST, levels_at
from pyramidion.engine.registry import all_games, load
from pyramidion.translation import from_one, with_names

HTML = {"accept": "text/html"}


def _token(page):
    return re.search(r'name="csrf" value="([^"]+)"', page.text)[1]


def _start(client, **fields):
    token = _token(client.get("/games/ponzi-scheme/new"))
    form = {"csrf": token, "game": "ponzi-scheme", "seats": "3", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
    return client.post("/tables", data={**form, "me": "Ana", "option-round_limit": "3", **fields})


def _version(page):
    return re.search(r'name="version" form="act" value="(\d+)"', page.text)[1]


def test_home_lists_every_game_with_its_picture(client):
    page = client.get("/")
    assert page.status_code == 200
    assert "Ponzi Scheme" in page.text
    assert page.text.count('class="picture"') >= 1


def test_the_level_of_the_bots_is_chosen_where_a_game_is_started(client):
    page, game = client.get("/games/pyramis"), load("pyramis")
    offered = re.search(r'<select name="level">(.*?)</select>', page.text, re.S)[1]
    assert re.findall(r'value="(\w+)"', offered) == list(levels_at(game, game.usual_seats))
    assert re.findall(r'value="(\w+)" selected', offered) == [WEAKEST]
    chosen = {"csrf": _token(page), "game": "pyramis", "with": "bots", "level": "hard"}
    table = client.post("/play", data=chosen).headers["location"].partition("#")[0].removeprefix("/t/")
    seats = client.get(f"/api/tables/{table}").json()["seats"]
    assert [seat["bot"] for seat in seats] == [None, *["hard"] * (game.usual_seats - 1)]
    assert client.post("/play", data={**chosen, "level": "wizard"}).status_code == 422


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_a_games_own_page_says_what_it_is_about_and_starts_it(client, game):
    page = client.get(f"/games/{game.id}")
    for line in game.goal or (game.summary,):
        assert escape(line) in page.text
    assert f"{game.name} is designed by" in page.text
    assert "published by ." not in page.text
    assert bool(game.credits.publishers) == ("published by" in page.text)
    started = client.post("/play", data={"csrf": _token(page), "game": game.id, "with": "friends"})
    assert started.headers["location"].startswith("/t/")
    assert f'href="/games/{game.id}"' in client.get("/").text
    assert f'href="/games/{game.id}"' in client.get(f"/games/{game.id}/rules").text


def test_the_address_of_all_games_leads_home_and_of_no_game_nowhere(client):
    assert client.get("/games").headers["location"] == "/"
    assert client.get("/games/chess", headers=HTML).status_code == 404


def test_a_table_is_started_with_options_and_listed_at_home(client):
    answer = _start(client, title="Friday", **{"option-advanced": "yes"})
    assert answer.status_code == 303
    page = client.get(answer.headers["location"])
    assert "Friday" in page.text
    assert 'class="luxuries"' in page.text
    assert "of at most 3" in page.text
    assert "Friday" in client.get("/").text


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("seats", "9", "3 to 5 seats"),
        ("seats", "three", "whole number"),
        ("seats", "²", "whole number"),
        ("seat-1", "me", "only one seat"),
        ("seat-1", "bot:clever", "unknown bot"),
        ("seat-1", "king", "me, bot or open"),
        ("option-round_limit", "1000", "1 to 200"),
        ("title", "x" * 81, "80"),
    ],
)
def test_a_form_that_cannot_be_accepted_comes_back_with_the_reason(client, field, value, sentence):
    answer = _start(client, **{field: value})
    assert answer.status_code == 422
    assert sentence in answer.text
    assert 'value="Ana"' in answer.text, "what was typed is kept"


def test_forms_of_other_pages_are_refused(client):
    client.get("/games/ponzi-scheme/new")
    assert client.post("/tables", data={"game": "ponzi-scheme", "csrf": "wrong"}).status_code == 403
    url = _start(client).headers["location"]
    for what in ("act", "sit"):
        assert client.post(f"{url}/{what}", data={"csrf": "wrong"}, headers=HTML).status_code == 403
        elsewhere = {"origin": "https://elsewhere.example", **HTML}
        token = _token(client.get(url))
        assert client.post(f"{url}/{what}", data={"csrf": token}, headers=elsewhere).status_code == 403


def test_a_plain_form_that_is_refused_brings_the_table_and_the_sentence(client):
    url = _start(client).headers["location"]
    page = client.get(url)
    form = {"csrf": _token(page), "version": _version(page)}
    refused = client.post(f"{url}/act", data={**form, "action": "fund media 80"}, headers=HTML)
    assert refused.status_code == 422
    assert 'id="fragment"' in refused.text
    assert 'class="error message"' in refused.text
    assert client.post(f"{url}/act", data={**form, "action": "nonsense"}, headers=HTML).status_code == 422
    late = client.post(f"{url}/act", data={**form, "version": "77", "action": "pass"}, headers=HTML)
    assert late.status_code == 409
    assert "has moved on" in late.text
    bad = client.post(f"{url}/act", data={**form, "version": "x", "action": "pass"}, headers=HTML)
    assert bad.status_code == 400


def test_scripts_get_json(client):
    url = _start(client).headers["location"]
    page = client.get(url)
    form = {"version": _version(page), "action": "fund media 80"}
    headers = {"accept": "application/json", "x-csrf": _token(page)}
    refused = client.post(f"{url}/act", data=form, headers=headers)
    assert refused.status_code == 422
    assert set(refused.json()) == {"error", "rule", "reason"}
    reason = refused.json()["reason"].replace("Open seat", "")
    assert not re.search(r"\bseat \d", reason, re.IGNORECASE), "players are called by their names"
    why = client.get(f"{url}/refusal", params={"ids": "card:17", "picks": ""})
    assert why.json()["reason"]


def test_spectators_are_told_so_and_cannot_look_into_the_future(client):
    url = _start(client).headers["location"]
    client.cookies.clear()
    page = client.get(url)
    assert "You are watching" in page.text
    assert "Join as player 2" in page.text
    assert "watching" in client.get(f"{url}/refusal", params={"ids": "card:17"}).json()["reason"]
    assert client.get(f"{url}/fragment", params={"version": 99}).status_code == 400
    assert client.get(f"{url}/fragment", params={"open": 1}).status_code == 400
    assert client.get(f"{url}/record.json").status_code == 403


def test_an_error_is_a_page_for_people(client):
    missing = client.get("/t/nothing", headers=HTML)
    assert missing.status_code == 404
    assert "no table" in missing.text
    assert 'href="/"' in missing.text


def test_a_page_counts_seats_from_one_and_calls_players_by_their_names(client):
    names = ["Ana", "Ben", "Cleo"]
    for sentence, said in (
        ("It is not your throw: seats 0 and 2 are throwing.", "It is not your throw: Ana and Cleo are throwing."),
        ("Wait for seat 1, and for seats 0, 1 and 2.", "Wait for Ben, and for Ana, Ben and Cleo."),
        ("There is no seat 7; this table has seats 0 to 2.", "There is no seat 7; this table has seats 0 to 2."),
    ):
        assert with_names(sentence, names) == said
    assert from_one("Open seat 2 is not seat 2.") == "Open seat 2 is not seat 3."
    assert "Seat 2 must be" in _start(client, **{"seat-1": "king"}).text
    url = _start(client).headers["location"]
    form = {"csrf": _token(client.get(url)), "seat": "6"}
    client.cookies.clear()
    client.get("/games/ponzi-scheme/new")
    form["csrf"] = _token(client.get("/games/ponzi-scheme/new"))
    answer = client.post(f"{url}/sit", data=form, headers=HTML)
    assert "There is no seat 7; this table has seats 1 to 3." in answer.text


def test_the_page_says_that_the_seed_was_chosen_and_how_much_time_there_is(client):
    page = client.get(_start(client, seed="7", clock="3600").headers["location"]).text
    assert "chosen seed" in page
    assert "1 hour per decision" in page
    assert 'id="clock"' in page
    page = client.get(_start(client).headers["location"]).text
    assert "chosen seed" not in page
    assert "per decision" not in page
