"""Bots of people: their accounts and tokens, invitations and blocks over the API, and rated games against others."""

import asyncio
import re
from threading import Thread

import httpx
import pytest
import sqlalchemy as sa
from tests.helpers.examples import load
from tests.web.helpers.accounts import QUICK, finish
from tests.web.helpers.bot_accounts import a_bot, a_room_for, token_in
from tests.web.helpers.databases import BOTH
from tests.web.helpers.ratings import ratings_at

from pyramidion.client import ApiError, AsyncClient, Client
from pyramidion.web.db.schema import API_TOKENS
from pyramidion.web.tokens import hash_token

pytestmark = pytest.mark.server(databases=BOTH)

RATED = {"rated": "yes", "clock": "600", "start": "when-ready"}


def id_of(owner, field="bot"):
    return re.search(rf'name="{field}" value="(\w+)"', owner.get("/account/bots").text)[1]


def test_a_program_with_asyncio_accepts_an_invitation(server, person):
    ada, cem = person("Ada O"), person("Cem O")
    name, token = a_bot(ada, "Achilles")
    table = a_room_for(cem, name)

    async def first_game():
        async with AsyncClient(server.address, token) as client:
            async for seat in client.games(pause=0.05):
                return seat.table, seat.seat, (await seat.get())["seat"]

    assert asyncio.run(first_game()) == (table, 1, 1)


def test_the_example_plays_a_rated_game_under_its_name_and_its_owners(server, person):
    ana, ben = person("Ana O"), person("Ben O")
    name, token = a_bot(ana, "Tortoise")
    table = a_room_for(ben, name, **RATED)
    with Client(server.address, token) as client:
        seat = next(client.games(pause=0.05))
        assert (seat.table, seat.seat) == (table, 1)
        assert [one["accepted"] for one in client.invitations()] == [True]
        playing = Thread(target=load("invited_bot").play, args=[seat])
        playing.start()
        finish(table, ben)
        playing.join(60)
        assert not playing.is_alive()
        ratings_at(ben, table)
        assert client.invitations() == []
    page = ben.get(f"/t/{table}").text
    assert name in page
    assert re.search(r'aria-label="bot by Ana O">\s*<title>bot by Ana O</title>.*?href="#av-bot"', page, re.S)
    rated = ben.get(f"/api/people/{name}/ratings").json()
    assert [one["games"] for one in rated["ratings"]] == [1]
    page = ben.get(f"/people/{name}").text
    assert "A bot by:" in page
    assert "#m-bot" in page
    assert 'href="/people/Ana%20O"' in page
    assert name in ben.get("/people/Ana O").text


def test_a_bot_and_its_owner_do_not_meet_at_a_rated_table(server, person):
    ana = person("Ana R")
    name, token = a_bot(ana, "Hare")
    other, _token = a_bot(ana, "Fox")
    with Client(server.address, token) as client:
        room = a_room_for(ana, name, **RATED)
        with pytest.raises(ApiError, match="with its owner") as refused:
            client.accept(room)
        assert (refused.value.status, refused.value.error) == (403, "own-bot")
        casual = a_room_for(ana, name)
        assert client.accept(casual).seat == 1
        client.decline(room)
        assert [one["table"] for one in client.invitations()] == [casual]
        ben = person("Ben R")
        third = ben.start("me", "open", "open", me="Host", **RATED)
        for one in (name, other):
            ben.say(f"/t/{third}/room/invite", account=one)
        client.accept(third)
        # In the room the bot has its sign, and the way to its owner. Nobody else can call themselves a bot.
        assert 'href="/people/Ana%20R"' in ben.get(f"/t/{third}").text
        renamed = ben.form(f"/t/{third}/room/name", name="Pike (bot: Ana R)")
        assert "bot&#39;s name" in renamed.text or "bot's name" in renamed.text, renamed.text
        with Client(server.address, _token) as sibling, pytest.raises(ApiError, match="other bots"):
            sibling.accept(third)


def test_a_token_is_stored_as_a_hash_and_allows_only_its_scopes(server, person):
    ana, ben = person("Ana T"), person("Ben T")
    name, token = a_bot(ana, "Snail")
    stored = [row.hash for row in server.app.server.store.query(sa.select(API_TOKENS.c.hash))]
    assert hash_token(token) in stored
    assert token not in ana.get("/account/bots").text
    narrow = token_in(ana.form("/account/bots/token", bot=id_of(ana), scope="invitations"))
    room = a_room_for(ben, name)
    with Client(server.address, narrow) as client:
        [invitation] = client.invitations()
        assert (invitation["table"], invitation["host"], invitation["accepted"]) == (room, "Host", False)
        with pytest.raises(ApiError, match="scope play") as refused:
            client.accept(room)
        assert refused.value.status == 403
        blocks = client.get("/api/blocks", headers={"Authorization": f"Bearer {narrow}"})
        assert blocks.json()["error"] == "out-of-scope"
        client.decline(room)
    with Client(server.address, "pyramidion_nothing") as client, pytest.raises(ApiError) as refused:
        client.invitations()
    assert refused.value.status == 401


