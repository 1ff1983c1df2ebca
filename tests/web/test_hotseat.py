"""Several people at one screen: one seat is open at a time, and behind the curtain there is what a spectator sees."""

import random
import re

import httpx
import pytest
from tests.every_game import few_seats, limits
from tests.web.helpers.hotseat import offered

from pyramidion.engine import registry
from pyramidion.web.table.seats.host import HostRow

NAMES = ["Ana", "Bo", "Chi"]
GAMES = [game_id for game_id in registry.own_ids() if registry.load(game_id).seats[0] <= len(NAMES)]


class Sofa:
    """A browser that several people share, and somebody who watches from elsewhere."""

    def __init__(self, server, game, names, **form):
        self.http = httpx.Client(base_url=server.address, timeout=60)
        self.outside = httpx.Client(base_url=server.address, timeout=60)
        self.csrf = re.search(r'name="csrf" value="(\w+)"', self.http.get(f"/games/{game}/new").text)[1]
        seats = {f"seat-{n}": "here" for n in range(len(names))} | {f"name-{n}": name for n, name in enumerate(names)}
        order = {"csrf": self.csrf, "game": game, "seats": str(len(names)), "seed": "sofa", **seats, **form}
        answer = self.http.post("/tables", data=order)
        assert answer.status_code == 303, answer.text
        self.table, self.names = answer.headers["location"], names
        # Whoever makes a table is its host, and has a host's tools; what is looked at here is what a player is shown.
        server.app.server.tables.cached(self.table.removeprefix("/t/")).host.set(HostRow(None))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.close()
        self.outside.close()

    def post(self, what, headers=None, **fields):
        return self.http.post(f"{self.table}/{what}", data={"csrf": self.csrf, **fields}, headers=headers)

    def page(self, what=""):
        return self.http.get(f"{self.table}{what}").text

    def same_as_a_spectators(self):
        """Whether all that this browser is shown now is what somebody elsewhere is shown, but for the bar itself."""
        for what in ("", "/fragment", "/log", "/seals", "/chat"):
            mine, others = self.page(what), self.outside.get(f"{self.table}{what}").text
            mine = re.sub(r'<section class="hotseat.*?</section>', "", mine, flags=re.DOTALL)
            assert bare(mine) == bare(others)
        return True


def bare(page):
    page = re.sub(r'data-csrf="\w*"|name="csrf" value="\w*"', "", page)
    return re.sub(r"\s+", " ", page)


@pytest.mark.parametrize("game", GAMES)
def test_behind_the_curtain_is_what_a_spectator_sees_and_nothing_more(server, game):
    about = registry.load(game)
    chance, names = random.Random(7), NAMES[: few_seats(about)]
    form = {f"option-{name}": str(value) for name, value in limits(about).items()}
    turns, closed, direct = set(), 0, 0
    with Sofa(server, game, names, **form) as sofa:
        for _ in range(24):
            page = sofa.page()
            if 'class="hotseat' not in page:
                break
            if 'class="hotseat closed"' in page:
                closed += 1
                assert closed > 5 or sofa.same_as_a_spectators()
                seat = re.search(r'id="be-next" name="seat" value="(\d)"[^>]*>I am (\w+)<', page)
                assert names[int(seat[1])] == seat[2]
                assert f"Pass to {seat[2]}" in page
                assert sofa.post("open", seat=seat[1]).status_code == 303
                page = sofa.page()
                turns.add(seat[2])
            me = re.search(r'data-seat="(\d)"', page)[1]
            actions = offered(page)
            assert actions, page
            version = re.search(r'data-version="(\d+)"', page)[1]
            action = chance.choice([one for one in actions if one != "pass"] or actions)
            answer = sofa.post("act", version=version, action=action, seat=me)
            assert answer.status_code in (303, 422), answer.text
            opened = re.search(r"pyramidion_open=(\d)", answer.headers.get("set-cookie", ""))
            direct += opened is not None
        # The programs' interface knows of no curtain, so until the end it takes the browser for a spectator's.
        told = sofa.http.get(f"/api{sofa.table.replace('/t/', '/tables/')}").json()
        assert told["seat"] == (0 if told["over"] else None)
    assert turns == set(names)
    assert closed >= 3
    if game == "pyramis":
        assert direct, "a curtain between people who know the same"


