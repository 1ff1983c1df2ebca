"""Lessons at tables: the coach in the page, its refusals, its buttons, and the offer on the first visit."""

import re
from contextlib import ExitStack

import httpx
import pytest
from tests.web.helpers.lessons import csrf

from pyramidion.engine import registry
from pyramidion.engine.lesson import lesson_of
from pyramidion.translation import LANGUAGES

GAMES = [game for game in registry.all_games().values() if lesson_of(game) is not None]


@pytest.fixture
def learners(server):
    with ExitStack() as open_clients:
        yield lambda game="ponzi-scheme": Learner(
            open_clients.enter_context(httpx.Client(base_url=server.address, follow_redirects=True, timeout=60)),
            registry.load(game),
        )


class Learner:
    """A browser without scripts in a lesson."""

    def __init__(self, client, game):
        self.client = client
        self.game, self.lesson = game, lesson_of(game)
        start = self.client.get(f"/learn/{game.id}")
        self.page = self.client.post(f"/learn/{game.id}", data={"csrf": csrf(start)}).text
        self.table = re.search(r'data-table="([^"]+)"', self.page)[1]

    def send(self, path, **form):
        return self.client.post(f"/t/{self.table}/{path}", data={"csrf": csrf(self), **form})

    @property
    def text(self):
        return self.client.get(f"/t/{self.table}").text

    def until_asked(self):
        """Return the page when the bots have done what the script has for them."""
        while 'id="coach-waits"' in (page := self.text):
            continue
        return page

    def version(self):
        return int(re.search(r'data-version="(\d+)"', self.text)[1])


def drawn(page, word):
    """Return whether something on the board can be pointed at by a word."""
    fragment = page[page.index('id="fragment"') :]
    name = re.escape(word)
    return re.search(
        rf'(?:id|data-key|data-place|value)="{name}"|(?:class|data-path)="(?:[^"]* )?{name}(?: [^"]*)?"', fragment
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_coach_leads_through_a_lesson_and_points_at_what_is_there(learners, game):
    learner = learners(game.id)
    seen = set()
    for _turn in learner.lesson.steps:
        page = learner.until_asked()
        shown = [int(number) for number in re.findall(r'id="step-(\d+)"', page)]
        assert shown
        for number in shown:
            step = learner.lesson.steps[number]
            missing = [word for word in step.point if not drawn(page, word)]
            assert not missing, f"step {number + 1} points at {missing}"
        seen.update(shown)
        if len(learner.lesson.steps) - 1 in shown:
            break
        assert learner.send("lesson/show").status_code == 200
    assert seen == set(range(len(learner.lesson.steps)))


def test_another_action_is_answered_by_the_coach_and_not_made(learners):
    learner = learners()
    answer = learner.send("act", action="pass", version=learner.version(), seat="0")
    assert answer.status_code == 422
    assert "If you pass, you get neither money nor a tile." in answer.text
    assert learner.version() == 0
    other = learner.send("act", action="fund media 11", version=0, seat="0")
    assert other.status_code == 200
    assert learner.version() > 0


def test_a_lesson_can_be_left_and_the_game_goes_on(learners):
    learner = learners()
    assert 'id="coach"' in learner.text
    assert learner.send("lesson/leave").status_code == 200
    assert 'id="coach"' not in learner.text
    assert learner.send("act", action="pass", version=learner.version(), seat="0").status_code == 200
    assert learner.send("lesson/leave").status_code == 409


def test_a_lesson_is_resumed_from_its_page(learners):
    learner = learners()
    learner.send("lesson/show")
    assert f'href="/t/{learner.table}"' in learner.client.get("/learn/ponzi-scheme").text
    learner.send("lesson/leave")
    assert f'href="/t/{learner.table}"' not in learner.client.get("/learn/ponzi-scheme").text


def test_only_the_learner_hears_the_coach(server, learners):
    learner = learners()
    with httpx.Client(base_url=server.address, follow_redirects=True, timeout=60) as stranger:
        page = stranger.get(f"/t/{learner.table}")
        assert 'id="coach"' not in page.text
        refused = stranger.post(f"/t/{learner.table}/lesson/show", data={"csrf": csrf(page)})
        assert refused.status_code == 403


def test_a_lesson_is_offered_on_the_first_visit_only(server):
    with httpx.Client(base_url=server.address, timeout=60) as client:
        for game in GAMES:
            offer = f'href="/learn/{game.id}"'
            assert offer in client.get(f"/games/{game.id}/new").text
            assert offer not in client.get(f"/games/{game.id}/new").text


def test_the_home_page_links_to_every_lesson_there_is(server):
    with httpx.Client(base_url=server.address) as client:
        linked = set(re.findall(r'href="/learn/([\w-]+)"', client.get("/").text))
    assert linked == {game.id for game in GAMES}
    assert linked


@pytest.mark.parametrize("language", [tag for tag in LANGUAGES if tag != "en"])
def test_the_coach_speaks_the_language_of_the_page(learners, language):
    learner = learners()
    learner.client.headers["accept-language"] = language
    english = learner.lesson.steps[0].say
    assert english not in learner.text
    learner.client.headers["accept-language"] = "en"
    assert english in learner.text