def test_a_revoked_token_and_the_seats_it_opened_end_at_once(server, person):
    ana, ben = person("Ana V"), person("Ben V")
    name, token = a_bot(ana, "Crab")
    room = a_room_for(ben, name)
    with Client(server.address, token) as client:
        seat = client.accept(room)
        assert seat.get("/legal")["version"] >= 0
        assert client.accept(room).get("/legal")["version"] >= 0
        with pytest.raises(ApiError) as old:
            seat.get("/legal")
        assert old.value.status == 401, "a new token replaces the one before"
        seat = client.accept(room)
        assert ben.form("/account/bots/revoke", bot=id_of(ana), token=id_of(ana, "token")).status_code == 422
        ana.say("/account/bots/revoke", bot=id_of(ana), token=id_of(ana, "token"))
        with pytest.raises(ApiError):
            client.invitations()
        with pytest.raises(ApiError) as gone:
            seat.get("/legal")
        assert gone.value.status == 401


def test_names_of_bots_are_theirs_alone_and_nobody_signs_in_to_one(server, person):
    ana, ben = person("Ana N"), person("Ben N")
    name, _token = a_bot(ana, "Newt")
    assert "already taken" in ana.form("/account/bots", name="newt").text
    assert (
        "can end like this" in person().form("/account/sign-up", name="X (bot: Ana N)", password="a b c d e f g h").text
    )
    assert "at most 27 characters" in ana.form("/account/bots", name="n" * 30).text
    assert "Wrong name or password" in ben.form("/account/sign-in", name=name, password="").text
    ana.say("/account/bots/delete", bot=id_of(ana))
    assert ben.get(f"/people/{name}").status_code == 404
    a_bot(ana, "Newt")
    assert ana.form("/account/delete", password="the river is wide today").status_code == 303
    assert ben.get(f"/people/{name}").status_code == 404


def test_people_answer_invitations_and_block_by_the_api(person):
    ana, ben, eve = person("Ana J"), person("Ben J"), person("Eve J")
    room, other = (ana.start("me", "open", me="Host", start="when-ready", **QUICK) for _ in range(2))
    for one in (room, other):
        ana.say(f"/t/{one}/room/invite", account="Ben J")
    assert {one["table"] for one in ben.api("GET", "/api/invitations").json()} == {room, other}
    assert httpx.post(f"{ben.base_url}api/invitations/{room}/accept").status_code in (401, 403)
    assert ben.post(f"/api/invitations/{room}/accept").status_code == 403, "without the CSRF token"
    assert ben.api("POST", f"/api/invitations/{room}/accept").json() == {"table": room, "seat": 1, "token": None}
    assert "Ben J" in ana.get(f"/t/{room}").text
    assert ben.api("POST", f"/api/invitations/{other}/decline").status_code == 204
    refused = ben.api("POST", f"/api/invitations/{other}/accept")
    assert (refused.status_code, refused.json()["error"]) == (404, "not-invited")
    assert ben.api("POST", "/api/blocks", name="ana j").status_code == 204
    assert [one["name"] for one in ben.api("GET", "/api/blocks").json()] == ["Ana J"]
    third = ana.start("me", "open", me="Host", start="when-ready", **QUICK)
    ana.say(f"/t/{third}/room/invite", account="Ben J")
    assert [one["table"] for one in ben.api("GET", "/api/invitations").json()] == [room]
    assert ben.api("DELETE", "/api/blocks/Ana J").status_code == 204
    assert ben.api("GET", "/api/blocks").json() == []
    for answer in (ben.api("DELETE", "/api/blocks/Ana J"), eve.api("POST", "/api/blocks", name="Nobody J")):
        assert (answer.status_code, answer.json()["error"]) == (404, "unknown-person")


def test_a_bot_founds_nothing_and_hosts_nothing(server, person):
    ana = person("Ana H")
    _name, _token = a_bot(ana, "Founder")
    bot_id, own_id = re.findall(
        r'action="/account/bots/token">.*?name="bot" value="(\w+)"', ana.get("/account/bots").text, re.S
    )
    token = token_in(ana.form("/account/bots/token", bot=bot_id, scope=["events", "play"]))
    club = ana.api("POST", "/api/clubs", name="Open", door="open", member="Ana").json()["id"]
    orders = {
        "/api/clubs": {"name": "Club of bots", "member": "Ana"},
        f"/api/clubs/{club}/join": {"name": "Ana's friend"},
        "/api/tournaments": {"title": "Cup", "host": "Ana", "game": "pyramid-shambo"},
        "/api/seasons": {"title": "Season", "host": "Ana"},
    }
    with httpx.Client(base_url=server.address, headers={"Authorization": f"Bearer {token}"}) as bot:
        for path, order in orders.items():
            answer = bot.post(path, json=order)
            assert (answer.status_code, answer.json()["error"]) == (403, "not-yours"), path
            assert "Use a token of your own account" in answer.json()["detail"]
    own = token_in(ana.form("/account/bots/token", bot=own_id, scope="events"))
    with httpx.Client(base_url=server.address, headers={"Authorization": f"Bearer {own}"}) as program:
        assert [program.post(path, json=orders[path]).status_code for path in orders if "join" not in path] == [201] * 3
