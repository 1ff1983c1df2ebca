"""Matches of the host's own: forms, formulas, rounds and votes; and what nobody learns before it is revealed."""

import gc
import json
import sys
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion import event_log
from pyramidion.event_log import HOUR, Entry, NotPossible, decode, encode
from pyramidion.seasons import formula, own_match
from pyramidion.seasons.conversations import Conversations
from pyramidion.seasons.csv_table import written
from pyramidion.seasons.events import (
    KINDS,
    CastAdded,
    CastChanged,
    EpisodeOpened,
    FormatSet,
    HostAdded,
    OpponentNamed,
    OwnDeadlineSet,
    OwnMatchOpened,
    OwnMatchSet,
    OwnRoundOpened,
    OwnRoundSealed,
    PhaseExtended,
    PhaseSet,
    ResultEntered,
    Revoked,
    SettingsChanged,
    StoodIn,
    SubmissionsRevealed,
)
from pyramidion.seasons.events.own_matches import result_of_own_match
from pyramidion.seasons.fold import extended, fold
from pyramidion.seasons.own_match import SubmissionField
from pyramidion.seasons.redaction import Viewer, redact
from pyramidion.seasons.season import Season
from pyramidion.seasons.submissions import PRIVATE_KINDS, Submitted, accepted, to_reveal
from pyramidion.seasons.template import template_of
from pyramidion.web.features.seasons.console.result import result_form
from pyramidion.web.features.seasons.loaded import LoadedSeason
from pyramidion.web.features.seasons.notifications import notices
from pyramidion.web.features.seasons.store import Person

HOST, ANA, BEN, CAL = (Viewer("host", "h1"), *(Viewer("contestant", f"c{n}") for n in (1, 2, 3)))
ANYBODY = Viewer()
VOTE = OwnMatchSet(
    "Vote",
    "Vote for whom you want to see in the death match.",
    (SubmissionField("vote", "Your vote", "contestant"),),
    hours=24,
    score="count(vote == me)",
    highest="loses",
)
BIDS = OwnMatchSet(
    "Lowest unique bid",
    fields=(SubmissionField("bid", "Your bid", least=1, most=9), SubmissionField("why", kind="text")),
    score="(count(bid == my_bid) == 1) * (10 - bid)",
    highest="wins",
    lowest="loses",
    tie="priority",
)


def after(season, *events, by="h1", at=0):
    return extended(season, events, at, by, "Because.")


def begun(*events, at=0, **settings):
    cast = [CastAdded(name, 5, priority) for name, priority in (("Ana", 4), ("Ben", 3), ("Cal", 2), ("Dan", 1))]
    first = (SettingsChanged(title="Code Red", audience="live", **settings), HostAdded("Hal"))
    return after(Season(), *first, *cast, *events, at=at)


def submitted(season, *rows, talk=None, at=1):
    """Return the contestants' private log after submissions: pairs of a contestant and values, and if confirmed."""
    talk = talk or Conversations()
    for who, values, *confirmed in rows:
        match = season.own_match
        event = Submitted(match.id, len(match.rounds), values, bool(confirmed))
        talk = event_log.fold(
            Conversations(), event_log.log_with(talk.log, [accepted(season, event, who, at)], at, who)
        )
    return talk


def revealed(season, talk, who=None, lot=()):
    return after(season, SubmissionsRevealed(season.own_match.id, to_reveal(talk, season.own_match, who), lot))


@pytest.mark.parametrize("late", [0, 5 * HOUR])
def test_more_time_in_a_phase_is_more_time_for_its_submissions(late):
    """Whether the deadline has passed or not; one that lies after the phase, or before it began, stays."""
    asked = begun(VOTE, EpisodeOpened(own="Vote"), OwnMatchOpened("Vote"), PhaseSet("Vote", 1, 48 * HOUR))
    now = 24 * HOUR + late
    longer = after(asked, PhaseExtended("p1", 2), at=now)
    assert longer.own_match.round.deadline == now + 2 * HOUR
    assert not longer.own_match.closed(now)
    for starts, ends in ((1, 12 * HOUR), (now + HOUR, now + 48 * HOUR)):
        other = begun(VOTE, EpisodeOpened(own="Vote"), OwnMatchOpened("Vote"), PhaseSet("Vote", starts, ends))
        assert after(other, PhaseExtended("p1", 2), at=now).own_match.round.deadline == 24 * HOUR
    sealed = after(asked, OwnRoundSealed("m1"), PhaseExtended("p1", 2), at=now)
    assert sealed.own_match.round.deadline == 24 * HOUR


