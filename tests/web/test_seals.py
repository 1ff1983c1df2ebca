"""Tests of seals: a receipt for the author, nothing for anybody else before the reveal, and verifiable records."""

import copy
import json
import random

import pytest
from tests.web.helpers.clock import auction, do, tables_with_time
from tests.web.helpers.secrets import all_that

from pyramidion import BadRecord, Match
from pyramidion.cli import main
from pyramidion.engine.seals import commitment


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """Nobody is told who is there, which would happen sooner or later."""
    monkeypatch.setattr("pyramidion.web.table.views.viewers.PRESENCE_DELAY", 3600)


def challenged(new_table, seats=3):
    """Return a table of Pyramid-Sham-Bo where the first throw is due, the two who throw, and one who does not."""
    table = new_table(["me"] * seats, game="pyramid-shambo", seed="sealed", title="Throws")
    one = table.get()["acting"][0]
    other = (one + 1) % seats
    table.play(f"challenge {other}")
    return table, one, other, (one + 2) % seats


def test_a_throw_gives_a_receipt_and_nobody_else_can_tell(client, new_table):
    table, one, other, third = challenged(new_table)
    before = {viewer: all_that(client, table, viewer) for viewer in (other, third, None)}
    answer = table.post(one, "throw rock").json()
    receipt = answer["receipt"]
    assert (receipt["seat"], receipt["actions"]) == (one, ["throw rock"])
    text = ["pyramid-shambo", table.id, one, receipt["step"], ["throw rock"], receipt["nonce"]]
    assert receipt["commitment"] == commitment(*text)
    assert {viewer: all_that(client, table, viewer) for viewer in (other, third, None)} == before
    assert table.get("/view", one)["receipt"] == table.get("/seals", one)["seals"][0] == receipt
    assert table.get("/seals", other)["seals"] == table.get("/seals")["seals"] == []
    second = table.post(other, "throw paper").json()["receipt"]
    # Now everybody can check both, in an order that tells nothing.
    for viewer in (one, other, third, None):
        assert table.get("/seals", viewer)["seals"] == sorted([receipt, second], key=lambda seal: seal["seat"])
    page = client.get(f"/t/{table.id}/seals").text
    assert receipt["commitment"] in page
    assert second["nonce"] in page


@pytest.fixture(scope="module")
def record(server):
    """The record of a short game, with the table's id and seals."""
    import httpx
    from tests.web.conftest import Player

    chance = random.Random(4)
    with httpx.Client(base_url=server.address, timeout=60) as client:
        table = Player(client, ["me"] * 3, "pyramid-shambo", seed=5, options={"turn_limit": 4})
        while not (about := table.get())["over"]:
            asked = [(seat, table.get("/legal", seat)) for seat in about["acting"]]
            seat, legal = next((seat, legal) for seat, legal in asked if legal["legal"])
            assert table.post(seat, chance.choice(legal["legal"])["id"], legal["version"]).status_code == 200
        return table.get("/record")


def test_a_record_holds_its_seals_and_verifies_them(record, tmp_path, capsys):
    throws = [ply for ply, (_, action) in enumerate(record["actions"], 1) if action.startswith("throw")]
    assert [ply for ply, _, _ in record["seals"]] == throws
    assert Match.from_record(record).over
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    assert main(["verify", str(path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Record: Pyramid-Sham-Bo, 3 seats, version 2 of the rules.",
        f"Actions: {len(record['actions'])}, all legal; the game is over.",
        f"Seals: {len(throws)}, all valid; the clock made 0 of the actions.",
        "Seed: the record does not say where it comes from.",
    ]
    del record["seals"]
    path.write_text(json.dumps(record))
    assert main(["verify", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-2] == "Seals: the record has none."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda r: r["seals"][0].__setitem__(2, "0" * 32), "Ply {first}, 'throw .*' by seat ., does not fit its seal"),
        (lambda r: r["seals"][0].__setitem__(1, "0" * 64), "Ply {first}, .* it is not what was submitted"),
        (lambda r: r.__setitem__("table", "another"), "Ply {first}, .* does not fit its seal"),
        (lambda r: r["seals"].pop(0), "Ply {first}, .*, has no seal"),
        (lambda r: r["seals"].append([1, "x", "y"]), "Ply 1 has a seal, and is no submission"),
        (lambda r: r["clock"].append(r["seals"][0][0]), "Ply {first} has a seal, and is no submission"),
        (lambda r: r["seals"].append([9999, "x", "y"]), "There is a seal for ply 9999, and the record has"),
        (lambda r: r["seals"].append(["x"]), "'seals' are malformed"),
        (lambda r: r["seals"].append(r["seals"][0]), "'seals' are malformed"),
        (lambda r: r.__setitem__("seals", None), "'seals' are malformed"),
        (lambda r: r.__setitem__("clock", ["x"]), "'clock' is malformed"),
        (lambda r: r.pop("table"), "'table' is missing or malformed"),
    ],
)
def test_a_record_that_was_tampered_with_names_the_ply(server, new_table, change, sentence, tmp_path, capsys):
    table, one, other, _ = challenged(new_table)
    table.post(one, "throw rock")
    table.post(other, "throw rock")
    whole = server.app.server.tables.cached(table.id).record()
    assert Match.from_record(whole).ply == 3
    tampered = copy.deepcopy(whole)
    change(tampered)
    expected = sentence.format(first=whole["seals"][0][0])
    with pytest.raises(BadRecord, match=expected):
        Match.from_record(tampered)
    path = tmp_path / "record.json"
    path.write_text(json.dumps(tampered))
    assert main(["verify", str(path)]) == 1
    assert "does not hold" in capsys.readouterr().err


