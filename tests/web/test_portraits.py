"""Portraits of contestants: drawn faces, pictures that are encoded anew, and who may see and choose them."""

import io
import re

import pytest
from PIL import Image
from tests.web.helpers.accounts import Person
from tests.web.helpers.portraits import picture
from tests.web.helpers.seasons import Host

from pyramidion.event_log import log_with
from pyramidion.seasons.events import CastAdded, SettingsChanged
from pyramidion.seasons.fold import fold
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.seasons.matches import seat_faces
from pyramidion.web.features.seasons.portraits import SIDE, shrunk
from pyramidion.web.table.seats.faces import face_of


def send(host, who, data, token=None):
    headers = {"Authorization": f"Bearer {token or host.token}", "content-type": "image/png"}
    return host.client.put(f"/api/seasons/{host.id}/portraits/{who}/picture", content=data, headers=headers)


@pytest.mark.parametrize(
    ("kind", "mode"), [("PNG", "RGBA"), ("PNG", "P"), ("JPEG", "RGB"), ("JPEG", "CMYK"), ("WEBP", "RGB")]
)
def test_a_picture_becomes_a_small_square(kind, mode):
    with Image.open(io.BytesIO(shrunk(picture(kind, mode=mode)))) as small:
        assert (small.format, small.size) == ("WEBP", (SIDE, SIDE))


def test_what_else_a_file_holds_is_left_behind():
    exif = Image.Exif()
    exif[0x010E] = "my home"
    for kind in ("JPEG", "WEBP", "PNG"):
        assert b"my home" not in shrunk(picture(kind, exif=exif) + b"my home")
    turned = Image.Exif()
    turned[0x0112] = 6  # to be turned by 90 degrees
    halves = Image.new("RGB", (400, 400), "red")
    halves.paste("blue", (0, 0, 400, 200))
    out = io.BytesIO()
    halves.save(out, "JPEG", exif=turned)
    with Image.open(io.BytesIO(shrunk(out.getvalue()))) as small:
        assert small.getpixel((240, 20))[2] > 200, "The top lies to the right."
        assert not small.getexif()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "Choose a picture first."),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "This file is not a picture"),
        (picture()[:60], "This file is not a picture"),
        (picture("GIF"), "This file is not a picture"),
        (picture(size=(6000, 5000)), "at most 25 million pixels"),
        (b"x" * (4 * 1024 * 1024 + 1), "at most 4 MB"),
    ],
)
def test_what_is_no_picture_is_refused_with_a_sentence(data, said):
    with pytest.raises(BadRequest, match=said):
        shrunk(data)


def test_a_picture_is_served_as_nothing_but_a_picture(client):
    host = Host(client, audience="live")
    host.bots(("Ana", "Ben"))
    [one] = send(host, "c1", picture()).json()
    assert (one["who"], one["face"]) == ("c1", None)
    answer = client.get(one["picture"])
    assert answer.headers["content-type"] == "image/webp"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'; sandbox" in answer.headers.get_list("content-security-policy")
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert one["picture"] in client.get(f"/seasons/{host.id}").text
    [again] = send(host, "c1", picture(size=(50, 80), mode="L")).json()
    assert again["picture"] != one["picture"]
    assert client.get(one["picture"]).status_code == 404
    face = {"face": "1234321"}
    [chosen] = host.ask("PUT", "/portraits/c1", **face).json()
    assert (chosen["face"], chosen["picture"]) == ("1234321", None)
    assert client.get(again["picture"]).status_code == 404
    assert host.ask("PUT", "/portraits/c1", face="9999999").status_code == 400
    assert send(host, "c1", b"no picture").status_code == 400
    assert send(host, "c9", picture()).status_code == 403
    send(host, "c1", picture())
    host.done("stood-in", contestant="c1", name="Cal")
    assert host.ask("GET", "/portraits").json() == [], "A stand-in is somebody else."


def test_a_portrait_is_seen_by_those_who_see_the_contestant(client):
    """Two worlds: with a picture and without. Who may not see the season learns nothing of it."""
    host = Host(client, audience="none")
    for name in ("Ana", "Ben"):
        host.done("cast-added", name=name)
    tokens = {one["who"]: one["token"] for one in host.ask("GET", "/links").json()}
    paths = (f"/seasons/{host.id}", f"/seasons/{host.id}/now", f"/api/seasons/{host.id}/portraits")

    def seen(*more):
        return [client.get(path).status_code for path in paths] + [client.get(path).text for path in (*paths, *more)]

    nothing = f"/api/seasons/{host.id}/portraits/c1/{'0' * 16}.webp"
    before = seen(nothing)
    mine = send(host, "c1", picture(), tokens["c1"])
    address = mine.json()[0]["picture"]
    assert seen(address) == before
    # A contestant chooses for themselves alone.
    assert send(host, "c2", picture(), tokens["c1"]).status_code == 403
    assert host.ask("GET", "/portraits", tokens["c2"]).json() == mine.json()
    assert host.client.get(address, headers={"Authorization": f"Bearer {tokens['c2']}"}).status_code == 200