def voted(season, *votes):
    rows = [(f"c{n}", {"vote": vote}) for n, vote in enumerate(votes, 1) if vote]
    return revealed(after(season, OwnRoundSealed("m1")), submitted(season, *rows))


def test_a_vote_names_the_candidate():
    season = begun(VOTE, EpisodeOpened(own="Vote"), OwnMatchOpened("Vote"))
    assert (season.step, season.own_match.round.deadline) == ("own-match", 24 * HOUR)
    season = voted(season, "c4", "c4", "c1", "c1")
    match = season.own_matches["m1"]
    assert (match.over, match.losers, result_of_own_match(season, match)) == (True, None, None), "A tie is the hosts'."
    assert season.step == "result"
    season = voted(begun(VOTE, EpisodeOpened(), OwnMatchOpened("Vote")), "c4", "c4", "c1", None)
    assert season.own_matches["m1"].totals() == {"c1": 1, "c2": 0, "c3": 0, "c4": 2}
    assert result_of_own_match(season, season.own_matches["m1"]) == ResultEntered("c4")
    assert after(season, ResultEntered("c4")).step == "opponent"


@pytest.mark.parametrize("tied", [False, True])
def test_the_winner_of_the_match_before_a_vote_keeps_the_token(tied):
    """The result has it where the vote decides the rest; otherwise the form for the result proposes it."""
    bids = OwnMatchSet("Bids", fields=(SubmissionField("bid"),), score="bid", highest="wins")
    season = begun(bids, VOTE, EpisodeOpened(own="Bids"), OwnMatchOpened("Bids"))
    talk = submitted(season, ("c2", {"bid": 5}), ("c3", {"bid": 9}))
    season = revealed(after(season, OwnRoundSealed("m1")), talk)
    assert (season.step, result_form(season, "main").wins.proposed) == ("result", ["c3"])
    season = after(season, OwnMatchOpened("Vote"))
    votes = [("c1", {"vote": "c2"}), ("c2", {"vote": "c1"}), *([] if tied else [("c3", {"vote": "c1"})])]
    talk = submitted(season, *votes)
    season = revealed(after(season, OwnRoundSealed("m2")), talk)
    result, form = result_of_own_match(season, season.own_matches["m2"]), result_form(season, "main")
    assert form.wins.proposed == ["c3"]
    assert form.loses.offered[:2] == (("c1", "c2") if tied else ["c1", "c2"])
    assert result == (None if tied else ResultEntered("c1", {"c3": 1}, None, "c3"))


TIES = [("priority", (), "c4"), ("lot", ("c1", "c4"), "c4"), ("lot", ("c4", "c1"), "c1")]


@pytest.mark.parametrize(("rule", "lot", "loser"), TIES)
def test_a_tie_in_a_vote_goes_by_the_declared_rule(rule, lot, loser):
    season = begun(replace(VOTE, tie=rule), EpisodeOpened(), OwnMatchOpened("Vote"))
    talk = submitted(season, ("c1", {"vote": "c4"}), ("c2", {"vote": "c1"}))
    season = revealed(after(season, OwnRoundSealed("m1")), talk, lot=lot)
    assert season.own_matches["m1"].losers == [loser]


