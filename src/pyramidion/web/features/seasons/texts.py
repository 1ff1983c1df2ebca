"""What pages call the steps, entries and roles of a season."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from pyramidion.translation import _, marked, ngettext

STEPS: dict[str, str] = {
    "cast": marked("Add at least two contestants."),
    "open": marked("The next episode can begin."),
    "main": marked("The main match can start."),
    "main-playing": marked("The main match is being played."),
    "own-match": marked("The contestants submit in secret."),
    "result": marked("The hosts enter tokens of life and the elimination candidate."),
    "candidate": marked("The winner of the main match names an elimination candidate."),
    "opponent": marked("The elimination candidate names an opponent."),
    "duel": marked("The death match can start."),
    "duel-playing": marked("The death match is being played."),
    "duel-result": marked("The hosts enter who lost the death match."),
    "elimination": marked("The loser of the death match is eliminated."),
    "close": marked("The episode can be closed."),
    "over": marked("The season is over."),
}
TO_HOSTS: dict[str, str] = {
    "result": marked("Enter the result of the main match."),
    "duel-result": marked("Enter who lost the death match."),
    "candidate": marked("Name the elimination candidate."),
    "opponent": marked("Name the opponent in the death match."),
}
"""The steps that wait for a host, as said to one."""
TO_OTHERS: dict[str, str] = {
    "open": marked("The next episode begins when the hosts start it."),
    "main": marked("The main match begins when the hosts start it."),
    "duel": marked("The death match begins when the hosts start it."),
    "elimination": marked("The death match is over. The hosts close the episode next."),
    "close": marked("The hosts close the episode next."),
}
"""The steps that only hosts can take, as said to contestants and viewers."""
FINALS: dict[str, str] = {
    "duel": marked("The final begins when the hosts start it."),
    "duel-playing": marked("The final is being played."),
    "duel-result": marked("The hosts enter who won the final."),
    "elimination": marked("The final is over. The hosts close the season next."),
}
"""The steps of a final, as said to contestants and viewers."""
KINDS: dict[str, str] = {
    "settings": marked("Settings"),
    "retitled": marked("New title"),
    "host-added": marked("Host added"),
    "host-removed": marked("Host removed"),
    "cast-added": marked("Contestant added"),
    "cast-changed": marked("Contestant changed"),
    "stood-in": marked("Stand-in"),
    "link-renewed": marked("New personal link"),
    "struck": marked("Strikes"),
    "nudged": marked("Nudge"),
    "noted": marked("Note"),
    "withdrawn": marked("Withdrawal"),
    "item-set": marked("Shop item"),
    "item-removed": marked("Shop item removed"),
    "bought": marked("Purchase"),
    "gave": marked("Gift"),
    "corrected": marked("Correction"),
    "ties-broken": marked("Tie broken by lot"),
    "episode-planned": marked("Episode planned"),
    "episode-renamed": marked("Episode renamed"),
    "plan-cleared": marked("Plan cleared"),
    "format-set": marked("Format of episodes"),
    "own-match-set": marked("Match of the host’s own"),
    "own-match-opened": marked("Submissions opened"),
    "own-round-opened": marked("Next round of submissions"),
    "own-deadline-set": marked("Deadline of submissions"),
    "own-round-sealed": marked("Submissions sealed"),
    "submissions-revealed": marked("Submissions revealed"),
    "candidate-named": marked("Candidate named"),
    "episode-opened": marked("Episode opened"),
    "match-opened": marked("Match started"),
    "result-taken": marked("Match result"),
    "result-entered": marked("Result entered"),
    "opponent-named": marked("Opponent named"),
    "duel-entered": marked("Death match entered"),
    "eliminated": marked("Elimination"),
    "episode-closed": marked("Episode closed"),
    "season-ended": marked("Season ended"),
    "posted": marked("Post"),
    "asked": marked("Question"),
    "answered": marked("Reply"),
    "confessed": marked("Confessional"),
    "phase-set": marked("Phase scheduled"),
    "phases-planned": marked("Phases planned"),
    "phase-removed": marked("Phase removed"),
    "holidays-set": marked("Holidays"),
    "phase-extended": marked("Phase extended"),
    "extension-asked": marked("More time requested"),
    "extension-declined": marked("Request for more time declined"),
    "revoked": marked("Undone"),
}
DUTIES: dict[str, str] = {
    "host": marked("Host"),
    "co-host": marked("Co-host"),
    "moderator": marked("Moderator"),
    "announcer": marked("Announcer"),
}
AUDIENCES: dict[str, str] = {
    "none": marked("no episodes"),
    "episode": marked("closed episodes"),
    "phase": marked("parts of an episode that are over"),
    "live": marked("all episodes, live"),
}
TALKS: dict[str, str] = {
    "none": marked("There are no conversations between contestants."),
    "private": marked("Only those who take part in a conversation read it."),
    "hosts": marked("The hosts read all conversations."),
    "published": marked("The hosts read all conversations, and everybody can read them when the season is over."),
}
PUBLISHED: dict[str, str] = {
    "never": marked("Only the hosts"),
    "episode": marked("Everybody, after the episode"),
    "season": marked("Everybody, after the season"),
}


PHASE_MOMENTS: dict[str, str] = {"starts": marked("{name} begins."), "ends": marked("{name} ends.")}


def read_by_viewers(view: Mapping[str, Any]) -> str:
    """Return the sentence that says when viewers read what a host posts now, from a host's view of a season."""
    settings, episodes = view["settings"], view["episodes"]
    number = len(episodes) + (not episodes or episodes[-1]["closed"])
    match settings["audience"]:
        case "none":
            return _("Contestants read it at once. Viewers do not: the season is not open to them.")
        case "episode" if episodes and view["step"] != "over":
            text = _("Contestants read it at once, viewers when episode {number} is closed.").format(number=number)
        case "phase" if episodes and view["step"] != "over":
            text = _("Contestants read it at once, viewers when the next part of episode {number} is over.")
            text = text.format(number=number)
        case _live if not settings["delay"]:
            return _("Everyone reads it at once.")
        case _live:
            text = _("Contestants read it at once, viewers later.")
    if not (hours := settings["delay"]):
        return text
    later = ngettext("The delay of {count} hour is added.", "The delay of {count} hours is added.", hours)
    return _("{first} {second}").format(first=text, second=later.format(count=hours))