def eliminated(host, loser, opponent):
    """Play an episode without tables to its end."""
    host.done("episode-opened")
    host.done("result-entered", candidate=loser)
    host.done("opponent-named", opponent=opponent)
    host.done("duel-entered", loser=loser)
    host.step("elimination")


PARTS = dict(zip(("colour", "shape", "skin", "hair_colour", "hair", "eyes", "mouth"), "5432101", strict=True))


@pytest.mark.parametrize("audience", ["episode", "phase"])
@pytest.mark.parametrize("chosen", ["picture", "face", "nothing"])
def test_viewers_see_the_portrait_of_the_player_whom_they_know_of(client, server, audience, chosen):
    """Two worlds: with a stand-in, who chooses a portrait, and without. Viewers who are not told see no difference."""
    host = Host(client, audience="live")
    host.bots(("Ben", "Cal", "Dan"))
    host.done("cast-added", name="Ana")
    ana = Person(server)
    room = ana.start("me", "open", start="when-full", me="Ana")
    ana.say(f"/t/{room}/room/face", **PARTS)
    link = next(one["token"] for one in host.ask("GET", "/links").json() if one["who"] == "c4")
    ana.say(f"/seasons/{host.id}/join", code=link)
    paths = [f"/seasons/{host.id}", f"/seasons/{host.id}/now", f"/api/seasons/{host.id}/portraits"]
    if chosen == "picture":
        paths.append(send(host, "c4", picture()).json()[0]["picture"])
    elif chosen == "face":
        host.ask("PUT", "/portraits/c4", face="1234321")
    host.done("episode-opened")
    host.done("settings", title="Code Red", audience=audience)

    def told():
        answers = [client.get(path) for path in paths]
        assert {answer.status_code for answer in answers} == {200}
        return [re.sub(rb'(csrf"|key") value="[^"]*"', b"", answer.content) for answer in answers]

    def of_hosts():
        return {one["who"]: one["face"] or one["picture"] for one in host.ask("GET", "/portraits").json()}

    before = told()
    assert set(of_hosts()) == {"c4"}
    host.done("stood-in", contestant="c4", name="Eve", bot="random")
    assert told() == before
    assert "c4" not in of_hosts(), "A stand-in begins without the portrait."
    [own] = send(host, "c4", picture(size=(80, 80), mode="L")).json()
    assert told() == before
    assert client.get(own["picture"]).status_code == 404
    host.done("result-entered", candidate="c1")
    host.done("opponent-named", opponent="c2")
    host.done("duel-entered", loser="c1")
    host.step("elimination")
    [seen] = client.get(paths[2]).json()
    assert seen["picture"] == own["picture"]
    assert client.get(own["picture"]).status_code == 200
    assert own["picture"] in client.get(paths[0]).text
    ana.close()


def test_an_episode_and_a_table_from_before_a_stand_in_show_the_former_player(client):
    host = Host(client, audience="live")
    host.bots(("Ana", "Ben", "Cal", "Dan"))
    [old] = send(host, "c1", picture()).json()
    table = host.step("open", game="pyramid-shambo")["episodes"][0]["tables"][0]["table"]
    host.wait("main-playing")
    host.done("result-entered", candidate="c2")
    host.done("opponent-named", opponent="c3")
    host.done("duel-entered", loser="c2")
    host.step("elimination")
    host.done("stood-in", contestant="c1", name="Eve", bot="random")
    [new] = send(host, "c1", picture(size=(50, 80), mode="L")).json()
    eliminated(host, "c3", "c1")
    pages = [
        client.get(path).text for path in (f"/t/{table}", f"/seasons/{host.id}", f"/seasons/{host.id}/show/2?slide=2")
    ]
    assert [old["picture"] in page for page in pages] == [True, False, False]
    assert [new["picture"] in page for page in pages] == [False, True, True]
    assert [client.get(one["picture"]).status_code for one in (old, new)] == [200, 200]
    # A stand-in who removes the portrait removes their own; a host can remove those of former players, too.
    token = next(one["token"] for one in host.ask("GET", "/links").json() if one["who"] == "c1")
    assert host.ask("PUT", "/portraits/c1", token, face=None).json() == []
    assert [client.get(one["picture"]).status_code for one in (old, new)] == [200, 404]
    assert old["picture"] in client.get(f"/t/{table}").text
    assert host.ask("PUT", "/portraits/c1", face=None).json() == []
    assert client.get(old["picture"]).status_code == 404
    assert old["picture"] not in client.get(f"/t/{table}").text