def test_a_formula_gives_scores_winners_and_losers():
    season = begun(FormatSet(tokens=1), BIDS, EpisodeOpened(), OwnMatchOpened("Lowest unique bid"))
    talk = submitted(season, *((f"c{n}", {"bid": bid}) for n, bid in enumerate((2, 2, 5), 1)))
    season = revealed(after(season, OwnRoundSealed("m1")), talk)
    match = season.own_matches["m1"]
    assert match.totals() == {"c1": 0, "c2": 0, "c3": 5, "c4": None}
    # Dan has submitted nothing and so comes last.
    assert result_of_own_match(season, match) == ResultEntered("c4", {"c3": 1}, winner="c3")


def test_who_submitted_nothing_is_left_out_where_the_match_says_so_and_bots_always_are():
    bids = replace(BIDS, score="bid", tie="hosts")
    bots = [CastChanged("c4", "Dan", "policy")]

    def losers(form, *bids):
        season = begun(form, *bots, EpisodeOpened(), OwnMatchOpened(form.name))
        talk = submitted(season, *((f"c{n}", {"bid": bid}) for n, bid in enumerate(bids, 1)))
        match = revealed(after(season, OwnRoundSealed("m1")), talk).own_matches["m1"]
        return match.losers, [tie.who for tie in match.ties if tie.outcome == "loses"]

    out = replace(bids, missing="out")
    assert losers(bids, 7, 3, 5) == (["c2"], []), "A bot has not bid the least."
    assert losers(bids, 7, 3) == (["c3"], []), "Who submits nothing comes last by this rule."
    assert losers(out, 7, 3) == (["c2"], [])
    assert losers(out, 3, 3) == (None, [("c1", "c2")])
    assert losers(out, 7) == losers(out) == (None, []), "The only one who submits does not lose by that."
    assert decode(KINDS, "own-match-set", encode(out)) == out
    stored = {name: value for name, value in encode(bids).items() if name != "missing"}
    assert decode(KINDS, "own-match-set", stored) == bids, "Declarations from before have no such rule."


def test_a_death_match_can_be_one_of_several_rounds():
    sums = OwnMatchSet("Sums", "", (SubmissionField("n", most=5),), rounds=2, score="n - my_n / 2", highest="wins")
    season = begun(sums, EpisodeOpened(), ResultEntered("c1"), OpponentNamed("c2"), OwnMatchOpened("Sums", "duel"))
    assert season.own_match.cast == ("c1", "c2")
    for number, rows in enumerate(([("c1", {"n": 5}), ("c2", {"n": 1})], [("c1", {"n": 0}), ("c2", {"n": 3})]), 1):
        talk = submitted(season, *rows)
        with pytest.raises(NotPossible, match="Seal the submissions first"):
            revealed(season, talk)
        with pytest.raises(NotPossible, match="when everything of this one is revealed"):
            after(season, OwnRoundOpened("m1"))
        season = revealed(after(season, OwnRoundSealed("m1")), talk, "c1")
        assert season.own_match.round.scores == {}
        season = revealed(season, talk)
        if number == 1:
            season = after(season, OwnRoundOpened("m1"))
    match = season.own_matches["m1"]
    assert match.totals() == {"c1": Fraction(5, 2), "c2": 2}
    assert result_of_own_match(season, match).loser == "c2"


