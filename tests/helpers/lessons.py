"""Lessons that are played by their script, for tests."""

from fnmatch import fnmatchcase


def ways(lesson, match):
    """Return the learner's allowed actions."""
    step = lesson.progress(match).steps[-1]
    return [a.text for a in match.legal(lesson.learner) if any(fnmatchcase(a.text, one) for one in step.do)]


def let_bots_move(lesson, match):
    """Play the other seats' script until the learner has to act; every scripted action must be legal."""
    while True:
        progress = lesson.progress(match)
        assert progress is not None, "the script was left"
        if not progress.waiting:
            return progress
        counts = [sum(one == seat for one, _ in match.history) for seat in range(match.seats)]
        due = [s for s in match.acting if s != lesson.learner and counts[s] < len(lesson.script[s])]
        assert due, f"nobody goes on after {[match.game.actions[a].text for _, a in match.history]}"
        action = lesson.scripted(match, due[0])
        assert action is not None, f"{lesson.script[due[0]][counts[due[0]]]} of seat {due[0]} is not legal"
        match.play(due[0], action)