def test_the_seat_that_is_open_is_the_servers_to_know(server):
    with Sofa(server, "ponzi-scheme", ["Ana", "Bo", "Chi"]) as sofa:
        assert sofa.post("open", seat="3").status_code == 403
        assert sofa.post("open", seat="-1").status_code == 403
        # Somebody elsewhere who sends the cookie holds no seat, and so opens none.
        sofa.outside.cookies.set("pyramidion_open", "0", path=sofa.table)
        assert 'data-seat="' not in sofa.outside.get(sofa.table).text
        first = re.search(r'id="be-next" name="seat" value="(\d)"', sofa.page())[1]
        other = str((int(first) + 1) % 3)
        assert "HttpOnly" in sofa.post("open", seat=first).headers["set-cookie"]
        action = offered(sofa.page())[0]
        sofa.post("open", seat=other)
        # A page that is still open in another window acts for nobody else.
        late = sofa.post("act", version="0", action=action, seat=first, headers={"accept": "application/json"})
        assert late.status_code == 409
        assert "Another player's seat is now open" in late.json()["detail"]
        # So far both know the same, and the seat is handed over without a curtain.
        assert f">I am {['Ana', 'Bo', 'Chi'][int(first)]}</button>" in sofa.page()
        assert sofa.post("curtain").status_code == 303
        assert sofa.same_as_a_spectators()
        # Nor does it ask for a hint or a pause, or give answers in advance, for whoever's seat is open.
        sofa.post("open", seat=other)
        for what in ("hint", "proposals", "premoves"):
            said = sofa.post(what, seat=first, proposal="propose:pause", text="sell")
            assert said.status_code == 409, said.text
            assert "Another player&#39;s seat is now open" in said.text
        sofa.post("curtain")
        # Nobody takes a second browser's seat by sitting down once more.
        assert sofa.post("sit", seat="1", name="Dee").status_code == 409


def test_scripts_are_told_to_change_the_page_when_the_next_person_is_due(server):
    with Sofa(server, "pyramid-shambo", ["Ana", "Bo"]) as sofa:
        page = sofa.page()
        sofa.post("open", seat=re.search(r'id="be-next" name="seat" value="(\d)"', page)[1])
        passed = False
        for _ in range(20):
            page = sofa.page()
            me, version = re.search(r'data-seat="(\d)"', page)[1], re.search(r'data-version="(\d+)"', page)[1]
            answer = sofa.post(
                "act", version=version, action=offered(page)[0], seat=me, headers={"accept": "application/json"}
            )
            assert answer.status_code == 200, answer.text
            if passed := answer.json()["passed"]:
                break
        assert passed
        assert 'pyramidion_open=""' in answer.headers["set-cookie"]
        assert sofa.same_as_a_spectators()


def test_everybody_at_a_screen_is_there_while_its_page_is_open(server):
    with Sofa(server, "ponzi-scheme", ["Ana", "Bo", "Chi"]) as sofa:
        api = f"/api{sofa.table.replace('/t/', '/tables/')}"
        with sofa.http.stream("GET", f"{sofa.table}/stream") as stream:
            for line in stream.iter_lines():
                if line.startswith("data: ") and "away" not in line:
                    break
            present = [seat["present"] for seat in sofa.outside.get(api).json()["seats"]]
        assert present == [True] * 3


def test_lines_and_notes_go_by_the_seat_that_is_open(server):
    with Sofa(server, "ponzi-scheme", ("Ana", "Bo", "Chi"), **{"chat-private": "pairs"}) as sofa:
        sofa.post("open", seat="0")
        assert sofa.post("chat", seat="0", to="1", text="behind the locomotive").status_code == 303
        assert sofa.post("notes", seat="0", notes="Chi never counters").status_code == 303
        assert "behind the locomotive" in sofa.page("/chat?with=1")
        sofa.post("curtain")
        assert sofa.same_as_a_spectators()
        sofa.post("open", seat="2")
        assert "locomotive" not in sofa.page("/chat") + sofa.page("/chat?with=1") + sofa.page("/chat?with=0")
        # What a page of Ana's sends late is not done for Chi.
        for what in ({"notes": "mine"}, {"text": "I mean"}):
            where = "notes" if "notes" in what else "chat"
            assert sofa.post(where, seat="0", **what).status_code == 409
        assert "Chi never counters" not in sofa.page("/chat")
        sofa.post("open", seat="1")
        assert "behind the locomotive" in sofa.page("/chat?with=0")
        assert "to you" in sofa.page("/chat?with=0")
