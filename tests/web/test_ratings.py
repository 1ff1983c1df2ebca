"""Ratings: rated tables and their terms, what a result changes, leaderboards."""

import re
import tomllib

import pytest
import sqlalchemy as sa
from tests.web.helpers.accounts import finish
from tests.web.helpers.databases import BOTH
from tests.web.helpers.ratings import ratings_at

import pyramidion
from pyramidion.bots import levels_at
from pyramidion.bots.levels import ALL_LEVELS
from pyramidion.cli import main
from pyramidion.engine import registry
from pyramidion.lab.statistics.skill import DEFAULT_SKILL, Skill, updated_skills
from pyramidion.web.db.schema import MATCHES, RATINGS, RESULTS, SEATS
from pyramidion.web.features.ratings.calculation import rate, rebuild
from pyramidion.web.features.ratings.service import POINTS, SURE_ENOUGH
from pyramidion.web.features.ratings.starting_ratings import FILE, measured_levels, starting_skill

pytestmark = pytest.mark.server(databases=BOTH)

RATED = {"rated": "yes", "clock": "600"}


def joined(person, table, name):
    answer = person.form(f"/t/{table}/sit", seat="1", name=name)
    assert answer.status_code == 303, answer.text


def test_a_rated_game_changes_both_ratings_and_shows_it_at_the_end_and_on_profiles(person):
    ana, ben = person("Ana R"), person("Ben R")
    table = ana.start("me", "open", me="Ana", **RATED)
    joined(ben, table, "Ben")
    finish(table, ana, ben)
    changes = ratings_at(ana, table)
    assert [one["seat"] for one in changes] == [0, 1]
    assert sum(one["change"] for one in changes) == 0
    winner = max(changes, key=lambda one: one["change"])
    page = ana.get(f"/t/{table}").text
    shown = re.search(r'id="rating-changes".*?</ul>', page, re.S)[0]
    assert f"<b>{winner['rating']}</b>" in shown
    assert f"(+{winner['change']})" in shown
    for number, name in enumerate(("Ana R", "Ben R")):
        known = ana.get(f"/api/people/{name}/ratings").json()
        rating = {name: changes[number][name] for name in ("rating", "uncertainty", "games")}
        assert known["ratings"] == [{"game": "pyramid-shambo", **rating}]
        assert f"<b>{changes[number]['rating']}</b>" in ben.get(f"/people/{name}").text
        assert f"± {changes[number]['uncertainty']}" in ben.get(f"/people/{name}").text
    assert ana.get("/api/people/Nobody at all/ratings").status_code == 404


@pytest.mark.parametrize(("terms", "opens"), [(RATED, False), ({"clock": "600"}, True)])
def test_nobody_opens_a_second_seat_of_a_rated_game_by_its_code(person, terms, opens):
    ana, ben = person(f"Ana S{opens}"), person(f"Ben S{opens}")
    table = ana.start("me", "open", me="Ana", **terms)
    joined(ben, table, "Ben")
    code = re.search(r"[a-z0-9]{4}(-[a-z0-9]{4}){3}", ben.form(f"/t/{table}/elsewhere").text)[0]
    answer = ana.form(f"/t/{table}/come", code=code)
    assert answer.status_code == (303 if opens else 403)
    assert ("already play at this rated table" in answer.text) == (not opens)
    assert (ana.get(f"/api/tables/{table}").json()["seat"] == 0) == (not opens), "of two seats neither is open yet"


