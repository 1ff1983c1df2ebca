"""A table played with a card file of one's own."""

import html
import json
import re

import httpx
import pytest
from tests.web.conftest import Player, serving

import pyramidion

GAME = pyramidion.load("ponzi-scheme")
OWN = (GAME.folder / "cards.toml").read_text("utf-8")
CHANGED = re.sub(r"\{value = 9, period = \d, interest = \d+", "{value = 9, period = 1, interest = 77", OWN)
BAD = OWN.replace("{value = 41, period = 3", "{value = 41, period = 9")
LINE = next(n for n, text in enumerate(OWN.splitlines(), 1) if "value = 41," in text)
WRONG = f"cards.toml, line {LINE}, fund_cards number 33, field 'period': must be a whole number from 1 to 5, not 9"


def _lowest(table):
    return table.get("/view")["view"]["market"][0]


def _form(client, game="ponzi-scheme", **fields):
    token = re.search(r'name="csrf" value="([^"]+)"', client.get(f"/games/{game}/new").text)[1]
    form = {"csrf": token, "game": game, "seats": "3", "seat-0": "me", "me": "Ana", "title": "Home-made"}
    return client.post("/tables", data={**form, **fields})


def test_the_cards_are_played_with_and_are_in_the_record(new_table, client):
    table = new_table(cards=CHANGED, options={"round_limit": 1})
    assert table.about["own_cards"]
    assert [_lowest(table)[what] for what in ("value", "period", "interest")] == [9, 1, 77]
    assert not new_table().about["own_cards"]
    table.play(lambda legal: next(one["id"] for one in legal if one["text"].endswith(" 9")))
    while not table.get()["over"]:
        table.play(lambda legal: legal[0]["id"])
    record = client.get(f"/t/{table.id}/record.json").json()
    assert record["cards"] == CHANGED
    assert pyramidion.Match.from_record(record).over


def test_everybody_at_the_table_can_read_them(new_table, client):
    table = new_table(cards=CHANGED)
    assert "custom cards</a>" in client.get(f"/t/{table.id}").text
    answer = client.get(f"/t/{table.id}/cards.toml")
    assert (answer.text, answer.headers["content-type"]) == (CHANGED, "text/plain; charset=utf-8")
    usual = new_table()
    assert "custom cards</a>" not in client.get(f"/t/{usual.id}").text
    assert client.get(f"/t/{usual.id}/cards.toml").text == OWN


def test_they_are_kept_through_a_restart(tmp_path):
    with serving(tmp_path) as server, httpx.Client(base_url=server.address) as client:
        table = Player(client, cards=CHANGED)
        table.play("pass")
        before = table.get("/view")
    with serving(tmp_path) as server, httpx.Client(base_url=server.address) as client:
        table.client = client
        assert table.get("/view") == before
        assert table.get()["own_cards"]
        table.play("pass")


@pytest.mark.parametrize(
    ("game", "cards", "words"),
    [
        ("ponzi-scheme", BAD, WRONG),
        ("ponzi-scheme", "wealth = [", "cards.toml is not TOML"),
        ("ponzi-scheme", "", "'fund_cards' must be an array of 72 tables"),
        ("ponzi-scheme", "#\n" * 50_001, "at most 100,000 characters; this one has 100,002"),
        ("pyramid-shambo", OWN, "Pyramid-Sham-Bo has no card file"),
    ],
)
def test_a_card_file_that_cannot_be_used_is_refused_with_a_sentence(client, game, cards, words):
    # Half a pair, which is no text, cannot even be sent but by its number.
    body = json.dumps({"game": game, "seats": [{"kind": "me"}] * 3, "cards": cards})
    answer = client.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (422, "bad-table")
    assert words in answer.json()["detail"]


def test_a_body_longer_than_any_table_is_refused(client):
    answer = client.post("/api/tables", json={"game": "ponzi-scheme", "seats": [], "cards": "#" * 1_300_000})
    assert (answer.status_code, answer.json()["error"]) == (413, "too-large")
    assert "larger than 1235 kB" in answer.json()["detail"]
    assert _form(client, cards="#" * 1_300_000).status_code == 413


@pytest.mark.parametrize("letter", ["x", "\N{SNOWMAN}", "\N{EYES}"])
def test_the_form_takes_the_longest_card_file_in_any_letters(client, letter):
    file = CHANGED + f"\n# {letter * 400}" * ((100_000 - len(CHANGED)) // 403)
    file += "\n" * (100_000 - len(file))
    answer = _form(client, cards=file.replace("\n", "\r\n"))
    assert answer.status_code == 303, answer.text[:3000]
    assert client.get(f"{answer.headers['location']}/cards.toml").text == file


def test_the_form_comes_back_with_the_sentence_and_what_was_typed(client):
    answer = _form(client, cards=BAD)
    assert answer.status_code == 422
    text = html.unescape(answer.text)
    assert WRONG in text
    assert BAD in text
    assert "<details open>" in text
    assert 'value="Home-made"' in text


def test_the_form_offers_cards_where_a_game_has_a_card_file(client):
    page = client.get("/games/ponzi-scheme/new").text
    assert '<textarea name="cards"' in page
    assert 'href="/games/ponzi-scheme/cards.toml"' in page
    assert "<details>" in page
    answer = client.get("/games/ponzi-scheme/cards.toml")
    assert (answer.text, answer.headers["content-type"]) == (OWN, "text/plain; charset=utf-8")
    assert "textarea" not in client.get("/games/pyramid-shambo/new").text
    assert client.get("/games/pyramid-shambo/cards.toml").status_code == 404
    assert client.get("/games/chess/cards.toml").status_code == 404
    assert client.get(_form(client, cards=" \r\n").headers["location"] + "/cards.toml").text == OWN