def test_a_table_shows_no_picture_of_a_stand_in_whom_a_viewer_does_not_know_of(client):
    host = Host(client, audience="episode")
    host.bots(("Ana", "Ben", "Cal"))
    eliminated(host, "c3", "c2")
    host.done("stood-in", contestant="c1", name="Eve", bot="random")
    [new] = send(host, "c1", picture()).json()
    table = host.step("open", duel="pyramid-shambo")["episodes"][1]["tables"][0]["table"]
    assert new["picture"] not in client.get(f"/t/{table}").text
    host.wait("duel-playing")
    assert new["picture"] not in client.get(f"/t/{table}").text
    if host.get()["step"] == "duel-result":
        host.done("duel-entered", loser="c2")
    host.step("elimination")
    assert new["picture"] in client.get(f"/t/{table}").text


def test_a_contestant_chooses_a_portrait_on_the_page(client, server):
    host = Host(client)
    host.done("cast-added", name="Ana")
    [link] = host.ask("GET", "/links").json()
    ana = Person(server)
    ana.say(f"/seasons/{host.id}/join", code=link["token"])
    path = f"/seasons/{host.id}"

    def upload(csrf, data):
        return ana.post(
            f"{path}/picture", data={"csrf": csrf, "who": "c1"}, files={"picture": ("me.png", data, "image/png")}
        )

    assert upload("forged", picture()).status_code == 403
    assert upload(ana.csrf, picture()).status_code == 303
    assert 'class="portrait" src="' in ana.get(path).text
    wrong = upload(ana.csrf, b"x")
    assert wrong.status_code == 409
    assert "This file is not a picture that can be read." in wrong.text
    assert ana.form(f"{path}/picture").status_code == 400
    parts = dict(zip(("colour", "shape", "skin", "hair_colour", "hair", "eyes", "mouth"), "5432101", strict=True))
    ana.say(f"{path}/portrait", who="c1", **parts)
    assert "av-seat-5 skin-3 hair-2" in ana.get(path).text
    ana.say(f"{path}/portrait", who="c1", face="default")
    assert 'class="portrait"' not in ana.get(path).text
    assert ana.form(f"{path}/picture", who="c1").status_code == 400
    ana.close()


def test_a_table_shows_faces_to_everybody_and_pictures_to_those_who_see_the_season(client, server):
    """Two worlds: with a picture and without. Who may not see the season sees no difference at its tables."""
    host = Host(client, audience="none")
    host.bots(("Ben", "Cal"))
    host.done("cast-added", name="Ana")
    host.ask("PUT", "/portraits/c1", face="5432101")
    ana, stranger = Person(server), Person(server)
    link = next(one["token"] for one in host.ask("GET", "/links").json() if one["who"] == "c3")
    ana.say(f"/seasons/{host.id}/join", code=link)
    season = host.step("open", game="pyramid-shambo")
    [table] = season["episodes"][-1]["tables"]
    path = f"/t/{table['table']}"
    page = stranger.get(path).text
    assert 'id="portraits"' not in ana.get(path).text
    ben = table["cast"].index("c1")
    assert "av-seat-5 skin-3 hair-2" in page
    assert f'data-sits="{ben}"' in page
    send(host, "c3", picture())
    own = ana.get(path).text
    assert f"/api/seasons/{host.id}/portraits/c3/" in own
    for unknown in (host.id, "portraits/"):
        assert unknown not in stranger.get(path).text.replace("static/portraits", "")
    # Those who see the season find the way back to it.
    assert f'id="season-link" href="/seasons/{host.id}"' in own
    # Where viewers see the season they see its pictures, too.
    host.done("settings", title="Code Red", audience="live")
    assert f"/api/seasons/{host.id}/portraits/c3/" in stranger.get(path).text
    ana.close()
    stranger.close()


def test_no_two_faces_of_a_table_have_the_same_ground():
    names = [f"Player {n}" for n in range(12)]
    season = fold(log_with([], [SettingsChanged(title="A"), *map(CastAdded, names)], 0, ""))
    cast = [f"c{n}" for n in (1, 11, 2, 12, 3, 4, 5, 6, 7, 8)]
    faces = seat_faces(season, cast, {"c3": "0032101", "c5": "9000000"})
    assert len({face[:2] for face in faces.values()}) == len(cast)
    assert faces[4][2:] == "32101", "The rest of a face stays as it was chosen."
    assert faces[0] == face_of(0, "Player 0").text


def test_a_host_chooses_faces_for_contestants_on_the_page(client, server):
    hal = Person(server)
    path = hal.say("/seasons", title="Code Red", host="Hal").removesuffix("/host")
    hal.say(f"{path}/do", kind="cast-added", name="Ana")
    assert "portrait=c1#portraits" in hal.get(f"{path}/host?tab=cast&who=c1").text
    page = hal.get(f"{path}/host?portrait=c1").text
    assert 'name="mouth"' in page
    parts = dict(zip(("colour", "shape", "skin", "hair_colour", "hair", "eyes", "mouth"), "5432101", strict=True))
    assert hal.say(f"{path}/portrait", who="c1", back="host", **parts) == f"{path}/host?tab=cast&who=c1#portraits"
    assert "av-seat-5 skin-3 hair-2" in hal.get(path).text
    hal.close()