def test_a_submission_is_refused_with_a_sentence():
    season = begun(VOTE, BIDS, EpisodeOpened(), OwnMatchOpened("Vote"))
    for who, event, at, words in (
        ("c1", Submitted("m1", 1, {"vote": "c1"}), 0, "Your vote: choose one of the list"),
        ("c1", Submitted("m1", 1, {}), 0, "Your vote: choose one of the list"),
        ("c1", Submitted("m1", 2, {"vote": "c2"}), 0, "This round is over"),
        ("h1", Submitted("m1", 1, {"vote": "c2"}), 0, "no such form for you"),
        ("c1", Submitted("m2", 1, {"vote": "c2"}), 0, "no such form for you"),
        ("c1", Submitted("m1", 1, {"vote": "c2"}), 24 * HOUR, "The deadline has passed"),
    ):
        with pytest.raises(NotPossible, match=words):
            accepted(season, event, who, at)
    later = after(season, OwnDeadlineSet("m1", 48 * HOUR))
    assert accepted(later, Submitted("m1", 1, {"vote": "c2"}), "c1", 24 * HOUR).values == {"vote": "c2"}
    with pytest.raises(NotPossible, match="The submissions are sealed"):
        accepted(after(season, OwnRoundSealed("m1")), Submitted("m1", 1, {"vote": "c2"}), "c1", 0)
    bids = begun(BIDS, EpisodeOpened(), OwnMatchOpened("Lowest unique bid"))
    for bid in (0, 10, "1.5", "x", True, "9" * 50):
        with pytest.raises(NotPossible, match="Your bid: enter a whole number from 1 to 9"):
            accepted(bids, Submitted("m1", 1, {"bid": bid}), "c1", 0)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"fields": ()}, "1 to 10 fields"),
        ({"fields": (SubmissionField("me"),)}, "cannot be called me"),
        ({"fields": (SubmissionField("Bid"),)}, "cannot be called Bid"),
        ({"fields": (SubmissionField("a"), SubmissionField("a"))}, "different names"),
        ({"fields": (SubmissionField("a", least=3, most=2),)}, "smaller number to a larger"),
        ({"fields": (SubmissionField("a", kind="choice", choices=("One",)),)}, "2 to 30 different choices"),
        ({"score": "bid"}, "bid, which is not a field"),
        ({"score": ""}, "Give a formula"),
        ({"rounds": 0}, "1 to 20 rounds"),
        ({"lowest": "loses"}, "cannot lead to the same"),
    ],
)
def test_no_form_is_declared_that_nobody_could_fill_in(wrong, words):
    with pytest.raises(NotPossible, match=words):
        begun(replace(VOTE, **wrong))


def test_a_missed_submission_is_a_strike_when_that_is_revealed():
    season = begun(VOTE, EpisodeOpened(), OwnMatchOpened("Vote"), strikes=3)
    season = after(season, OwnRoundSealed("m1"))
    assert [one.strikes for one in season.cast.values()] == [0, 0, 0, 0]
    season = revealed(season, submitted(begun(VOTE, EpisodeOpened(), OwnMatchOpened("Vote")), ("c1", {"vote": "c2"})))
    assert [one.strikes for one in season.cast.values()] == [0, 1, 1, 1]


def test_declarations_and_what_is_revealed_come_back_from_json():
    season = voted(begun(VOTE, BIDS, EpisodeOpened(own="Vote"), OwnMatchOpened("Vote")), "c4", "c4", "c1", None)
    stored = [(entry.event.kind, json.loads(json.dumps(encode(entry.event)))) for entry in season.log]
    entries = [Entry(n, 0, "h1", decode(KINDS, kind, data), "Because.") for n, (kind, data) in enumerate(stored, 1)]
    assert fold(entries).own_matches == season.own_matches
    again = after(Season(), *template_of(season).events("Again", None))
    assert again.own_forms == season.own_forms
    assert again.plan[0].own == "Vote"


def test_texts_of_a_form_are_cleaned_and_bad_ones_refused():
    field = SubmissionField("side", " Which   side? ", "choice", choices=(" Left ", "Right"))
    season = begun(OwnMatchSet("Sides", fields=(field,)))
    [declared] = season.own_forms["Sides"].fields
    assert (declared.label, declared.choices) == ("Which side?", ("Left", "Right"))
    with pytest.raises(NotPossible, match="cannot contain"):
        begun(OwnMatchSet("Sides", fields=(SubmissionField("side", "Which\u202eside?"),)))


# Formulas

