"""Tests of the arena: balanced seats, equal luck, results that resume and replay, and standings with intervals."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
import threading
from collections import Counter
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from random import Random
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

import pyramidion
from pyramidion.bots import RandomBot
from pyramidion.cli import main
from pyramidion.lab.arena import Contest, EntrantError, OtherContest, Results, read_entrants, run, standings
from pyramidion.lab.arena.decisions import schema, write_decisions
from pyramidion.lab.arena.entrants import imported_bot
from pyramidion.lab.arena.report import report
from pyramidion.lab.arena.schedule import lineups, schedule
from pyramidion.lab.arena.standings import share_of
from pyramidion.lab.statistics.intervals import wilson
from pyramidion.lab.statistics.skill import DEFAULT_SKILL, updated_skills

pytestmark = pytest.mark.usefixtures("outside")
GAME = "sealed-bid"


def contest(*texts: str, games: int = 9, seed: str = "1") -> Contest:
    return Contest(GAME, read_entrants(texts, pyramidion.load(GAME)), 3, games, seed)


class Passive:
    """An external bot class that is not a `Bot` and has only `choose`. It confirms without bidding."""

    def __init__(self, game, seed):
        self.confirm = game.actions.parse("confirm").id

    def choose(self, box, state, seat):
        assert not state["bid"][0][[other for other in range(3) if other != seat]].any(), "a secret was shown"
        return self.confirm


class Idle:
    def __init__(self, game, seed):
        pass


class Failing(RandomBot):
    def choose(self, box, state, seat):
        raise RuntimeError("out of ideas")


class Cheating(RandomBot):
    def choose(self, box, state, seat):
        return 10 if state["coins"][0][seat] < 10 else int(super().choose(box, state, seat))


class Exiting(RandomBot):
    """A bot whose program ends in its second decision."""

    decisions = 0

    def choose(self, box, state, seat):
        self.decisions += 1
        if self.decisions > 1:
            raise SystemExit(3)
        return super().choose(box, state, seat)


def test_fewer_entrants_than_seats_more_and_as_many():
    assert lineups(2, 4) == [(0, 1, 1, 1)]
    assert lineups(3, 3) == [(0, 1, 2)]
    assert lineups(3, 2) == [(0, 1), (0, 2), (1, 2)]


@pytest.mark.parametrize(("entrants", "seats"), [(1, 3), (2, 4), (4, 4), (5, 3)])
def test_everybody_sits_everywhere_equally_often_and_all_line_ups_share_their_chance(entrants, seats):
    games = list(schedule(entrants, seats, 4 * seats, "s"))
    assert len({(g.lineup, g.block, g.turn) for g in games}) == len(games) == 4 * seats * len(lineups(entrants, seats))
    for number in range(entrants):
        places = Counter(seat for g in games for seat, at in enumerate(g.seating) if at == number)
        assert len(set(places.values())) == 1
        assert set(places) == set(range(seats))
    for block in range(4):
        assert len({g.seed for g in games if g.block == block}) == 1
    assert len({g.seed for g in games}) == 4


def test_a_contest_goes_on_from_its_file_and_is_the_same_as_one_run_through(tmp_path):
    whole = run(contest("policy", "random"), tmp_path / "whole.db")
    run(contest("policy", "random", games=3), tmp_path / "parts.db").close()
    seen = []
    parts = run(contest("policy", "random"), tmp_path / "parts.db", progress=lambda *done: seen.append(done))
    assert seen == [(n, 9) for n in range(3, 10)]
    strip = [(g.place, g.seating, g.payoffs, g.points, g.winners, g.plies) for g in whole.games()]
    assert strip == [(g.place, g.seating, g.payoffs, g.points, g.winners, g.plies) for g in parts.games()]
    assert whole.match((0, 2, 1)).record() == parts.match((0, 2, 1)).record()
    whole.close()
    parts.close()


def test_several_processes_play_the_same_games_as_one(tmp_path):
    asked = contest("policy", "random")
    with run(asked, tmp_path / "one.db") as alone, run(asked, tmp_path / "two.db", jobs=2) as together:
        assert alone.places() == together.places()
        places = sorted(alone.places())
        assert [alone.match(place).record() for place in places] == [together.match(place).record() for place in places]


def test_a_file_of_another_contest_is_refused_and_unharmed(tmp_path):
    run(contest("policy", "random"), tmp_path / "a.db").close()
    with pytest.raises(OtherContest, match=r'another contest \(seed: "1", not "2"\)'):
        run(contest("policy", "random", seed="2"), tmp_path / "a.db")
    (tmp_path / "b.db").write_text("something else entirely, and long enough to be no header of a database at all")
    with pytest.raises(OtherContest, match="is not a file of results"):
        run(contest("policy", "random"), tmp_path / "b.db")
    with pytest.raises(OtherContest, match="There is no file"):
        Results(tmp_path / "c.db")
    with Results(tmp_path / "a.db") as stored:
        assert len(stored.places()) == 9


def test_a_class_by_its_path_plays_and_sees_only_its_seat(tmp_path):
    with run(contest("quiet=tests.lab.test_arena:Passive", "random"), tmp_path / "a.db") as results:
        table = standings(["quiet", "random"], 3, results.games())
    quiet = next(s for s in table if s.name == "quiet")
    assert quiet.wins.games == 9
    assert quiet.points == 0


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("nobody", "There is no bot 'nobody'"),
        ("no.such.module:Bot", "cannot be imported"),
        ("tests.lab.test_arena:Missing", "has nothing called Missing"),
        ("builtins:max", r"max\(game, seed\) failed: TypeError"),
        ("tests.lab.test_arena:Idle", "neither choose"),
    ],
)
def test_who_is_not_there_is_named(what, sentence):
    with pytest.raises(EntrantError, match=sentence):
        read_entrants([what], pyramidion.load(GAME))


def test_two_of_one_name_must_be_the_same():
    with pytest.raises(EntrantError, match="Two different entrants are called a"):
        read_entrants(["a=policy", "a=random"], pyramidion.load(GAME))
    assert len(read_entrants(["policy", "policy"], pyramidion.load(GAME))) == 2


@pytest.mark.parametrize(
    ("name", "sentence"), [("Failing", "failed at ply [0-9]+: RuntimeError: out of ideas"), ("Cheating", "not legal")]
)
def test_an_entrant_that_fails_stops_the_contest_and_keeps_what_was_played(tmp_path, name, sentence):
    with pytest.raises(EntrantError, match=sentence):
        run(contest(f"tests.lab.test_arena:{name}", "random", games=300), tmp_path / "a.db")
    with Results(tmp_path / "a.db") as stored:
        assert len(stored.places()) < 300


def test_a_program_over_http_is_sent_its_seat_s_view_and_answers(tmp_path):
    asked = []

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self):
            position = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(position)
            answer = json.dumps({"action": position["legal"][-1]["text"]}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        with run(contest(f"outsider={address}", "random", games=3), tmp_path / "a.db") as results:
            assert len(results.places()) == 3
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert {position["game"] for position in asked} == {GAME}
    assert all(position["legal"][-1]["text"] == "confirm" for position in asked)
    with pytest.raises(EntrantError, match="gave no action"):
        run(contest(f"outsider={address}", "random", games=3), tmp_path / "b.db")


def test_wilson_against_values_worked_by_hand():
    # p = 8/10, z = 1.96: the textbook's interval.
    low, high = wilson(0.8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_games_of_one_chance_count_as_fewer():
    chance = Random(1)
    alike = [float(chance.random() < 0.5) for _ in range(100) for _ in range(4)]
    blocks = [n // 4 for n in range(400)]
    same = [alike[4 * (n // 4)] for n in range(400)]
    apart, together = share_of(alike, blocks), share_of(same, blocks)
    assert together.high - together.low > 1.8 * (apart.high - apart.low)
    assert share_of([], []).games == 0


def test_the_standings_put_the_policy_above_random_play_with_shares_that_add_up(tmp_path):
    game = pyramidion.load("high-card")
    seats = game.seats[-1]
    asked = Contest("high-card", read_entrants(["policy", "random"], game), seats, 60)
    with run(asked, tmp_path / "a.db") as results:
        played = list(results.games())
        table = standings(["policy", "random"], seats, played)
        page = report(results.terms, table, len(played), "the command <&>")
    assert sum(s.wins.share * s.wins.games for s in table) == pytest.approx(len(played))
    for s in table:
        assert s.wins.low <= s.wins.share <= s.wins.high
        assert sum(share.games for share in s.by_seat) == s.wins.games
    assert table[0].rating >= table[1].rating
    assert "<svg" in page
    assert "the command &lt;&amp;&gt;" in page
    assert "http" not in page.replace("http-equiv", "")


def test_the_command_prints_standings_and_writes_the_page(tmp_path, capsys):
    arguments = ["arena", GAME, "policy", "random", "--games", "3", "--out", str(tmp_path / "a.db")]
    assert main([*arguments, "--report", str(tmp_path / "a.html")]) == 0
    output = capsys.readouterr().out
    assert "3 seats, 3 games" in output
    assert "policy" in output
    assert re.search(r"wins at seat +1 +2 +3\b", output)
    assert "pyramidion arena sealed-bid policy random" in (tmp_path / "a.html").read_text("utf-8")
    assert main([*arguments, "--seed", "other"]) == 2
    assert main(["arena", GAME, "nobody"]) == 2
    assert main(["arena", GAME, "policy", "--seats", "9"]) == 2
    errors = capsys.readouterr().err.strip().splitlines()
    assert len(errors) == 3
    assert "Name another file" in errors[0]
    assert "There is no bot 'nobody'" in errors[1]


def test_every_decision_is_exported_with_what_the_seat_saw(tmp_path):
    with run(contest("random", "random", games=2), ":memory:") as results:
        count = write_decisions(results, tmp_path / "decisions", rows=7)
        played = {game.place: game for game in results.games()}
        matches = {place: results.match(place) for place in played}
    frame = pl.read_parquet(tmp_path / "decisions")
    game = pyramidion.load(GAME)
    assert dict(frame.schema) == schema(game)
    assert frame.height == count == sum(match.ply for match in matches.values())
    assert len(list((tmp_path / "decisions").iterdir())) == -(-count // 7)
    for row in frame.iter_rows(named=True):
        place = (row["lineup"], row["block"], row["turn"])
        match, seat = matches[place].at(row["ply"]), row["seat"]
        assert (seat, row["action"]) == matches[place].history[row["ply"]]
        assert row["observation"] == match.observation(seat).tolist()
        assert np.flatnonzero(row["legal_mask"]).tolist() == match.legal_ids(seat).tolist()
        assert row["entrant"] == played[place].seating[seat]
        assert row["payoff"] == np.float32(played[place].payoffs[seat])
        assert row["won"] == (seat in played[place].winners)
    with pytest.raises(FileExistsError):
        write_decisions(results, tmp_path / "decisions")


def test_the_command_exports_decisions(tmp_path, capsys):
    asked = ["arena", GAME, "random", "--seats", "3", "--games", "3", "--decisions", str(tmp_path / "d")]
    assert main(asked) == 0
    assert f"{tmp_path / 'd'} holds" in " ".join(capsys.readouterr().out.split())
    assert main(asked) != 0
    assert "is there already" in " ".join(capsys.readouterr().err.split())


def test_a_player_against_several_seats_of_another_is_rated_by_seat() -> None:
    sitting = ["one", "other", "other", "other"]
    changes = [
        updated_skills({}, sitting, [float(seat == winner) for seat in range(4)])["one"].mean - DEFAULT_SKILL.mean
        for winner in range(4)
    ]
    # Who wins one game in four is as good as the others.
    assert changes[0] > 0
    assert sum(changes) == pytest.approx(0.0, abs=0.05 * changes[0])
    assert updated_skills({}, ["one", "one"], [1.0, 0.0]) == {"one": DEFAULT_SKILL}


class Curious:
    """A class that is not a `Bot`, and looks at every other seat's cards."""

    tries = ("state_copy()", "record()", "seed", "undo()", "at(0)", "history", "view(1 - seat)", "_state['bid']")

    def __init__(self, game, seed):
        self.seed = seed

    def move(self, match, seat):
        reached = []
        for text in self.tries:
            try:
                eval(f"match.{text}", {"match": match, "seat": seat})
            except (AttributeError, ValueError, TypeError):
                continue
            reached.append(text)
        assert not reached
        assert match.seat == seat
        assert match.determinized(self.seed).legal(seat) == match.legal()
        return Random(f"{self.seed} {match.version()}").choice(match.legal())


