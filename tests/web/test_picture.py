"""A match in a notebook shows its board."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import pyramidion
from pyramidion.engine import registry


@pytest.mark.parametrize("plies", [0, 30, 1000])
def test_a_match_shows_its_board(plies: int) -> None:
    match = pyramidion.load("ponzi-scheme").new(seats=3, seed=4)
    while match.ply < plies and not match.over:
        match.play(match.acting[0], match.legal(match.acting[0])[-1])
    shown = match._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "Seat 2" in shown
    assert "<script" not in shown
    assert "src=" not in shown.replace("srcdoc=", "")


@pytest.mark.parametrize("game_id", registry.own_ids())
def test_a_position_is_a_file_of_what_the_viewer_sees(client, new_table, game_id: str) -> None:
    seats = registry.load(game_id).usual_seats
    table = new_table(["me"] * seats, game=game_id, seed="a picture")
    answer = client.get(f"/t/{table.id}/position.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    picture = ElementTree.fromstring(answer.text)
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert any(one.get("id") == "board" for one in picture.iter())
    assert [one for one in picture.iter() if one.tag.endswith("}script")] == []
    # Nothing is loaded from elsewhere.
    outside = re.findall(r'(?:src|href)="(?!#)|url\("(?!data:)', answer.text)
    assert outside == []
    assert client.get(f"/t/{table.id}/position.svg", params={"seat": "0"}).status_code == 403
    assert client.get(f"/t/{table.id}/position.svg", params={"at": "99"}).status_code == 400
    # What the picture hides is what the page calls it: else there are controls in it.
    hidden = re.search(r"position :is\(([^)]+)\) { display: none", answer.text)[1]
    assert "action-panel" in hidden
    names = {name for one in picture.iter() for name in one.get("class", "").split()}
    assert "action-panel" in names
    assert {"action", "act", "host"}.isdisjoint(one.get("name") for one in picture.iter())
