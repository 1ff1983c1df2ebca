"""Tests of lessons: every accepted line can be played, and invalid files are refused with a message."""

from fnmatch import fnmatchcase

import pytest
from tests.helpers.lessons import let_bots_move, ways

from pyramidion.engine import registry
from pyramidion.engine.lesson import BadLesson, lesson_of, parse

GAMES = [game for game in registry.all_games().values() if lesson_of(game) is not None]
TINY = """minutes = 1
seed = 1
seats = 3
learner = 0
names = ["A", "B"]
"""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_lesson_can_be_played_to_its_end_by_every_accepted_way(game):
    lesson = lesson_of(game)

    def play(match, deviations):
        while True:
            progress = let_bots_move(lesson, match)
            if progress.finished:
                ended.append(match.over)
                return
            accepted = ways(lesson, match)
            assert accepted, f"step {progress.steps[-1].number + 1} allows nothing that is legal"
            if deviations:
                for other in accepted[1:]:
                    branch = match.at(match.ply)
                    branch.play(lesson.learner, other)
                    play(branch, deviations - 1)
            match.play(lesson.learner, lesson.scripted(match, lesson.learner))

    ended = []
    play(lesson.begin(game), 1)
    assert ended
    assert not any(ended), "the learner is to be able to play on alone"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_reply_of_a_lesson_can_be_heard(game):
    lesson = lesson_of(game)
    match = lesson.begin(game)
    heard = set()
    while not (progress := let_bots_move(lesson, match)).finished:
        step = progress.steps[-1]
        for action in match.legal(lesson.learner):
            objection = lesson.objection(match, action.text)
            accepted = any(fnmatchcase(action.text, one) for one in step.do)
            assert bool(objection) is not accepted
            heard.add((step.number, objection))
            heard |= {(step.number, one.say) for one in step.after if accepted and fnmatchcase(action.text, one.when)}
        match.play(lesson.learner, lesson.scripted(match, lesson.learner))
    said = {(step.number, one.say) for step in lesson.steps for one in (*step.instead, *step.after)}
    assert said <= heard, f"never said: {said - heard}"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_phase_is_met_and_the_lesson_is_short(game):
    lesson = lesson_of(game)
    assert 3 <= lesson.minutes <= 6
    assert all(len(step.say) <= 300 for step in lesson.steps), "one idea for each step"


def test_off_the_script_the_coach_is_silent():
    game = registry.load("ponzi-scheme")
    lesson = lesson_of(game)
    match = lesson.begin(game)
    match.play(0, "pass")
    assert lesson.progress(match) is None
    assert lesson.scripted(match, 1) is None
    assert lesson.objection(match, "pass") == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("minutes = ", "not valid TOML"),
        ("minutes = 3", "lacks learner"),
        (TINY + "[[steps]]\nsay = 'a'\nsays = 'b'", "Step 1 has says"),
        (TINY + "[[steps]]\npoint = ['own']", "Step 1 says nothing"),
        (TINY + "[[steps]]\nsay = 'a'\ndo = ['pass']", "'do' and 'otherwise' go together"),
        (TINY + "[[steps]]\nsay = 'a'\nbots = ['0 pass']", "number of another seat"),
        (TINY + "[[steps]]\nsay = 'a'\ndo = ['pass']\notherwise = 'b'", "last step"),
        (TINY.replace("learner = 0", "learner = 3") + "[[steps]]\nsay = 'a'", "must have one of the seats"),
    ],
)
def test_a_wrong_file_is_refused_with_a_sentence(text, reason):
    with pytest.raises(BadLesson, match=reason):
        parse(text)


def test_every_game_of_the_package_has_a_lesson():
    assert {game.id for game in GAMES} == set(registry.own_ids())
