"""The home page: what newcomers see, and what those who come back do."""

import re

import httpx
from tests.web.helpers.accounts import finish
from tests.web.helpers.polling import wait_until

from pyramidion.engine.example import examples_of
from pyramidion.engine.lesson import lesson_of
from pyramidion.web.play.showcase import showcase_game


def test_a_newcomer_is_shown_a_recorded_game_and_its_lesson(client):
    game = showcase_game()
    assert lesson_of(game) is not None
    page = client.get("/").text
    assert f'href="/learn/{game.id}">New here?' in page
    assert page.index('id="showcase"') < page.index('id="games"')
    last = len(examples_of(game).plies)
    frames = [client.get(f"/showcase/{ply}").text for ply in (0, last // 2, last)]
    assert len(set(frames)) == 3
    for frame in frames:
        assert f'data-last="{last}"' in frame
        # The caption tells only of the Fleet that is drawn.
        told = frame.split('class="told">')[1].split("<")[0]
        assert not told or (told.startswith(examples_of(game).names[0]) and "refilled" not in told)
        assert " inert>" in frame
        assert not re.search(r'\s(?:id|name|form|data-path)="', frame), "a picture is nobody's board"
    assert client.get(f"/showcase/{last + 1}").status_code == 404


def test_whoever_comes_back_has_their_games_and_people_first(person):
    nina, guest = person(), person()
    table = nina.start("me", "open", "bot:random", me="Nina")
    guest.say(f"/t/{table}/sit", seat="1", name="Guest 1")
    finish(table, nina, guest)
    # The players of a game are counted just after its end.
    wait_until(lambda: "Play again with:" in nina.get("/").text)
    page = nina.get("/").text
    assert 'id="showcase"' not in page
    assert page.index('class="your-games"') < page.index("Play again with:") < page.index('id="games"')
    assert f'href="/people/me?table={table}#h-opponents">Guest 1</a>' in page


def test_the_six_games_stay_on_the_page(client: httpx.Client):
    assert client.get("/").text.count('class="game panel"') >= 6