ROWS = {"a": {"bid": 3, "pick": "b"}, "b": {"bid": 5, "pick": "a"}, "c": {"bid": 3, "pick": "b"}}


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("2 + 3 * 4 - 1", 13),
        ("bid / 2", Fraction(3, 2)),
        ("sum(bid) - bid", 8),
        ("max(bid) - min(bid)", 2),
        ("max(bid, 4) + min(1, 2)", 5),
        ("count(bid == my_bid)", 2),
        ("count(pick == me)", 1),
        ("(bid < 4) * 10", 10),
        ("1 < 2 < 3", 1),
        ("-abs(-bid)", -3),
        ("count(pick == 'b')", 2),
        ("0.5 * bid", Fraction(3, 2)),
        ("count(abs(bid - sum(bid) / 3) < 1)", None),
    ],
)
def test_a_formula_has_a_value(text, score):
    if score is None:
        with pytest.raises(NotPossible, match="cannot be used inside"):
            formula.parse(text, ["bid", "pick"])
    else:
        assert formula.scores(formula.parse(text, ["bid", "pick"]), ROWS, ["a"]) == {"a": score}


@pytest.mark.parametrize(
    "text",
    [
        *("", "bid +", "bid ** 2", "bid.real", "bid[0]", "__import__('os')", "lambda: 1", "[bid]", "f'{bid}'", "True"),
        *("1e400", "open", "sum()", "sum(bid, bid)", "abs(1, 2)", "max(bid, key=me)", "bid in me", "(bid := 1)", "1j"),
        *("1_0" * 99, "+".join("1" * 90), "\x00", "bid // 2", "bid % 2", "~bid", "bid and 1", "print(bid)"),
        "bid if me else 1",
    ],
)
def test_nothing_else_is_a_formula(text):
    with pytest.raises(NotPossible):
        formula.parse(text, ["bid"])


def test_a_formula_without_a_value_says_why():
    for text, words in (
        ("1 / (bid - 3)", "divides by zero"),
        ("pick + 1", "calculates with words"),
        ("bid * 1000000 * 1000000", "too large"),
    ):
        tree = formula.parse(text, ["bid", "pick"])
        with pytest.raises(NotPossible, match=words):
            formula.scores(tree, ROWS, ["a"])
    assert formula.scores(formula.parse("bid", ["bid"]), ROWS, ["d"]) == {"d": None}
    zero = OwnMatchSet("Zero", fields=(SubmissionField("n", most=5),), score="1 / n", highest="wins")
    season = begun(zero, EpisodeOpened(), OwnMatchOpened("Zero"))
    season = revealed(after(season, OwnRoundSealed("m1")), submitted(season, ("c1", {"n": 0})))
    [shown] = redact(season, HOST, 0)["own_matches"]
    assert (shown["over"], shown["rounds"][0]["failure"], shown["totals"]) == (True, "The formula divides by zero.", {})


def crowd(*events):
    """Return a season with a hundred contestants."""
    cast = [CastAdded(f"Contestant {number}") for number in range(1, 101)]
    return after(after(Season(), SettingsChanged(title="Code Red"), HostAdded("Hal"), *cast), *events)


def numbers(score):
    return OwnMatchSet("Numbers", fields=(SubmissionField("n", least=1, most=1_000_000),), score=score)


COSTLY = "sum(" + " + ".join(["n * my_n"] * 8) + ")"


def test_a_formula_that_takes_too_long_is_refused_when_it_is_declared_or_opened():
    words = r"For 100 contestants the formula takes 320100 steps, and at most 200000 are allowed\. Use fewer parts"
    with pytest.raises(NotPossible, match=words):
        crowd(numbers(COSTLY))
    few = begun(numbers(COSTLY))
    cast = [CastAdded(f"Contestant {number}") for number in range(1, 97)]
    many = after(few, *cast, EpisodeOpened())
    with pytest.raises(NotPossible, match=words):
        after(many, OwnMatchOpened("Numbers"))
    after(many, OwnMatchOpened("Numbers", cast=("c1", "c2")))
    for usual in ("count(n == my_n)", "sum((n > my_n) * 2 + (n == my_n))", "n / sum(n) - sum(n * n) / 100"):
        crowd(numbers(usual))


