"""Pictures of results, for previews of a season's link: nobody sees more in them than on the page."""

import io
import re

import pytest
from PIL import Image, ImageDraw
from tests.web.helpers.seasons import Host

from pyramidion.web.features.seasons import result_picture as result_picture_module
from pyramidion.web.features.seasons.result_picture import HEIGHT, WIDTH, PicturedPerson, result_picture
from pyramidion.web.table.seats.faces import PARTS, Face


def test_every_face_and_an_uploaded_picture_can_be_drawn():
    upload = io.BytesIO()
    Image.new("RGB", (64, 64), "#336699").save(upload, "WEBP")
    last = Face(*(count - 1 for count in PARTS.values()))
    people = (PicturedPerson(last, None, True), PicturedPerson(last, upload.getvalue(), False))
    with Image.open(io.BytesIO(result_picture("Code Red", "Final", "word " * 60, people))) as picture:
        assert picture.size == (WIDTH, HEIGHT)


def test_a_headline_that_is_cut_says_so():
    draw = ImageDraw.Draw(Image.new("RGB", (WIDTH, HEIGHT)))
    font = result_picture_module._font("bitter", 48, 700)
    for count, cut in ((3, False), (200, True)):
        lines = result_picture_module._wrapped(draw, "word " * count, font)
        assert (len(lines) <= 3, lines[-1].endswith(" …")) == (True, cut)
        assert max(draw.textlength(line, font=font) for line in lines) < WIDTH


def preview(client, season, **headers):
    """Return the picture that a link to a season names."""
    page = client.get(f"/seasons/{season}", headers=headers).text
    answer = client.get(re.search(r'property="og:image" content="[^"]*(/seasons/[^"]*)"', page)[1], headers=headers)
    assert answer.headers["content-type"] == "image/png"
    with Image.open(io.BytesIO(answer.content)) as picture:
        return picture.convert("RGB")


def test_names_that_the_fonts_lack_leave_a_picture_of_faces(client):
    host = Host(client, title="紅色警報", audience="live")
    for name in ("阿明", "小美", "大衛"):
        host.done("cast-added", name=name, bot="random")
    host.done("episode-opened")
    plain = preview(client, host.id, **{"Accept-Language": "zh-TW"})
    host.done("result-entered", candidate="c1", tokens={"c3": 1})
    named = preview(client, host.id)
    assert plain.size == named.size == (WIDTH, HEIGHT)
    assert plain.tobytes() != named.tobytes()


def test_a_picture_without_words_has_its_faces_in_the_middle():
    person = PicturedPerson(Face(*(0 for _ in PARTS)), None, False)

    def middle(headline, people):
        with Image.open(io.BytesIO(result_picture("Code Red", "Final", headline, people))) as picture:
            return picture.convert("RGB").getpixel((WIDTH // 2, HEIGHT // 2 + 60))

    assert middle("Nina won.", (person,)) == middle("Nina won.", ()) != middle("阿明贏得本季。", (person,))
    assert middle("阿明贏得本季。", ()) != middle("Nina won.", ())


def over(client, loser, **settings):
    """Return a season of three with an episode that `loser` left in."""
    host = Host(client, **settings)
    for name in ("Nina", "Felix", "Grace"):
        host.done("cast-added", name=name, bot="random")
    host.done("episode-opened")
    host.done("result-entered", candidate="c1", tokens={"c3": 1})
    host.done("opponent-named", opponent="c2")
    host.done("duel-entered", loser=loser)
    return host


@pytest.mark.parametrize("audience", ["live", "episode"])
def test_a_picture_shows_a_result_that_viewers_know(client, audience):
    host = over(client, "c1", audience=audience)
    path = f"/seasons/{host.id}"
    assert client.get(f"{path}/result/1.png").status_code == (200 if audience == "live" else 404)
    host.step("elimination")
    assert client.get(f"{path}/result/1.png").status_code == 200
    assert client.get(f"{path}/result/2.png").status_code == client.get(f"{path}/show/2.png").status_code == 404


@pytest.mark.parametrize("page", ["", "/show/1", "/show/1?slide=9", "/recap"])
def test_the_preview_of_a_link_tells_no_result(client, page):
    """Two worlds with another result have the same previews, with a picture."""

    def preview_of(loser):
        host = over(client, loser, audience="live")
        host.step("elimination")
        client.cookies.clear()
        head = client.get(f"/seasons/{host.id}{page}").text.split("<main")[0].replace(host.id, "SEASON")
        picture = re.search(r'og:image" content="[^"]*(/show/1.png)"', head)
        return re.findall(r"<(?:meta|title)[^>]*>[^<]*", head), client.get(f"/seasons/{host.id}{picture[1]}").content

    first, second = preview_of("c1"), preview_of("c2")
    assert first == second
    with Image.open(io.BytesIO(first[1])) as picture:
        assert picture.size == (WIDTH, HEIGHT)
    assert "Code Red" in "".join(first[0])


CHANGING = r'value="[^"]*"|data-version="[^"]*"|data-csrf="[^"]*"'


def told(client, season, mark=""):
    """Return what a viewer reads of a season's page unasked, and its results."""
    client.cookies.clear()
    page = client.get(f"/seasons/{season}").text
    arrival, _summary, results = page.partition(f'<details class="results" id="results-1{mark}"')
    return re.sub(CHANGING, "", arrival.replace(season, "SEASON")), results


def test_viewers_see_results_when_they_ask_for_them(client):
    def parts(loser):
        host = over(client, loser, audience="live")
        running = told(client, host.id)[0]
        host.step("elimination")
        return running, *told(client, host.id)

    running, arrival, results = parts("c1")
    assert arrival == parts("c2")[1]
    assert "Episode 1 can be watched." in arrival
    assert arrival.count('/show/1"') == 1, "The way to the show is there once."
    assert "Nina challenged Felix to the death match and lost." in results
    assert 'class="results"' not in running, "Who watches live is told at once."


def test_results_of_the_parts_of_the_first_episode_are_told_when_asked_for(client):
    first, second = (told(client, over(client, loser, audience="phase").id, "-playing") for loser in ("c1", "c2"))
    assert first[0] == second[0]
    assert "Episode 1 is being played." in first[0]
    assert "Nina challenged Felix to the death match and lost." in first[1]
    assert "Nina challenged Felix to the death match and won." in second[1]