def test_ratings_are_rebuilt_from_the_records(person, server, monkeypatch, capsys):
    ana, ben = person("Ana C"), person("Ben C")
    table = ana.start("me", "open", me="Ana", **RATED)
    joined(ben, table, "Ben")
    finish(table, ana, ben)
    ratings_at(ana, table)
    store = server.app.server.store
    stored = sa.select(RATINGS).order_by(*RATINGS.primary_key), sa.select(RESULTS).order_by(*RESULTS.primary_key)
    before = [store.query(query) for query in stored]
    with store.engine.connect() as connection, connection.begin():
        connection.execute(sa.update(RATINGS).values(mean=1.0, games=7))
        connection.execute(sa.update(RESULTS).where(RESULTS.c.match == table).values(payoff=0.25, won=0.5))
        connection.execute(sa.delete(RATINGS).where(RATINGS.c.match == table, RATINGS.c.seat == 1))
    monkeypatch.setenv("PYRAMIDION_DATABASE_URL", store.url.render_as_string(hide_password=False))
    assert main(["ratings", "rebuild"]) == 0
    assert [store.query(query) for query in stored] == before
    assert "The stored results of 1 did not agree with the record and were corrected." in capsys.readouterr().out
    assert main(["ratings", "rebuild"]) == 0
    assert [store.query(query) for query in stored] == before


def test_bots_are_rated_by_their_level_and_a_game_that_is_not_rated_changes_nothing(person):
    ana = person("Ana B")
    casual = ana.start("me", "bot:easy")
    finish(casual, ana)
    assert ana.get("/people/me").status_code == 200
    assert ana.get(f"/api/tables/{casual}/ratings").json() == []
    assert ana.get("/api/people/Ana B/ratings").json()["ratings"] == []
    table = ana.start("me", "bot:easy", rated="yes")
    finish(table, ana)
    mine, bot = ratings_at(ana, table)
    assert mine["games"] == 1
    assert bot["games"] >= 1
    # More is known of a level, which has been measured, than of a newcomer: its change may round to nothing.
    assert mine["change"] != 0
    assert mine["change"] * bot["change"] <= 0
    assert abs(bot["change"]) < abs(mine["change"])


def test_a_level_that_was_measured_starts_as_it_was():
    measured = tomllib.loads(FILE.read_text("utf-8"))
    assert set(measured) == set(registry.own_ids())
    for game, about in measured.items():
        assert about["rules_version"] == pyramidion.load(game).rules_version, f"Measure {game} again."
        levels = levels_at(pyramidion.load(game), about["seats"])
        assert [level for level in about if level in ALL_LEVELS] == list(levels), f"Measure {game} again."
        skills = [starting_skill(game, f"bot:{level}") for level in levels]
        assert [[round(one.mean, 2), round(one.deviation, 2)] for one in skills] == [about[level] for level in levels]
        assert all(one.deviation < DEFAULT_SKILL.deviation for one in skills), game
        assert skills[0].mean == min(one.mean for one in skills), game
        assert skills[-1].mean == max(one.mean for one in skills), game
        assert starting_skill(game, "easy") == DEFAULT_SKILL, "the visitor id of a person"


@pytest.mark.parametrize(
    ("seats", "fields", "said"),
    [
        (("me", "open"), {"rated": "yes"}, "needs a time limit"),
        (("me", "open"), {**RATED, "hints": "on"}, "no hints"),
        (("me", "open"), {**RATED, "absent": "bot:easy"}, "cannot play until they return"),
        (("me", "here"), RATED, "their own device"),
        (("me", "open"), {**RATED, "seed": "12"}, "random seed"),
        (("bot:easy", "bot:easy"), RATED, "at least one player"),
    ],
)
def test_a_rated_table_refuses_what_would_make_it_unfair(person, seats, fields, said):
    ana = person(f"Ana {said}")
    answer = ana.ask_for_table(*seats, **fields)
    assert answer.status_code == 422
    assert said in answer.text


def test_only_accounts_play_at_a_rated_table(person, client):
    ana, guest = person("Ana A"), person()
    answer = guest.ask_for_table("me", "bot:easy", **RATED)
    assert answer.status_code == 422
    assert "you need an account" in answer.text
    table = ana.start("me", "open", "open", **RATED)
    refused = guest.form(f"/t/{table}/sit", seat="1", name="Guest")
    assert refused.status_code == 403
    assert "you need an account" in refused.text
    program = client.post(f"/api/tables/{table}/seats/1", json={"name": "Program"})
    assert (program.status_code, program.json()["error"]) == (403, "needs-account")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "easy"}]
    program = client.post("/api/tables", json={"game": "pyramid-shambo", "seats": seats, "rated": True})
    assert program.json()["error"] == "needs-account"
    room = ana.start("me", "open", **RATED, start="when-ready")
    page = guest.get(f"/t/{room}").text
    assert 'id="rated"' in page
    assert "1500 ± 333" in page
    assert "you need an account" in guest.form(f"/t/{room}/room/sit", seat="1", name="Guest").text


