"""Sentences of a season's story about matches of the host's own, votes among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pyramidion.seasons.sentences import MOST_NAMES, Names, Sentence, View, listed_names
from pyramidion.translation import _, ngettext


def own_match_headline(view: View, episode: View, names: Names) -> Sentence | None:
    """Return the headline of an episode whose latest news is a match of the host's own, None for another one."""
    match = next(iter(_matches(view, episode)), None)
    if match is None:
        return None
    form, vote = match["form"]["name"], match["vote"] is not None
    if match["playing"]:
        latest = match["rounds"][-1]
        closed = _("{match}: the voting is closed.") if vote else _("{match}: the submissions are sealed.")
        revealed = _("{match}: the votes are revealed.") if vote else _("{match}: the submissions are revealed.")
        revealing = (
            _("{match}: the hosts are revealing the votes.")
            if vote
            else _("{match}: the hosts are revealing the submissions.")
        )
        if not latest["sealed"]:
            people = [who["id"] for who in view["cast"] if not who["bot"] and who["id"] in match["cast"]]
            return Sentence("submitting", (), _submitting(match, len(people or match["cast"])))
        if not latest["revealed"]:
            return Sentence("sealed", (), closed.format(match=form))
        if len(latest["revealed"]) < len(match["cast"]):
            return Sentence("revealing", (), revealing.format(match=form))
        return Sentence("revealing", (), revealed.format(match=form))
    candidate, votes = episode["candidate"], _votes(match)
    if candidate is None and match["over"] and not episode["closed"]:
        if votes:  # who got the most is the news
            return _vote(episode, match, names)[0]
        return Sentence("counted", (), _("The vote is over.") if vote else _("{match} is over.").format(match=form))
    if (
        candidate is None
        or episode["second"] is not None
        or not votes[candidate]
        or votes[candidate] < max(votes.values())
    ):
        return None
    words = {"name": names(candidate), "count": votes[candidate], "total": votes.total()}
    others = {who: values for who, values in match["rounds"][-1]["revealed"].items() if who != candidate}
    if len(others) > 1 and all(values and values[match["vote"]] == candidate for values in others.values()):
        text = _("Everybody else voted for {name}, who is the elimination candidate.")
        return Sentence("voted-by-all", (candidate,), text.format(**words))
    text = ngettext(
        "{name} got {count} of {total} votes and is the elimination candidate.",
        "{name} got {count} of {total} votes and is the elimination candidate.",
        votes[candidate],
    )
    return Sentence("voted", (candidate,), text.format(**words))


def _submitting(match: View, count: int) -> str:
    """Return the sentence that `count` contestants submit in a match."""
    if match["vote"] is not None:
        return ngettext("{count} contestant votes.", "{count} contestants vote.", count).format(count=count)
    text = ngettext(
        "{match}: {count} contestant submits in secret.", "{match}: {count} contestants submit in secret.", count
    )
    return text.format(match=match["form"]["name"], count=count)


def stakes(match: View) -> list[Sentence]:
    """Return the sentences that say what the scores or the votes of a match decide."""
    form, vote, duel = match["form"], match["vote"] is not None, match["part"] == "duel"
    who = {
        "highest": _("The contestant with the most votes") if vote else _("The contestant with the highest score"),
        "lowest": _("The contestant with the fewest votes") if vote else _("The contestant with the lowest score"),
    }
    what = {"wins": _("{who} wins."), "loses": _("{who} becomes the elimination candidate.")}
    if duel:
        what = {"wins": _("{who} wins the death match."), "loses": _("{who} loses the death match.")}
    return [
        Sentence("stakes", (), what[form[end]].format(who=contestant))
        for end, contestant in who.items()
        if form["score"] and form[end] in what
    ]


def own_match_sentences(view: View, episode: View, names: Names) -> list[Sentence]:
    """Return the sentences about the matches of the host's own in an episode: what they decide, or have decided."""
    sentences: list[Sentence] = []
    bots = {contestant["id"] for contestant in view["cast"] if contestant["bot"]}
    for match in reversed(_matches(view, episode)):
        if match["playing"]:
            sentences += stakes(match)
        if match["over"]:
            sentences += _vote(episode, match, names) if _votes(match) else _best(match, names)
            asked = [who for who in match["cast"] if who not in bots]
            sentences += _missing(match, asked, names)
    return sentences


def _matches(view: View, episode: View) -> list[View]:
    """Return the matches of the host's own in an episode, the latest first."""
    return [match for match in reversed(view["own_matches"]) if match["episode"] == episode["number"]]


def _votes(match: View) -> Counter[str]:
    """Return how many votes each contestant got, none for a match that is no vote."""
    name = match["vote"]
    if name is None:
        return Counter()
    return Counter(values[name] for played in match["rounds"] for values in played["revealed"].values() if values)


