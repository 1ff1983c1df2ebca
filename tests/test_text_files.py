"""Files that people give to the program, as editors and consoles write them, at every door."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import pyramidion
from pyramidion import lab
from pyramidion.cli import main
from pyramidion.cli.options import read_cards
from pyramidion.env.open_spiel_rules import rules_of
from pyramidion.lab.search.parameters import varied
from pyramidion.text_files import NotText, decoded, read_text

GAME = pyramidion.load("ponzi-scheme")
assert GAME.card_file is not None
CARDS = GAME.card_file.read_text("utf-8")
WRITTEN: dict[str, Callable[[str], bytes]] = {
    "UTF-8": str.encode,
    "UTF-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16 as PowerShell 5 writes it": lambda text: b"\xff\xfe" + text.replace("\n", "\r\n").encode("utf-16-le"),
    "UTF-16, big-endian": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "line breaks of Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "mark and line breaks": lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
}
BAD = {
    "Latin 1": b"title = '\xe9'",
    "UTF-16 without a mark": "a = 1".encode("utf-16-le"),
    "binary": b"\x00\x01",
    "half a character": b"\xff\xfea",
}


@pytest.mark.parametrize("written", WRITTEN)
def test_a_text_is_the_same_however_it_was_written(written: str, tmp_path: Path) -> None:
    text = "é = 1\n金 = 'Zoë'\n"
    (tmp_path / "text").write_bytes(WRITTEN[written](text))
    assert read_text(tmp_path / "text") == text


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_text_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NotText, match=r"^my\.toml is not a text.* Save it as UTF-8\.$"):
        decoded(BAD[name], "my.toml")
    (tmp_path / "my.toml").write_bytes(BAD[name])
    assert main(["verify", str(tmp_path / "my.toml")]) != 0
    assert "Save it as UTF-8." in capsys.readouterr().err


@pytest.mark.parametrize("written", WRITTEN)
def test_every_door_reads_them(written: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards, record = tmp_path / "my.toml", tmp_path / "game.json"
    cards.write_bytes(WRITTEN[written](CARDS))
    record.write_bytes(WRITTEN[written](json.dumps(GAME.new(seed=1).record(), indent=1)))
    assert main(["verify", str(record)]) == 0, capsys.readouterr().err
    assert read_cards(GAME, cards) == CARDS
    GAME.check_cards("\ufeff" + CARDS)
    played = lab.experiment("ponzi-scheme", players=["random"], games=1, cards=cards)
    assert played.games == 1
    assert varied(GAME, {"cards": cards}, {"seats": 3})["seats"] == 3
    assert rules_of(GAME, cards=str(cards)).seats == GAME.usual_seats


def test_cards_are_saved_in_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "ponzi-scheme", "--out", str(tmp_path / "my.toml")]) == 0
    assert capsys.readouterr().out.endswith("my.toml.\n")
    assert (tmp_path / "my.toml").read_bytes().decode() == CARDS
