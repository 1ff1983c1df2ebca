"""Tests of seeds: made from the server's secret and all contributions, and verifiable from the record."""

import copy
import hashlib
import json
import re

import httpx
import pytest
from tests.web.conftest import Player
from tests.web.helpers.secrets import all_that

from pyramidion import BadRecord, Match
from pyramidion.cli import main
from pyramidion.engine.seeds import commitment, seed_of
from pyramidion.translation import from_one

SEATS = [{"kind": "me", "contribution": "tea"}, {"kind": "me", "contribution": "Café"}, {"kind": "me"}]


def _start(client, **order):
    table = Player.__new__(Player)
    order = {"game": "pyramid-shambo", "seats": SEATS, "options": {"turn_limit": 2}, **order}
    answer = client.post("/api/tables", json=order)
    assert answer.status_code == 201, answer.text
    table.client, table.about = client, answer.json()
    table.id = table.about["id"]
    table.url = f"/api/tables/{table.id}"
    table.tokens = {int(seat): token for seat, token in table.about["tokens"].items()}
    return table


@pytest.fixture(scope="module")
def played(server):
    """A table that was played to its end, what everybody could see before, and its record."""
    with httpx.Client(base_url=server.address, timeout=60) as client:
        table = _start(client)
        before = {viewer: table.get("/seals", viewer)["origin"] for viewer in (0, 1, 2, None)}
        seen = {viewer: all_that(client, table, viewer) for viewer in (0, 1, 2, None)}
        while not (about := table.get())["over"]:
            asked = [(seat, table.get("/legal", seat)) for seat in about["acting"]]
            seat, legal = next((seat, legal) for seat, legal in asked if legal["legal"])
            assert table.post(seat, legal["legal"][0]["id"], legal["version"]).status_code == 200
        yield table, before, seen, table.get("/record")


def test_before_the_end_everybody_has_the_hash_and_their_own_contribution(played):
    table, before, seen, record = played
    origin = record["origin"]
    assert hashlib.sha256(origin["secret"].encode()).hexdigest() == origin["secret_hash"] == table.about["secret_hash"]
    given = origin["contributions"]
    assert [(seat, text, source) for seat, text, source, _, _ in given[:2]] == [(0, "tea", "own"), (1, "Café", "own")]
    assert given[2][2] == "server", "who sends nothing is told that the server drew it"
    for viewer, told in before.items():
        assert set(told) == {"secret_hash", "contributions"}
        assert told["secret_hash"] == origin["secret_hash"]
        assert [one["commitment"] for one in told["contributions"]] == [one[3] for one in given]
        assert [one["seat"] for one in told["contributions"] if "text" in one] == ([] if viewer is None else [viewer])
        for secret in (origin["secret"], record["seed"], *(one[4] for one in given if one[0] != viewer)):
            assert secret not in json.dumps(seen[viewer], default=str)


def test_afterwards_all_is_open_and_follows_by_the_documented_sums(client, played):
    table, _, _, record = played
    told = table.get("/seals")["origin"]
    texts = [one["text"] for one in told["contributions"]]
    written = json.dumps(["pyramid-shambo", table.id, told["secret"], texts], separators=(",", ":"))
    assert hashlib.sha256(written.encode("ascii")).hexdigest() == record["seed"]
    assert "caf\\u00e9" in written.lower()
    assert all(
        one["commitment"] == commitment("pyramid-shambo", table.id, one["source"], one["text"], one["nonce"])
        for one in told["contributions"]
    )
    page = client.get(f"/t/{table.id}/seals").text
    assert told["secret"] in page
    assert "Café" in page