@pytest.mark.parametrize("start", ["now", "when-ready"])
def test_a_browser_sits_down_over_the_api_as_by_the_form(person, start):
    """It is known by its cookie with the CSRF token; without that it is a program, which has no account."""
    ana, ben, guest = person(f"Ana D {start}"), person(f"Ben D {start}"), person()
    table = ana.start("me", "open", "open", **RATED, start=start)
    path = f"/api/tables/{table}"
    assert "Create one or sign in" in guest.api("POST", f"{path}/seats/1").json()["detail"]
    assert "X-CSRF" in ben.post(f"{path}/seats/1").json()["detail"]
    answer = ben.api("POST", f"{path}/seats/1", name="Ben")
    assert (answer.status_code, answer.json()["token"]) == (200, None), answer.text
    assert ben.get(path).json()["seat"] == 1
    again = ben.api("POST", f"{path}/seats/2")
    assert (again.status_code, again.json()["error"]) == (409, "seat-taken")


def test_a_rated_table_has_no_hints_no_takebacks_and_no_host_who_steps_in(person):
    ana, ben = person("Ana H"), person("Ben H")
    table = ana.start("me", "open", "open", me="Ana", game="ponzi-scheme", **RATED)
    joined(ben, table, "Ben")
    url = f"/api/tables/{table}"
    assert ana.get(url).json()["rated"] is True
    assert ana.api("POST", f"{url}/hint").json()["error"] == "no-hints"
    assert (
        "There are no takebacks at a rated table."
        in ana.form(f"/t/{table}/proposals", proposal="propose:takeback").text
    )
    for command, body in (
        ("close", {}),
        ("apply-default", {"seat": 1}),
        ("replace", {"seat": 1, "bot": "easy"}),
        ("rewind", {"step": 0}),
    ):
        answer = ana.api("POST", f"{url}/host", command=command, **body)
        assert answer.json()["detail"] == "This table is rated, so the host cannot do that.", command
    assert ana.api("POST", f"{url}/host", command="replace", seat=2, bot="easy").status_code == 200, "an empty seat"
    console = ana.get(f"/t/{table}").text
    assert 'value="rewind"' not in console
    assert 'value="apply-default"' not in console


def test_leaderboards_list_those_whose_uncertainty_is_small_enough(person, server, monkeypatch):
    ana, ben = person("Ana L"), person("Ben L")
    table = ana.start("me", "bot:normal", me="Ana", **RATED)
    finish(table, ana)
    ratings_at(ana, table)
    store = server.app.server.store

    def sure(connection):
        connection.execute(sa.update(RATINGS).where(RATINGS.c.match == table).values(deviation=4.5, mean=27.0))

    before = ben.get("/api/leaderboard/pyramid-shambo").json()
    assert "Ana L" not in [one["name"] for one in before["players"]]
    with store.engine.connect() as connection, connection.begin():
        sure(connection)
    found = ben.get("/api/leaderboard/pyramid-shambo").json()["players"]
    assert {(one["name"], one["bot"], one["rating"], one["uncertainty"]) for one in found} >= {
        ("Ana L", None, 1580, 180),
        ("Normal", "normal", 1580, 180),
    }
    assert all(one["uncertainty"] <= 200 for one in found)
    page = ben.get("/leaderboard/pyramid-shambo").text
    assert 'href="/people/Ana%20L"' in page
    assert "1580" in page
    assert ben.get("/leaderboard").headers["location"].startswith("/leaderboard/")
    assert ben.get("/leaderboard/no-such-game").status_code == 404
    monkeypatch.setattr("pyramidion.web.features.ratings.service.measured_levels", lambda game: {})
    assert "enough rated games" in ben.get("/leaderboard/upside-down").text