def test_a_class_that_looks_around_is_given_only_what_its_seat_sees(tmp_path):
    with run(contest("tests.lab.test_arena:Curious", "random"), tmp_path / "a.db") as results:
        assert len(results.places()) == 9


class Seeded(RandomBot):
    """A bot that tells which seeds it is given."""

    given: ClassVar[list[str]] = []

    def __init__(self, game, seed):
        super().__init__(game, seed)
        self.given.append(seed)


def test_a_players_seed_does_not_tell_that_of_the_match(tmp_path):
    with run(contest("tests.lab.test_arena:Seeded", "random"), tmp_path / "a.db") as results:
        seeds = {str(results.match(place).seed) for place in results.places()}
    assert len(Seeded.given) >= 9
    assert len(set(Seeded.given)) >= 9
    assert not any(seed in given for seed in seeds for given in Seeded.given)


def test_a_bot_that_exits_loses_its_games_and_the_contest_goes_on(tmp_path, capsys):
    path = tmp_path / "games.db"
    with run(contest(f"mine={__name__}:Exiting", "random", games=6), path) as results:
        played = list(results.games())
        for game in played:
            (lost,) = game.forfeits
            assert game.seating[lost] == 0
            assert (game.payoffs[lost], game.points[lost], lost in game.winners) == (0.0, -1, False)
            assert results.match(game.place).over
        mine, other = sorted(standings(["mine", "random"], 3, played), key=lambda standing: standing.name)
    assert (mine.forfeits, mine.points, mine.wins.share) == (6, None, 0.0)
    assert other.forfeits == 0
    assert other.points is not None
    command = ["arena", GAME, f"mine={__name__}:Exiting", "random", "--seats", "3", "--games", "6", "--out", str(path)]
    assert main(command) == 0
    assert "mine lost 6 games by exiting." in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["game"], told["seats"], told["games"]) == (GAME, 3, 6)
    assert {row["name"]: row["forfeits"] for row in told["standings"]} == {"mine": 6, "random": 0}


def test_a_file_of_an_earlier_version_goes_on(tmp_path):
    path = tmp_path / "games.db"
    with run(contest("policy", "random", games=3), path):
        pass
    with closing(sqlite3.connect(path)) as file:
        file.execute("alter table games drop column forfeits")
    with run(contest("policy", "random", games=6), path) as results:
        assert [game.forfeits for game in results.games()] == [()] * 6


def test_no_number_is_cut_on_a_narrow_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    entrants = [f"a_long_name_of_a_bot_{n}=random" for n in range(3)]
    assert main(["arena", GAME, *entrants, "--seats", "3", "--games", "3"]) == 0
    out = capsys.readouterr().out
    assert "…" not in out
    assert all(name.partition("=")[0] in out for name in entrants)


def test_a_bot_in_the_current_folder_is_found(tmp_path, monkeypatch):
    """The installed command does not look there by itself, as `python -m` does."""
    (tmp_path / "bot_of_this_folder.py").write_text("class First:\n    pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [path for path in sys.path if path])
    assert callable(imported_bot("bot_of_this_folder:First"))