def test_a_round_whose_stored_formula_takes_too_long_has_no_scores_and_says_why():
    for score, words in (
        (COSTLY, "For 100 contestants the formula takes 320100 steps"),
        ("sum(" + " * ".join(["(1 / n)"] * 8) + ")", "The numbers in the formula are too large: it takes more than"),
    ):
        season = crowd(EpisodeOpened())
        events = [numbers(score), OwnMatchOpened("Numbers"), OwnRoundSealed("m1")]
        events.append(SubmissionsRevealed("m1", {who: {"n": 999_000 + n} for n, who in enumerate(season.cast)}))
        stored = fold(event_log.log_with(season.log, events, 0, "h1"))
        [match] = redact(stored, HOST, 0)["own_matches"]
        assert (match["over"], match["totals"], match["rounds"][0]["scores"]) == (True, {}, {})
        assert match["rounds"][0]["failure"].startswith(words)
        assert result_of_own_match(stored, stored.own_matches["m1"]) in (None, ResultEntered())


def test_scores_are_calculated_once_however_many_rounds_there_are(monkeypatch):
    """A log is folded whenever it grows, on the server's event loop."""
    calculated, scores = [], formula.scores

    def counted(*question):
        calculated.append(question)
        return scores(*question)

    monkeypatch.setattr(formula, "scores", counted)
    opened = begun(numbers("sum(n) - n"), EpisodeOpened(), OwnMatchOpened("Numbers"), OwnRoundSealed("m1"))
    seasons = []
    for number in range(1500):
        values = {who: {"n": number + 1} for who in opened.cast}
        seasons.append(fold(event_log.log_with(opened.log, [SubmissionsRevealed("m1", values)], 0, "h1")))
    assert len(calculated) == 1500
    for season in seasons[:10]:
        again = after(season, SettingsChanged(title="Code Blue"))
        assert again.own_matches["m1"].totals() == season.own_matches["m1"].totals()
    assert len(calculated) == 1500
    del seasons, season, again
    gc.collect()
    assert len(own_match._KEPT._kept) < 1000, "Scores go with their log."


FORMULAS = (
    "count(n == me)",
    "sum((n > my_n) * 2 + (n == my_n) * 3 - (n < my_n))",
    "sum(" + "*".join(["(1/n)"] * 8) + ") > my_n",
    "sum(1 / (n + my_n))",
    "sum(max(n, my_n, 3, 4, 5, 6) - min(n, 3, my_n, 7))",
    "max(1 / n) - min(n / 3) + count(n / 3 < 7.5)",
)


@pytest.mark.parametrize("score", FORMULAS)
def test_every_formula_takes_the_steps_that_are_counted(score):
    """Calls of the interpreter are counted, since the time of a call depends on the machine."""
    people = {f"c{number}": {"n": 999_983 - 7 * number} for number in range(1, 41)}
    calls, tree = 0, formula.parse(score, ["n"])

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    counted = formula.steps(tree, len(people), len(people))
    assert counted <= formula.MOST_STEPS
    sys.setprofile(count)
    try:
        with suppress(NotPossible):
            formula.scores(tree, people, list(people))
    finally:
        sys.setprofile(None)
    assert calls <= 5 * counted + 1000


@given(st.text(alphabet="bid+-*/()<>=.,12 summaxcountabsme'", max_size=60))
def test_any_text_is_a_formula_or_refused_with_a_sentence(text):
    with suppress(NotPossible):
        formula.scores(formula.parse(text, ["bid", "pick"]), ROWS, ["a"])


# Secrets: two worlds that differ in submissions alone


def worlds(form, *events, **settings):
    """Return a season with a match that is open, and private logs that differ in what Ana has submitted."""
    season = begun(form, EpisodeOpened(), OwnMatchOpened(form.name), *events, **settings)
    others = [("c2", {"vote": "c1", "bid": 4}, True), ("c3", {"vote": "c1", "bid": 4})]
    long = "I would rather not say. " * 20
    mine = (
        [],
        [("c1", {"vote": "c2", "bid": 2})],
        [("c1", {"vote": "c2", "bid": 2}, True)],
        [("c1", {"vote": "c3", "bid": 9, "why": long}, True)],
        [("c1", {"vote": "c2", "bid": 2}), ("c1", {"vote": "c4", "bid": 7}), ("c1", {"vote": "c2", "bid": 2}, True)],
    )
    return season, [submitted(season, *given, *others) for given in mine]


