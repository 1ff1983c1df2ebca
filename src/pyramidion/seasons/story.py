"""A season as a story: sentences about its episodes, made from what a viewer may know of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pyramidion.seasons.own_story import own_match_headline, own_match_sentences
from pyramidion.seasons.sentences import (
    MOST_NAMES,
    Moment,
    Names,
    Sentence,
    View,
    ending_sentence,
    listed_names,
)
from pyramidion.translation import _, ngettext

LONG_CLIMB = 2
MANY_CHALLENGES = 3


@dataclass(frozen=True, slots=True)
class Challenges:
    """Who challenged whom: `duels` to death matches as (candidate, opponent, episode), `fights` in main matches.

    `fights` has the number of challenges by pairs of ids, the challenger first.
    """

    duels: Sequence[tuple[str, str, int]]
    fights: Mapping[tuple[str, str], int]


def episode_story(view: View, number: int, moments: Sequence[Moment], names: Names) -> list[Sentence]:
    """Return the sentences about an episode, the headline first.

    `moments` are those of its main match, in order.
    """
    episode = view["episodes"][number - 1]
    headline = _headline(view, episode, moments, names)
    sentences = [headline, *(sentence for sentence in _drama(view, episode, moments, names) if sentence != headline)]
    sentences += [*_main_match(view, episode, moments, names), *_careers(view, episode, names)]
    return [*sentences, *_departures(view, episode, names), *_stand_ins(view, episode)]


def standing(view: View) -> str:
    """Return the sentence that says where a season stands: who has won, or how many contestants are left."""
    names = {contestant["id"]: contestant["name"] for contestant in view["cast"]}
    if view["step"] == "over":
        return ending_sentence(view["winners"], names.__getitem__)
    left, closed = _left(view), sum(episode["closed"] for episode in view["episodes"])
    if not closed and (view["episodes"] or view.get("under_way")):
        text = ngettext("{count} contestant is in the game.", "{count} contestants are in the game.", len(left))
        return text.format(count=len(left))
    if not closed:
        text = ngettext("{count} contestant begins.", "{count} contestants begin.", len(left))
        return text.format(count=len(left))
    text = ngettext(
        "After {count} episode, {left} of {total} contestants are left.",
        "After {count} episodes, {left} of {total} contestants are left.",
        closed,
    )
    return text.format(count=closed, left=len(left), total=len(names))


def challenges(view: View, moments: Iterable[Moment]) -> Challenges:
    """Return who challenged whom in a season, and in the main matches with these moments."""
    duels = [
        (episode["candidate"], episode["opponent"], episode["number"])
        for episode in view["episodes"]
        if episode["opponent"] and not episode["final"] and _challenged(episode)
    ]
    return Challenges(duels, Counter((moment.who, moment.other) for moment in moments if moment.kind == "challenged"))


def _left(view: View, after: int | None = None) -> list[str]:
    """Return the ids of the contestants who are left, now or after an episode."""
    return [
        contestant["id"]
        for contestant in view["cast"]
        if contestant["out"] is None or (after is not None and contestant["out"] > after)
    ]


def _headline(view: View, episode: View, moments: Sequence[Moment], names: Names) -> Sentence:
    """Return the sentence that tells most of an episode as far as it has come."""
    candidate, opponent, loser = episode["candidate"], episode["opponent"], episode["loser"]
    if opponent is not None and loser is not None:
        return _duel_over(episode, _fell(moments, candidate), names)
    pair = tuple(who for who in (candidate, opponent) if who is not None)
    words = {"name": names(candidate or ""), "other": names(opponent or "")}
    if episode["final"]:
        return Sentence("final", pair, _("{name} and {other} play the final.").format(**words))
    if opponent is not None:
        if _challenged(episode):
            return Sentence("challenged", pair, _("{name} has challenged {other} to the death match.").format(**words))
        if episode["winner"] is not None and episode["format"]["opponent_by"] == "winner":
            text = _("{winner} sent {name} and {other} to the death match.")
            return Sentence("sent", pair, text.format(winner=names(episode["winner"]), **words))
        return Sentence("duel", pair, _("{name} and {other} meet in the death match.").format(**words))
    if leaving := tuple(episode["leaving"]):
        text = ngettext("{names} leaves without a death match.", "{names} leave without a death match.", len(leaving))
        return Sentence("leaving", leaving, text.format(names=listed_names(leaving, names)))
    own = own_match_headline(view, episode, names)
    if own is not None:
        return own
    if candidate is not None:
        return _candidates(episode, _fell(moments, candidate), names)
    if episode["closed"]:
        return Sentence("nobody", (), _("Nobody leaves in this episode."))
    if any(table["winners"] is None for table in episode["tables"]):
        return Sentence("playing", (), _("The main match is being played."))
    return Sentence("begun", (), _("The episode has begun."))


def _challenged(episode: View) -> bool:
    """Return whether the candidate has named the opponent."""
    return episode["format"]["opponent_by"] == "candidate"


def _fell(moments: Sequence[Moment], who: str) -> int:
    """Return by how many layers a contestant fell in the last battle of the main match; negative for a climb."""
    last = [moment for moment in moments if moment.last and moment.who == who]
    return sum({"fell": moment.count, "climbed": -moment.count}.get(moment.kind, 0) for moment in last)


def _candidates(episode: View, fell: int, names: Names) -> Sentence:
    """Return the sentence about the elimination candidates."""
    candidate, second, winner = episode["candidate"], episode["second"], episode["winner"]
    words = {"name": names(candidate), "other": names(second or ""), "winner": names(winner or ""), "count": fell}
    if second is not None:
        text = _("{name} and {other} are the elimination candidates.")
        return Sentence("candidates", (candidate, second), text.format(**words))
    if winner is not None and episode["format"]["candidates_by"] == "winner":
        text = _("{winner} won and named {name} as the elimination candidate.")
        return Sentence("named", (winner, candidate), text.format(**words))
    if fell > 0:
        text = ngettext(
            "{name} fell {count} layer in the last battle and is the elimination candidate.",
            "{name} fell {count} layers in the last battle and is the elimination candidate.",
            fell,
        )
        return Sentence("fell", (candidate,), text.format(**words))
    return Sentence("candidate", (candidate,), _("{name} is the elimination candidate.").format(**words))


def _duel_over(episode: View, fell: int, names: Names) -> Sentence:
    """Return the sentence about a death match that is over, the final among them."""
    candidate, opponent, loser = episode["candidate"], episode["opponent"], episode["loser"]
    winner = opponent if loser == candidate else candidate
    if episode["final"]:
        text = _("{name} beat {other} in the final and won the season.")
        return Sentence("won", (winner, loser), text.format(name=names(winner), other=names(loser)))
    if fell <= 0 and not _challenged(episode):
        text = _("{name} lost to {other} in the death match.")
        return Sentence("lost", (loser, winner), text.format(name=names(loser), other=names(winner)))
    kind, text = _duel_pattern(fell, lost=loser == candidate)
    return Sentence(kind, (candidate, opponent), text.format(name=names(candidate), other=names(opponent), count=fell))


def _duel_pattern(fell: int, *, lost: bool) -> tuple[str, str]:
    """Return the kind and the pattern of the sentence about a death match.

    `fell` is by how many layers the candidate fell in the last battle, and `lost` whether the candidate lost.
    """
    if fell > 0 and lost:
        return "fell-and-lost", ngettext(
            "{name} fell {count} layer in the last battle and lost to {other} in the death match.",
            "{name} fell {count} layers in the last battle and lost to {other} in the death match.",
            fell,
        )
    if fell > 0:
        return "fell-and-won", ngettext(
            "{name} fell {count} layer in the last battle, but beat {other} in the death match.",
            "{name} fell {count} layers in the last battle, but beat {other} in the death match.",
            fell,
        )
    if lost:
        return "challenged-and-lost", _("{name} challenged {other} to the death match and lost.")
    return "challenged-and-won", _("{name} challenged {other} to the death match and won.")


def _drama(view: View, episode: View, moments: Sequence[Moment], names: Names) -> list[Sentence]:
    """Return the sentences about how an elimination candidate, a vote and the death match came about."""
    sentences = own_match_sentences(view, episode, names)
    candidate, opponent = episode["candidate"], episode["opponent"]
    fights = Counter((moment.who, moment.other) for moment in moments if moment.kind == "challenged")
    if opponent is not None and _challenged(episode) and (count := fights[opponent, candidate]):
        text = ngettext(
            "{other} had challenged {name} in the main match.",
            "{other} had challenged {name} {count} times in the main match.",
            count,
        )
        words = {"name": names(candidate), "other": names(opponent), "count": count}
        sentences.append(Sentence("revenge", (opponent, candidate), text.format(**words)))
    previous = view["episodes"][episode["number"] - 2] if episode["number"] > 1 else None
    if candidate is not None and not episode["final"] and previous is not None and previous["tokens"].get(candidate):
        text = _("One episode earlier {name} had won a token of life.").format(name=names(candidate))
        sentences.append(Sentence("fallen", (candidate,), text))
    tied = duel_tie(episode)
    sentences += [tied] if tied is not None else []
    sentences += [tie_broken(reason) for reason in episode["tie_reasons"].values()]
    return sentences


def duel_tie(episode: View) -> Sentence | None:
    """Return the sentence about a tie at the table of a death match that is decided, None without one."""
    tied = [table for table in episode["tables"] if table["part"] == "duel" and len(table["winners"] or ()) > 1]
    if not tied or episode["loser"] is None:
        return None
    text = {
        "lot": _("The death match ended in a tie, and a lot decided."),
        "hosts": _("The death match ended in a tie, and the hosts decided."),
    }.get(episode["format"]["tie"], _("The death match ended in a tie."))
    return Sentence("tied", tuple(tied[0]["cast"]), text)


def tie_broken(reason: str) -> Sentence:
    """Return the sentence that says why hosts have broken a tie as they did."""
    return Sentence("tie-broken", (), _("The hosts on the tie: {reason}").format(reason=reason))


def _main_match(view: View, episode: View, moments: Sequence[Moment], names: Names) -> list[Sentence]:
    """Return the sentences about the main match of an episode."""
    sentences: list[Sentence] = []
    tables = [table for table in episode["tables"] if table["part"] == "main" and table["winners"] is not None]
    tokens = tuple(episode["tokens"])
    winners = tuple(who for table in tables for who in table["winners"]) or _winner(episode)
    if winners and {*winners} != {*tokens}:
        text = ngettext("{names} won the main match.", "{names} won the main match.", len(winners))
        sentences.append(Sentence("main", winners, text.format(names=listed_names(winners, names))))
    if tokens:
        text = ngettext("{names} wins a token of life.", "{names} win tokens of life.", len(tokens))
        sentences.append(Sentence("tokens", tokens, text.format(names=listed_names(tokens, names))))
    climbs = Counter[str]()
    for moment in moments:
        if moment.kind != "challenged":
            climbs[moment.who] += moment.count if moment.kind == "climbed" else -moment.count
    for who, count in climbs.most_common(1):
        if count >= LONG_CLIMB:
            text = ngettext(
                "{name} climbed {count} layer in the main match.",
                "{name} climbed {count} layers in the main match.",
                count,
            )
            sentences.append(Sentence("climbed", (who,), text.format(name=names(who), count=count)))
    targets = Counter(moment.other for moment in moments if moment.kind == "challenged")
    most = max(targets.values(), default=0)
    if most >= MANY_CHALLENGES and [*targets.values()].count(most) == 1:
        who = next(who for who, count in targets.items() if count == most)
        text = ngettext(
            "{name} was challenged {count} time, more often than anybody else.",
            "{name} was challenged {count} times, more often than anybody else.",
            most,
        )
        sentences.append(Sentence("target", (who,), text.format(name=names(who), count=most)))
    return sentences


def _winner(episode: View) -> tuple[str, ...]:
    """Return the winner of a main match without tables, if there is one."""
    return (episode["winner"],) if episode["winner"] is not None and not episode["tables"] else ()


def _careers(view: View, episode: View, names: Names) -> list[Sentence]:
    """Return the sentences about what contestants have done in this episode and earlier ones."""
    sentences: list[Sentence] = []
    episodes = view["episodes"][: episode["number"]]
    streaks = {who: _streak(episodes, who) for who in episode["tokens"]}
    longest = max(streaks.values(), default=0)
    leaders = tuple(who for who, count in streaks.items() if count == longest)
    if longest > 1 and len(leaders) <= MOST_NAMES:
        text = ngettext(
            "{names} has won a token of life in {count} episodes in a row.",
            "{names} have won a token of life in {count} episodes in a row.",
            len(leaders),
        )
        sentence = text.format(names=listed_names(leaders, names), count=longest)
        sentences.append(Sentence("streak", leaders, sentence))
    candidate, loser = episode["candidate"], episode["loser"]
    times = sum(earlier["candidate"] == candidate and not earlier["final"] for earlier in episodes)
    if candidate is not None and not episode["final"] and times > 1:
        text = ngettext(
            "{name} has been the elimination candidate {count} time.",
            "{name} has been the elimination candidate {count} times.",
            times,
        )
        sentences.append(Sentence("again", (candidate,), text.format(name=names(candidate), count=times)))
    if loser is not None and episode["opponent"] is not None:
        winner: str = episode["opponent"] if loser == candidate else episode["candidate"]
        won = sum(
            earlier["loser"] is not None
            and earlier["loser"] != winner
            and winner in (earlier["candidate"], earlier["opponent"])
            for earlier in episodes
        )
        if won > 1:
            text = ngettext("{name} has won {count} death match.", "{name} has won {count} death matches.", won)
            sentences.append(Sentence("survivor", (winner,), text.format(name=names(winner), count=won)))
        if episode["final"]:
            sentences += _way_to_victory(episodes, winner, names)
    return sentences


def _way_to_victory(episodes: Sequence[View], winner: str, names: Names) -> list[Sentence]:
    """Return the sentences about the tokens of life and the candidacies of the winner of a season."""
    tokens = sum(episode["tokens"].get(winner, 0) for episode in episodes)
    candidacies = sum(winner in (episode["candidate"], episode["second"]) for episode in episodes[:-1])
    sentences: list[Sentence] = []
    if tokens:
        text = ngettext("{name} won {count} token of life.", "{name} won {count} tokens of life.", tokens)
        sentences.append(Sentence("won-tokens", (winner,), text.format(name=names(winner), count=tokens)))
    text = ngettext(
        "{name} was the elimination candidate {count} time.",
        "{name} was the elimination candidate {count} times.",
        candidacies,
    )
    if not candidacies:
        text = _("{name} was never the elimination candidate.")
    return [*sentences, Sentence("candidacies", (winner,), text.format(name=names(winner), count=candidacies))]


def _streak(episodes: Sequence[View], who: str) -> int:
    """Return in how many of the latest episodes in a row a contestant has won a token of life."""
    count = 0
    for episode in reversed(episodes):
        if not episode["tokens"].get(who):
            break
        count += 1
    return count


def _departures(view: View, episode: View, names: Names) -> list[Sentence]:
    """Return the sentences about who left in an episode, or after it without a death match."""
    sentences: list[Sentence] = []
    number, leaving = episode["number"], tuple(episode["leaving"])
    if episode["eliminated"] and not episode["final"] and leaving:
        gone = {*leaving, *_withdrew(view, number)}
        left = len([who for who in _left(view, number - 1) if who not in gone])
        out = ngettext("{names} is out.", "{names} are out.", len(leaving))
        out = out.format(names=listed_names(leaving, names))
        rest = ngettext("{count} contestant is left.", "{count} contestants are left.", left).format(count=left)
        sentences.append(Sentence("left", leaving, _("{first} {second}").format(first=out, second=rest)))
    for contestant in view["cast"]:
        who = contestant["id"]
        if who not in leaving and (contestant["out"] == number or who in _withdrew(view, number)):
            during = who in _withdrew(view, number)
            text = _("{name} withdrew during the episode.") if during else _("{name} withdrew after the episode.")
            sentences.append(Sentence("withdrew", (who,), text.format(name=names(who))))
    return sentences


def _withdrew(view: View, number: int) -> list[str]:
    """Return the ids of the contestants who have withdrawn during an episode."""
    withdrawals = [(contestant["id"], contestant["withdrawal"]) for contestant in view["cast"]]
    return [who for who, left in withdrawals if left is not None and left["during"] and left["episode"] == number]


def _stand_ins(view: View, episode: View) -> list[Sentence]:
    """Return the sentences about stand-ins who came since the episode before, or after the latest one."""
    number, episodes = episode["number"], view["episodes"]
    since = (episodes[number - 2]["ended"] or 0) if number > 1 else 0
    until = episode["ended"] if number < len(episodes) else None
    present = {contestant["id"]: contestant["name"] for contestant in view["cast"]}
    sentences: list[Sentence] = []
    for place, player in enumerate(view["former_players"]):
        who, at = player["id"], player["until"]
        later = [other["name"] for other in view["former_players"][place + 1 :] if other["id"] == who]
        if since < at and (until is None or at <= until):
            name = (*later, present.get(who, ""))[0]
            text = _("{name} took over from {other} as a stand-in.").format(name=name, other=player["name"])
            sentences.append(Sentence("stand-in", (who,), text))
    return sentences