def _vote(episode: View, match: View, names: Names) -> list[Sentence]:
    """Return the sentences about a vote: how close it was, and what decided a tie."""
    votes, candidate = _votes(match), episode["candidate"]
    most = max(votes.values())
    first = tuple(who for who in match["scored"] if votes[who] == most)
    if (tie := own_match_tie(episode, match, names, with_choice=True)) is not None:
        return [tie]
    sentences: list[Sentence] = []
    if first != (candidate,) or episode["opponent"] is not None or episode["loser"] is not None:
        text = ngettext("{name} got {count} of {total} votes.", "{name} got {count} of {total} votes.", most)
        words = {"name": names(next(iter(first))), "count": most, "total": votes.total()}
        sentences.append(Sentence("most-votes", first, text.format(**words)))
    close = tuple(who for who in match["scored"] if votes[who] == most - 1 > 0)
    if close:
        text = ngettext("{names} got only one vote fewer.", "{names} each got only one vote fewer.", len(close)).format(
            names=listed_names(close, names)
        )
        sentences.append(Sentence("close-vote", close, text))
    return sentences


def own_match_tie(episode: View, match: View, names: Names, *, with_choice: bool = False) -> Sentence | None:
    """Return the sentence about a tie in a match that is over, with who or what decides it; None without a tie.

    Only `with_choice` it says whom priority has chosen. Outside votes, only ties that hosts decide are told.
    """
    votes = _votes(match) if match["over"] else Counter[str]()
    if votes:
        most = max(votes.values())
        tied = tuple(who for who in match["scored"] if votes[who] == most)
        text = ngettext("{names} got {count} vote each.", "{names} got {count} votes each.", most)
    else:
        tied = tuple(dict.fromkeys(who for tie in match["ties"] for who in tie["who"]))
        most, text = 0, _("A tie between {names}.")
    if len(tied) < 2:
        return None
    rule = match["form"]["tie"] if not match["ties"] else "hosts"
    decision = _decided(episode, match, rule)
    if rule == "priority":
        decision = _by_priority(match, tied, names) if with_choice else _("Priority decided the tie.")
    words = text.format(names=listed_names(tied, names), count=most)
    return Sentence(
        "vote-tied" if votes else "own-match-tied", tied, _("{first} {second}").format(first=words, second=decision)
    )


def _decided(episode: View, match: View, rule: str) -> str:
    """Return the sentence that a lot or the hosts decided a tie in a match, or that the hosts are to decide it."""
    if rule == "lot":
        return _("A lot decided the tie.")
    over = episode["main_over"] if match["part"] == "main" else episode["loser"] is not None
    return _("The hosts decided the tie.") if over else _("The hosts decide the tie.")


def _by_priority(match: View, tied: Sequence[str], names: Names) -> str:
    """Return the sentence that priority decided a tie between contestants, and whose, if it was that of one."""
    outcome = match["form"]["highest"]
    chosen = [who for who in match["losers" if outcome == "loses" else "winners"] or () if who in tied]
    if len(chosen) != 1:
        return _("Priority decided the tie.")
    if outcome == "loses":
        return _("Priority decided the tie: {name} had the lowest.").format(name=names(chosen[0]))
    return _("Priority decided the tie: {name} had the highest.").format(name=names(chosen[0]))


def _best(match: View, names: Names) -> list[Sentence]:
    """Return the sentence about the contestants with the best score, if the scores decided who wins."""
    winners, totals = tuple(match["winners"] or ()), match["totals"]
    scores = {totals[who] for who in winners if who in totals}
    if len(winners) != 1 or len(scores) != 1 or None in scores:
        return []
    text = _("{name} had the best score in {match}: {score}.")
    words = {"name": names(winners[0]), "match": match["form"]["name"], "score": f"{scores.pop():g}"}
    return [Sentence("best-score", winners, text.format(**words))]


def _missing(match: View, asked: Sequence[str], names: Names) -> list[Sentence]:
    """Return the sentence about those who have submitted nothing in a round, of the contestants who could."""
    late = tuple(who for who in asked if any(played["revealed"].get(who, True) is None for played in match["rounds"]))
    if not late:
        return []
    vote = match["vote"] is not None
    if len(late) == len(asked):
        text = _("Nobody voted.") if vote else _("Nobody submitted anything.")
        if vote and match["losers"] and match["form"]["tie"] == "priority" and not match["ties"]:
            text = _("{first} {second}").format(first=text, second=_by_priority(match, late, names))
        return [Sentence("missing", late, text)]
    if len(late) > MOST_NAMES:
        text = ngettext("{count} contestant submitted nothing.", "{count} contestants submitted nothing.", len(late))
        if vote:
            text = ngettext("{count} contestant did not vote.", "{count} contestants did not vote.", len(late))
        return [Sentence("missing", late, text.format(count=len(late)))]
    text = ngettext("{names} submitted nothing.", "{names} submitted nothing.", len(late))
    if vote:
        text = ngettext("{names} did not vote.", "{names} did not vote.", len(late))
    return [Sentence("missing", late, text.format(names=listed_names(late, names)))]