def exports(view):
    return {part: written(view[part]) for part in ("cast", "ledger", "posts", "schedule", "log") if part in view}


@pytest.mark.parametrize("hosts_see", ["nothing", "status", "values"])
@pytest.mark.parametrize("form", [VOTE, BIDS])
@pytest.mark.parametrize("sealed", [False, True])
def test_nobody_else_learns_anything_of_a_submission(form, hosts_see, sealed):
    season, talks = worlds(replace(form, hosts_see=hosts_see))
    if sealed:
        season = after(season, OwnRoundSealed("m1"))
    for viewer in (BEN, CAL, ANYBODY, Viewer("contestant", "c1", private=False)):
        views = [redact(season, viewer, 2 * HOUR, talk) for talk in talks]
        assert all(view == views[0] for view in views), viewer
        assert all(exports(view) == exports(views[0]) for view in views)
    rows = [redact(season, HOST, 2 * HOUR, talk) for talk in talks]
    statuses = [[one["status"] for one in view["submissions"] if one["contestant"] == "c1"] for view in rows]
    values = [[one["values"] for one in view["submissions"] if one["contestant"] == "c1"] for view in rows]
    for view in rows:
        del view["submissions"]
        assert view == rows[0], "Not even the number of entries in the log tells of it."
    if hosts_see == "nothing":
        assert statuses == [[]] * 5
    else:
        assert statuses == [["missing"], ["saved"], ["confirmed"], ["confirmed"], ["confirmed"]]
        assert (values == [[None]] * 5) == (hosts_see == "status")
    mine = [redact(season, ANA, 2 * HOUR, talk)["submissions"][0] for talk in talks]
    assert [one["status"] for one in mine] == ["missing", "saved", "confirmed", "confirmed", "confirmed"]
    assert mine[2] == mine[4]


def test_what_is_revealed_one_by_one_tells_nothing_of_the_others():
    season, talks = worlds(BIDS)
    season = after(season, OwnRoundSealed("m1"))
    partly = [revealed(season, talk, "c2") for talk in talks]
    for viewer in (HOST, BEN, ANYBODY):
        views = [redact(one, viewer, 2 * HOUR, talk) for one, talk in zip(partly, talks, strict=True)]
        for view in views:
            view.pop("submissions")
            assert view == views[0]
        assert views[0]["own_matches"][0]["rounds"][0]["revealed"] == {"c2": {"bid": 4, "why": ""}}
        assert views[0]["own_matches"][0]["rounds"][0]["scores"] == {}
    whole = [revealed(one, talk) for one, talk in zip(partly, talks, strict=True)]
    assert len({str(redact(one, ANYBODY, 2 * HOUR)["own_matches"]) for one in whole}) == 3


def test_notices_and_reports_are_the_same_whatever_was_submitted():
    season, talks = worlds(VOTE)
    people = {who: Person(who, who, 0) for who in (*season.cast, *season.hosts)}

    def told(event, talk):
        made = notices(LoadedSeason("id", season, people, talk), after(season, event, at=HOUR))
        return [(one.mark, one.person, one.kind, one.text and one.text(), one.due) for one in made]

    for event in (OwnRoundSealed("m1"), OwnDeadlineSet("m1", 30 * HOUR)):
        rows = [told(event, talk) for talk in talks]
        assert all(row == rows[0] for row in rows)
        assert rows[0]


def test_errors_of_others_and_of_hosts_do_not_depend_on_submissions():
    season, talks = worlds(BIDS)

    def refusal(action):
        with pytest.raises(NotPossible) as refused:
            action()
        return str(refused.value)

    for action in (
        lambda talk: revealed(season, talk),
        lambda _talk: accepted(season, Submitted("m1", 1, {"bid": 99}), "c2", 0),
        lambda _talk: after(season, OwnRoundOpened("m1")),
        lambda _talk: after(season, Revoked(99)),
    ):
        assert len({refusal(partial(action, talk)) for talk in talks}) == 1