def test_measured_levels_of_bots_are_on_the_leaderboard_before_anybody_has_played(person):
    players = person("Cy L").get("/api/leaderboard/ponzi-scheme").json()["players"]
    measured = {
        level: skill
        for level, skill in measured_levels("ponzi-scheme").items()
        if skill.deviation <= SURE_ENOUGH / POINTS
    }
    assert len(measured) >= 4
    assert {one["bot"] for one in players} == set(measured)
    assert [one["rank"] for one in players] == list(range(1, len(measured) + 1))
    ratings = [one["rating"] for one in players]
    assert ratings == sorted(ratings, reverse=True)
    assert ratings[0] > ratings[-1]
    assert all(one["games"] == 0 for one in players)


def finished(connection, match, at, results):
    """Store a finished rated match with its results."""
    connection.execute(
        sa.insert(MATCHES).values(
            id=match,
            game="pyramis",
            rules_version="1",
            seat_count=len(results),
            options="{}",
            seed="1",
            seed_chosen=False,
            title="",
            created=at,
            settings={"rated": True},
            finished=at,
            started=at,
        )
    )
    for seat, (person, bot, payoff) in enumerate(results):
        connection.execute(sa.insert(SEATS).values(match=match, seat=seat, kind="person", holder=person))
        row = {"person": person, "bot": bot, "won": payoff, "payoff": payoff, "points": 0}
        connection.execute(sa.insert(RESULTS).values(match=match, seat=seat, **row))


def test_ratings_rebuilt_from_results_equal_those_computed_one_by_one(server):
    games = [
        ("m1", 100, [("p1", None, 1.0), ("p2", None, 0.0)]),
        ("m2", 200, [("p1", None, 0.0), (None, "easy", 1.0), (None, "easy", 0.0)]),
        ("m3", 300, [("p2", None, 0.5), ("p3", None, 0.5), ("p1", None, 0.0)]),
        ("m4", 300, [("p3", None, 1.0), ("p1", None, 0.0)]),
    ]
    order = sa.select(RATINGS).where(RATINGS.c.game == "pyramis").order_by(RATINGS.c.match, RATINGS.c.seat)
    with server.app.server.store.engine.connect() as connection, connection.begin() as undone:
        for match, at, results in games:
            finished(connection, match, at, results)
        # The result of the first match is stored last.
        for match in ("m2", "m4", "m3", "m1", "m2"):
            rate(connection, match)
        one_by_one = connection.execute(order).all()
        rebuild(connection)
        assert connection.execute(order).all() == one_by_one
        assert {row.match: row.games for row in one_by_one if row.player == "p1"} == {
            "m1": 1,
            "m2": 2,
            "m3": 3,
            "m4": 4,
        }
        first = updated_skills({}, ["p1", "p2"], [1.0, 0.0])
        first["bot:easy"] = starting_skill("pyramis", "bot:easy")
        second = updated_skills(first, ["p1", "bot:easy", "bot:easy"], [0.0, 1.0, 0.0])
        known = {(row.match, row.seat): Skill(row.mean, row.deviation) for row in one_by_one}
        assert known["m1", 0] == first["p1"]
        assert (known["m2", 0], known["m2", 1], known["m2", 2]) == (second["p1"], *[second["bot:easy"]] * 2)
        undone.rollback()


def test_a_game_of_one_player_changes_no_skill():
    assert updated_skills({}, ["a", "a"], [1.0, 0.0]) == {"a": DEFAULT_SKILL}
    after = updated_skills({}, ["a", "b", "b"], [1.0, 0.0, 0.0])
    assert after["a"].mean > DEFAULT_SKILL.mean > after["b"].mean
    assert all(skill.deviation < DEFAULT_SKILL.deviation for skill in after.values())