def names_of(view: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of all people who are or were part of a season, by id, from a view of it."""
    return {person["id"]: person["name"] for person in (*view["cast"], *view["hosts"], *view["former_hosts"])}


def names_then(view: Mapping[str, Any]) -> Callable[[str, int], str | None]:
    """Return a function that tells what a person was called at a time, from a view of a season.

    It takes a person's id and milliseconds since 1970, and returns None if the person is not in the view.
    """
    names, former = names_of(view), view["former_players"]

    def name_then(who: str, at: int) -> str | None:
        return next(
            (player["name"] for player in former if player["id"] == who and at <= player["until"]), names.get(who)
        )

    return name_then


def coming_dates(view: Mapping[str, Any], now: int) -> tuple[tuple[int, str, str], ...]:
    """Return when phases of a season begin and end after `now` (milliseconds since 1970), from a view of it, in order.

    Each is the time, a marked sentence and the name of the phase; there are none once the season is over.
    """
    moments = [(phase[at], words, phase["name"]) for phase in view["schedule"] for at, words in PHASE_MOMENTS.items()]
    return () if view["step"] == "over" else tuple(sorted(moment for moment in moments if moment[0] > now))


def next_step(view: Mapping[str, Any], now: int) -> str:
    """Return the marked sentence that says what comes next in a season, from a view of it.

    `now` is milliseconds since 1970.
    """
    left = [contestant for contestant in view["cast"] if contestant["out"] is None]
    match view["step"]:
        case "cast" if view["role"] != "host":
            return marked("The cast is not complete yet.")
        case "cast" | "open" if view["role"] == "viewer" and view["settings"]["audience"] == "episode":
            return marked("Each episode appears here when it is over.")
        case step if step != "over" and view["role"] == "viewer" and view["settings"]["audience"] == "phase":
            return marked("Each part of an episode appears here when it is over.")
        case "result" | "duel-result" as step if view.get("runs"):
            return TO_HOSTS[step]
        case "open" if len(left) == 2:
            to_others = marked("The final begins when the hosts start it.")
            return marked("The final can begin.") if view["role"] == "host" else to_others
        case "open" if not view["episodes"]:
            to_others = marked("The first episode begins when the hosts start it.")
            return marked("The first episode can begin.") if view["role"] == "host" else to_others
        case step if step in FINALS and view["role"] != "host" and view["episodes"][-1]["final"]:
            return FINALS[step]
        case "own-match":
            match = view["own_matches"][-1]
            latest = match["rounds"][-1]
            if not latest["sealed"] and not match["submitters"]:
                return marked("Only bots take part in this match, and bots submit nothing.")
            vote = match["vote"] is not None
            if not latest["sealed"]:
                if view.get("runs") and _all_confirmed(view, match["submitters"]):
                    voted = marked("Everyone has voted. Close the vote.")
                    return voted if vote else marked("Everyone has confirmed. Seal the submissions.")
                if latest["deadline"] is not None and latest["deadline"] <= now:
                    return marked("The time to vote is over.") if vote else marked("The time to submit is over.")
                return marked("The contestants vote in secret.") if vote else STEPS["own-match"]
            if len(latest["revealed"]) == len(match["cast"]):
                return marked("The hosts open the next round of submissions.")
            if view.get("runs"):
                closed = marked("The voting is closed. Reveal the votes.")
                return closed if vote else marked("The submissions are sealed. Reveal them.")
            if vote:
                return marked("The voting is closed. The hosts reveal the votes.")
            return marked("The submissions are sealed. The hosts reveal them.")
        case "candidate" | "opponent" as step if not _named_by_a_person(view):
            if view.get("runs"):
                return TO_HOSTS[step]
            if step == "candidate":
                return marked("The hosts name the elimination candidate.")
            return marked("The hosts name the opponent in the death match.")
        case "opponent" if view["episodes"][-1]["format"]["opponent_by"] == "winner":
            return marked("The winner of the main match names the opponent in the death match.")
        case "elimination" if not view["episodes"][-1]["opponent"]:
            return marked("The elimination candidates leave without a death match.")
        case step:
            return STEPS[step] if view["role"] == "host" else TO_OTHERS.get(step, STEPS[step])


def _all_confirmed(view: Mapping[str, Any], submitters: Collection[str]) -> bool:
    """Return whether all of these contestants have confirmed their submissions, from a host's view of a season."""
    confirmed = {made["contestant"] for made in view["submissions"] if made["status"] == "confirmed"}
    return confirmed.issuperset(submitters)


def _named_by_a_person(view: Mapping[str, Any]) -> bool:
    """Return whether a contestant who plays names the candidate or opponent next; for a bot, hosts do."""
    namers = (who for who in view["cast"] if who["id"] == view["names_next"])
    return any(who["bot"] is None and who["withdrawal"] is None for who in namers)
