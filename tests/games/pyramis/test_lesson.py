"""The lesson of Pyramis: no step shows a rule that no step has taught."""

from tests.helpers.lessons import let_bots_move, ways

from pyramidion.engine import registry
from pyramidion.engine.lesson import lesson_of


def test_the_lesson_never_shows_two_pairs_at_once_and_leaves_no_card_to_turn_at_its_end():
    lesson, shown = lesson_of(registry.load("pyramis")), []

    def play(match):
        progress = let_bots_move(lesson, match)
        shown.append(len(match.view(0)["pairs"]))
        if progress.finished:
            assert match.view(0)["phase"] != "rotate"
            return
        for action in ways(lesson, match):
            branch = match.at(match.ply)
            branch.play(lesson.learner, action)
            play(branch)

    play(lesson.begin(registry.load("pyramis")))
    assert max(shown) == 1
