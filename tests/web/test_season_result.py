"""Pictures of results, for previews of a season's link: nobody sees more in them than on the page."""

import io
import re
from math import hypot

import pytest
from PIL import Image, ImageColor, ImageDraw
from tests.web.helpers.seasons import Host

from pyramidion.web.features.seasons import result_picture as result_picture_module
from pyramidion.web.features.seasons.result_picture import HEIGHT, WIDTH, PicturedPerson, result_picture
from pyramidion.web.pages.face_picture import face_picture, path_lines
from pyramidion.web.table.seats.faces import PARTS, Face


def test_every_face_and_an_uploaded_picture_can_be_drawn():
    upload = io.BytesIO()
    Image.new("RGB", (64, 64), "#336699").save(upload, "WEBP")
    last = Face(*(count - 1 for count in PARTS.values()))
    people = (PicturedPerson("Nina", last, None, True), PicturedPerson("阿明", last, upload.getvalue(), False))
    for count in (1, 2, 5, 9, 30):
        with Image.open(io.BytesIO(result_picture("Final", "word " * 60, (people * count)[:count]))) as picture:
            assert picture.size == (WIDTH, HEIGHT)


def test_faces_in_pictures_have_the_colours_of_the_site():
    for colour, seat in enumerate(("#c8553d", "#3f74a8", "#4c8a4a")):
        face = face_picture(Face(colour, 1, 0, 0, 0, 0, 0), 80)
        assert face.getpixel((10, 40))[:3] == ImageColor.getrgb(seat)
        assert face.getpixel((0, 0))[3] == 0, "Around the ground it is transparent."


def test_all_faces_differ_in_pictures():
    plain = [0] * len(PARTS)
    faces = [
        Face(*plain[:at], kind, *plain[at + 1 :]) for at, count in enumerate(PARTS.values()) for kind in range(count)
    ]
    assert len({face_picture(face, 60).tobytes() for face in faces}) == len({*faces})


def test_a_path_of_curves_and_arcs_ends_where_it_began():
    [(line, closed)] = path_lines("M10 0a10 10 0 1 1-20 0 10 10 0 0 1 20 0z")
    assert closed
    assert all(hypot(*point) == pytest.approx(10) for point in line)
    [(line, closed)] = path_lines("M0 0C0 5 5 10 10 10s10-5 10-10h4v-2l-4 2")
    assert (line[-1], closed) == ((20, 0), False)


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


def test_the_picture_of_a_link_greys_those_who_left_before_the_episode_that_it_is_of(client):
    def coloured(host):
        return sum(
            max(pixel) - min(pixel) > 60 for pixel in preview(client, host.id).resize((300, 158)).get_flattened_data()
        )

    host = Host(client, audience="episode")
    for name in ("Nina", "Felix", "Grace", "Omar"):
        host.done("cast-added", name=name, bot="random")
    before = coloured(host)
    assert before > 1000, "Before the first episode it shows the cast."

    def leaves(loser, opponent):
        host.done("episode-opened")
        host.done("result-entered", candidate=loser)
        host.done("opponent-named", opponent=opponent)
        host.done("duel-entered", loser=loser)
        host.step("elimination")

    leaves("c1", "c2")
    assert coloured(host) == pytest.approx(before, rel=0.1), "Who left in the episode is not told."
    leaves("c2", "c3")
    assert coloured(host) < 0.9 * before


def test_a_picture_without_words_has_its_faces_in_the_middle():
    person = PicturedPerson("阿明", Face(1, 1, 0, 0, 0, 0, 0), None, False)

    def rows(headline, people):
        """Return the rows of pixels in which the ground of the face is, or the golden pyramid."""
        with Image.open(io.BytesIO(result_picture("Code Red", headline, people))) as opened:
            picture = opened.convert("RGB")
        drawn = {ImageColor.getrgb("#3f74a8"), ImageColor.getrgb("#c8952c")}
        return [y for y in range(20, HEIGHT) if {picture.getpixel((x, y)) for x in range(0, WIDTH, 4)} & drawn]

    told, wordless, nobody = rows("Nina won.", (person,)), rows("阿明贏得本季。", (person,)), rows("阿明贏得本季。", ())
    assert not rows("Nina won.", ())
    assert nobody
    assert abs((wordless[0] + wordless[-1]) / 2 - HEIGHT / 2) < 60 < told[0]


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
