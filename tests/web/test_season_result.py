"""Pictures of results, for previews of a season's link: nobody sees more in them than on the page."""

import io
import re

import pytest
from PIL import Image
from tests.web.helpers.seasons import Host

from pyramidion.web.features.seasons.result_picture import HEIGHT, WIDTH, PicturedPerson, drawable, result_picture
from pyramidion.web.table.seats.faces import PARTS, Face


def test_every_face_and_an_uploaded_picture_can_be_drawn():
    upload = io.BytesIO()
    Image.new("RGB", (64, 64), "#336699").save(upload, "WEBP")
    last = Face(*(count - 1 for count in PARTS.values()))
    people = (PicturedPerson(last, None, True), PicturedPerson(last, upload.getvalue(), False))
    with Image.open(io.BytesIO(result_picture("Code Red", "Final", "word " * 60, people))) as picture:
        assert picture.size == (WIDTH, HEIGHT)


def test_names_that_the_fonts_lack_make_no_picture():
    assert drawable("Code Red", "Éric a gagné.")
    assert not drawable("Code Red", "阿明贏得本季。")


@pytest.mark.parametrize("audience", ["live", "episode"])
def test_a_link_shows_the_newest_result_that_viewers_know(client, audience):
    host = Host(client, audience=audience)
    for name in ("Nina", "Felix", "Grace"):
        host.done("cast-added", name=name, bot="random")
    host.done("episode-opened")
    host.done("result-entered", candidate="c1", tokens={"c3": 1})
    host.done("opponent-named", opponent="c2")
    host.done("duel-entered", loser="c1")
    path = f"/seasons/{host.id}"
    assert client.get(f"{path}/result/1.png").status_code == (200 if audience == "live" else 404)
    host.step("elimination")
    page = client.get(path).text
    assert 'property="og:description" content="Nina challenged Felix to the death match and lost."' in page
    picture = re.search(r'property="og:image" content="[^"]*(/seasons/[^"]*)"', page)[1]
    assert client.get(picture).headers["content-type"] == "image/png"
    assert client.get(f"{path}/result/2.png").status_code == 404
    show = client.get(f"{path}/show/1").text
    assert "og:" not in show, "A link to the show tells nothing."