def test_verify_says_where_the_seed_comes_from(played, tmp_path, capsys):
    *_, record = played
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    assert main(["verify", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "Seed: it follows from the server's secret and 3 contributions.",
        f"      The secret's hash, shown before the first action: {record['origin']['secret_hash']}",
    ]


def _swap(record):
    (_, *first), (_, *second), *rest = record["origin"]["contributions"]
    record["origin"]["contributions"] = [[0, *second], [1, *first], *rest]


def _other_game_of_the_same_secret(record):
    """A server that would have liked another contribution: the seed is computed anew, the receipts stay."""
    record["origin"]["contributions"][0][1] = "coffee"
    texts = {seat: text for seat, text, *_ in record["origin"]["contributions"]}
    record["seed"] = seed_of(record["game"], record["table"], record["origin"]["secret"], 3, texts)


TAMPERED = {
    "The server's secret does not fit its hash": [
        lambda record: record["origin"].update(secret="0" * 64),
        lambda record: record["origin"].update(secret_hash="0" * 64),
    ],
    "The contribution of seat 0 does not fit its receipt": [
        lambda record: record["origin"]["contributions"][0].__setitem__(1, "coffee"),
        lambda record: record["origin"]["contributions"][0].__setitem__(2, "browser"),
        lambda record: record["origin"]["contributions"][0].__setitem__(3, "0" * 64),
        lambda record: record["origin"]["contributions"][0].__setitem__(4, "0" * 32),
        _other_game_of_the_same_secret,
    ],
    "The seed does not follow from": [
        lambda record: record["origin"]["contributions"].pop(),
        _swap,
        lambda record: record.update(seed="another"),
    ],
    "contributions are malformed": [
        lambda record: record["origin"].update(contributions=None),
        lambda record: record["origin"]["contributions"].reverse(),
        lambda record: record["origin"]["contributions"][0].__setitem__(0, True),
        lambda record: record["origin"]["contributions"][2].__setitem__(0, 3),
    ],
    "'table' or 'origin' is missing or malformed": [
        lambda record: record.update(origin=[]),
        lambda record: record.pop("table"),
    ],
    "64 hexadecimal digits": [lambda record: record["origin"].update(secret="Z" * 64)],
}


@pytest.mark.parametrize(("sentence", "tamper"), [(s, t) for s, several in TAMPERED.items() for t in several])
def test_what_was_tampered_with_is_found_and_said(played, tmp_path, capsys, sentence, tamper):
    changed = copy.deepcopy(played[-1])
    # Another seed or table breaks seals and chance, too; here it is the origin that has to hold by itself.
    changed["actions"], changed["seals"], changed["clock"] = [], [], []
    assert Match.from_record(changed).ply == 0
    tamper(changed)
    changed.pop("seals")
    with pytest.raises(BadRecord, match=sentence):
        Match.from_record(changed)
    path = tmp_path / "record.json"
    path.write_text(json.dumps(changed))
    assert main(["verify", str(path)]) == 1
    # The command counts seats from 1, as people do; the record counts them from 0.
    assert from_one(sentence) in capsys.readouterr().err.replace("\n", " ")


def test_a_chosen_seed_has_no_origin_and_is_shown_as_chosen(client):
    table = _start(client, seed="mine")
    assert (table.about["seeded"], table.about["secret_hash"]) == (True, None)
    assert table.get("/seals")["origin"] is None
    assert "The table's creator chose the seed" in client.get(f"/t/{table.id}/seals").text


@pytest.mark.parametrize("text", ["", "x" * 201, "two\nlines", "\u0007"])
def test_a_contribution_that_cannot_be_is_refused_with_a_sentence(client, text):
    seats = [{"kind": "me", "contribution": text}, *SEATS[1:]]
    answer = client.post("/api/tables", json={"game": "pyramid-shambo", "seats": seats})
    assert answer.status_code == 400
    assert "1 to 200 letters" in answer.json()["detail"]


def test_the_form_takes_what_the_browser_drew_or_ones_own_words(client):
    page = client.get("/games/pyramid-shambo/new").text
    token = re.search(r'name="csrf" value="([^"]+)"', page)[1]
    form = {"csrf": token, "game": "pyramid-shambo", "seats": "2", "seat-0": "me", "seat-1": "bot:random", "me": "Ana"}
    for more, source in (
        ({"drawn": "ab" * 16}, "picked by the browser"),
        ({"drawn": "ab" * 16, "contribution": " my  own "}, "entered by"),
        ({}, "picked by the server"),
    ):
        answer = client.post("/tables", data={**form, **more})
        mine = client.get(f"{answer.headers['location']}/seals").text
        assert source in mine
        assert ("my own" in mine) is ("contribution" in more)