def test_a_stand_in_sees_nothing_of_an_earlier_submission_which_counts_until_it_is_replaced():
    season, talks = worlds(BIDS)
    season = after(season, StoodIn("c1", "Eve"), at=HOUR)
    views = [redact(season, ANA, 2 * HOUR, talk) for talk in talks]
    assert all(view == views[0] for view in views)
    assert views[0]["submissions"][0]["status"] == "missing"
    sealed = after(season, OwnRoundSealed("m1"), at=HOUR)
    assert to_reveal(talks[1], sealed.own_match, "c1") == {"c1": {"bid": 2, "why": ""}}


@pytest.mark.parametrize(
    "first",
    [
        replace(VOTE, hosts_see="values"),
        replace(VOTE, fields=(SubmissionField("pick", kind="contestant"),), score="count(pick == me)"),
    ],
)
def test_undoing_does_not_change_the_form_with_which_a_match_was_opened(first):
    """Contestants submit because of what the form says, and hosts could bring back an earlier one."""
    season = begun(first, VOTE, EpisodeOpened())
    declared = len(season.log) - 1
    opened = after(season, OwnMatchOpened("Vote"))
    with pytest.raises(NotPossible, match="has been opened with this"):
        after(opened, Revoked(declared))
    assert after(opened, Revoked(declared - 1)).own_match.form == opened.own_match.form
    closed = after(opened, Revoked(len(opened.log)))
    assert after(closed, Revoked(declared)).own_forms["Vote"].fields == first.fields


def test_no_submission_can_change_after_others_have_been_revealed():
    opened = begun(VOTE, EpisodeOpened(), OwnMatchOpened("Vote"))
    talk, season = submitted(opened, ("c1", {"vote": "c2"})), after(opened, OwnRoundSealed("m1"))
    seal = season.log[-1].number
    assert not after(season, Revoked(seal)).own_match.round.sealed, "Nothing has been revealed."
    season = revealed(season, talk, "c1")
    season = after(season, Revoked(season.log[-1].number))
    with pytest.raises(NotPossible, match=r"have been revealed\. They can no longer change"):
        after(season, Revoked(seal))


def test_undoing_does_not_change_the_format_of_an_episode_that_was_opened():
    first, later = FormatSet("Trio", tokens=3), FormatSet("Trio", tokens=2, tie="lot")
    season = begun(first, later, EpisodeOpened(format="Trio"))
    with pytest.raises(NotPossible, match="has been opened with this"):
        after(season, Revoked(len(season.log) - 1))
    assert after(season, Revoked(len(season.log) - 2)).episode.format.tie == "lot"
    assert after(after(season, Revoked(len(season.log))), Revoked(len(season.log) - 1)).formats["Trio"].tokens == 3


def test_forms_that_are_not_opened_are_for_hosts_alone():
    plain, more = begun(EpisodeOpened()), begun(VOTE, BIDS, EpisodeOpened())
    for viewer in (ANA, ANYBODY):
        assert redact(plain, viewer, 0) == redact(more, viewer, 0)
    assert [one["name"] for one in redact(more, HOST, 0)["own_forms"]] == ["Vote", "Lowest unique bid"]


def test_viewers_of_closed_episodes_see_nothing_of_an_open_match():
    settings = {"title": "Code Red", "audience": "phase"}
    season = begun(VOTE, EpisodeOpened())
    hidden = after(season, SettingsChanged(**settings))
    opened = after(hidden, OwnMatchOpened("Vote"))
    whole = voted(opened, "c2", "c3", None, None)
    assert redact(hidden, ANYBODY, 9 * HOUR) == redact(opened, ANYBODY, 9 * HOUR) == redact(whole, ANYBODY, 9 * HOUR)
    assert "submitted" in PRIVATE_KINDS
    assert "submitted" not in KINDS
