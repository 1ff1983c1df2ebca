"""A tournament as a picture: bracket, cross table, the visitor's own match; and what is on in a club this week."""

import re

import httpx
from tests.web.helpers.tournaments import Cup

from pyramidion.web.features.clubs.view_models import WEEK, this_week
from pyramidion.web.features.tournaments.picture import bracket, cross_table, final_round, next_match, runner_up


def table(*players, places=None):
    return {"players": list(players), "table": "".join(players), "places": places}


def view(*rounds, kind="elimination", you=None, step="playing", byes=((),)):
    results = [
        {"number": number, "tables": tables, "byes": list(byes[number - 1] if number <= len(byes) else ())}
        for number, tables in enumerate(rounds, 1)
    ]
    players = sorted({who for round_ in results for one in round_["tables"] for who in one["players"]})
    standings = [{"player": who} for who in players]
    return {"format": kind, "seats": 2, "results": results, "you": you, "step": step, "standings": standings}


def players(rounds):
    return [[list(match.players) for match in matches] for matches in rounds]


def test_those_who_meet_next_are_neighbours_in_the_bracket():
    first = [table("a", "b", places=[1, 2]), table("c", "d", places=[2, 1]), table("e", "f", places=[1, 2])]
    rounds = bracket(view(first, [table("e", "a"), table("d", "g")], byes=(["g"],)))
    assert players(rounds) == [[["e", "f"], ["a", "b"], ["c", "d"], ["g"]], [["e", "a"], ["d", "g"]], [[]]]
    assert rounds[0][3].bye
    assert rounds[2][0].open == 2
    # With an odd number in a round somebody goes on without a match.
    three = bracket(view([table("a", "b"), table("c", "d"), table("e", "f")]))
    assert [[(match.open, match.bye) for match in matches] for matches in three[1:]] == [
        [(2, False), (1, True)],
        [(2, False)],
    ]
    # Who has won is in the next match before the others have.
    one = bracket(view([table("a", "b", places=[2, 1]), table("c", "d")]))
    assert (players(one)[1], one[1][0].open) == ([["b"]], 1)
    tied = bracket(view([table("a", "b", places=[1, 1]), table("c", "d", places=[1, 2])]))
    assert (players(tied)[1], tied[1][0].open) == ([["c"]], 1), "A lot decides the other."
    assert bracket(view(first, kind="swiss")) == []
    over = bracket(view([table("a", "b", places=[1, 2])], step="over"))
    assert players(over) == [[["a", "b"]]]


def test_the_runner_up_is_who_lost_the_final_to_the_winner():
    first = [table("a", "b", places=[1, 2]), table("c", "d", places=[2, 1])]
    over = view(first, [table("d", "a", places=[2, 1])], step="over")
    assert runner_up(over | {"winner": "a"}) == "d"
    assert runner_up(over | {"winner": "d"}) is None, "The winner of the final has withdrawn."
    assert runner_up(view(first) | {"winner": None}) is None
    assert runner_up(view(first, [table("a", "d", places=[1, 1])]) | {"winner": "a"}) is None


def test_the_final_is_the_round_with_the_last_match():
    first = [table("a", "b"), table("c", "d")]
    assert final_round(view(first)) == 2
    assert final_round(view(first, [table("a", "c", places=[1, 2])], step="over")) == 2
    assert final_round(view(first, kind="swiss")) is None


def test_a_cross_table_has_each_result_from_both_sides():
    rows = cross_table(
        view([table("a", "b", places=[1, 2])], [table("c", "a", places=[1, 1])], [table("b", "c")], kind="robin")
    )
    cells = {who: ["" if cell is None else " ".join(cell.results) for cell in row] for who, row in rows}
    assert cells == {"a": ["", "1", "½"], "b": ["0", "", ""], "c": ["½", "", ""]}
    assert rows[1][1][2].table == "bc", "A match that is being played can be watched."
    assert cross_table(view([table("a", "b")])) == []


def test_the_visitors_own_match_is_the_one_of_the_latest_round():
    first = [table("a", "b", places=[1, 2])]
    assert next_match(view(first, [table("c", "a")], you="a"))["players"] == ["c"]
    assert next_match(view(first, you="b"))["over"]
    assert next_match(view(first, you="g", byes=(["g"],)))["bye"]
    assert next_match(view(first, you="x")) is None
    assert next_match(view(first, you=None)) is None


def test_a_tournament_of_bots_is_shown_as_a_bracket(client):
    cup = Cup(client, format="elimination")
    cup.bots(3)
    cup.done("begin")
    cup.wait("over")
    page = client.get(f"/tournaments/{cup.id}").text
    assert page.count('class="bracket-round') == 3, "Two rounds and the winner."
    assert "champion" in page
    assert ">bye<" in page
    headings = re.findall(r"<h[23]>(.*?)</h[23]>", page)
    assert [heading for heading in headings if heading in ("Final", "Round 2")] == ["Final"] * 2
    final = cup.get()["results"][-1]["tables"][0]["table"]
    assert client.get(f"/api/tables/{final}").json()["title"] == "Cup, final"


def test_a_host_is_told_which_bot_plays_and_from_which_round_on(server, client):
    cup = Cup(client, format="elimination")
    cup.bots(1)
    with httpx.Client(base_url=server.address) as nina:
        cup.done("join", nina, name="Nina")

    def page():
        return client.get(f"/tournaments/{cup.id}").text

    form = page()[page().index("/replace") :]
    assert re.search(r'value="(\w+)" selected>', form)[1] == "normal", "Nobody gets a bot at random."
    assert "from their next table on" in form
    cup.done("begin")
    cup.wait("playing")
    cup.done("entries", event={"kind": "replaced", "player": "p2", "bot": "easy"})
    assert "Bot: Easy, from round 2 on" in page()
    first = page()[page().index('id="bracket"') : page().index('id="hosting"')]
    assert first.count("#av-bot") == 1, "In round 1 Nina was a person."


def test_host_controls_stand_open_while_players_sign_up_and_later_folded_below_the_bracket(client):
    cup = Cup(client, format="elimination")

    def page():
        return client.get(f"/tournaments/{cup.id}").text

    def stands_open():
        return re.search(r'<details class="[^"]*" id="hosting"( open)?>', page())[1] is not None

    assert stands_open()
    cup.done("join", name="Hal")
    cup.bots(1)
    cup.done("begin")
    cup.wait("playing")
    assert page().index('id="bracket"') < page().index('id="hosting"') < page().index('id="standings"')
    assert not stands_open()
    refused = client.post(f"/tournaments/{cup.id}/webhook", data={"csrf": client.headers["x-csrf"], "webhook": "x"})
    assert 'id="hosting" open' in refused.text, refused.text


def test_a_week_has_what_is_dated_in_it_first_and_then_what_is_under_way():
    def event(name, *dates, over=False):
        return {
            "id": name,
            "over": over,
            "status": "Go.",
            "dates": [{"at": at, "what": f"{name} {at}"} for at in dates],
        }

    events = [event("s", 50, WEEK + 200), event("t"), event("u", 20), event("later", WEEK + 500), event("x", over=True)]
    week = this_week(events, 10)
    assert [(entry["at"], entry["event"]["id"]) for entry in week] == [(20, "u"), (50, "s"), (None, "t")]