def test_another_throw_than_the_one_that_was_made_is_found_out(server, new_table):
    table, one, other, _ = challenged(new_table)
    table.post(one, "throw rock")
    table.post(other, "throw rock")
    whole = server.app.server.tables.cached(table.id).record()
    whole["actions"][2][1] = "throw paper"
    with pytest.raises(BadRecord, match=f"Ply 3, 'throw paper' by seat {other}, does not fit its seal"):
        Match.from_record(whole)


@pytest.mark.parametrize(
    ("content", "code", "sentence"),
    [
        ("[1]", 1, "does not hold: "),
        ("{}", 1, "does not hold: "),
        ('{"seals": []}', 1, "does not hold: "),
        ("", 2, "is not a game record: it is not JSON."),
        ("\xff", 2, "is not a text in UTF-8 or UTF-16."),
    ],
)
def test_what_is_no_record_fails_with_a_sentence(tmp_path, content, code, sentence, capsys):
    path = tmp_path / "record.json"
    path.write_bytes(content.encode("latin-1"))
    assert main(["verify", str(path)]) == code
    assert sentence in capsys.readouterr().err


async def test_parts_are_sealed_with_the_confirmation_and_opened_at_the_end(tmp_path, outside):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await auction(tables, close_early=False)
        for seat, action in ((0, "bid 3"), (0, "bid 4"), (1, "bid 2"), (1, "confirm"), (1, "reopen"), (1, "bid 5")):
            assert (await do(table, seat, action)).receipt is None or action == "confirm"
        await do(table, 0, "confirm")
        first = (await do(table, 2, "confirm")).receipt
        assert first.actions == ("confirm",)
        last = (await do(table, 1, "confirm")).receipt
        assert last.actions == ("bid 2", "confirm", "reopen", "bid 5", "confirm")
        # What is held counts in what its seat does while it waits, and gets another receipt.
        await do(table, 1, "gift 0")
        assert table.visibility.receipt(1).actions == (*last.actions[:-1], "gift 0", "confirm")
        assert [seal["seat"] for seal in table.visibility.seals_for(1)] == [1]
        assert table.visibility.seals_for(None) == []
        time.passes(60)
        await tables.keeper.tick()
        public = table.visibility.seals_for(None)
        assert [set(seal) for seal in public] == [{"seat", "step", "commitment"}] * 3
        assert table.visibility.seals_for(0)[0]["actions"] == ["bid 3", "bid 4", "confirm"]
        for _ in range(2):
            time.passes(60)
            await tables.keeper.tick()
        assert table.match.over
        assert all("nonce" in seal for seal in table.visibility.seals_for(None))
        kept = table.record()
        assert len(kept["clock"]) == 6
        assert len(kept["seals"]) == 4
        assert Match.from_record(json.loads(json.dumps(kept))).over
    async with tables_with_time(tmp_path) as (tables, time):
        assert (await tables.get(table.id)).record() == kept


def test_streams_tell_nobody_else_of_a_confirmation_that_is_held(new_table, outside):
    table = new_table(["me"] * 3, game="silent-auction", clock=3600, close_early=False)
    with table.stream(0) as first, table.stream(2) as last, table.stream(page=True) as watching:
        for stream in (first, last, watching):
            stream.next()
        for seat in (1, 0):
            assert table.post(seat, "confirm").status_code == 200
        assert first.next()["submission"]["confirmed"]
        answer = table.post(2, "confirm").json()
        assert (answer["version"], answer["receipt"]["seat"]) == (0, 2)
        told = last.next("people")
        assert told["submission"] == {"open": False, "saved": [], "confirmed": True}
        assert told["receipt"] == answer["receipt"]
        # What the others hear next are signs of life.
        assert first.raw() == watching.raw() == [": still here"]
        assert table.post(2, "reopen").status_code == 200
        assert last.next("people")["submission"]["open"]
        assert first.raw() == watching.raw() == [": still here"]
