"""Which notifications follow from what happens in a season. None says more than its recipient may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from pyramidion.event_log import HOUR, Entry
from pyramidion.seasons.conversations import Said, is_member, pair_id
from pyramidion.seasons.events import (
    Answered,
    Asked,
    Eliminated,
    ExtensionAsked,
    ExtensionDeclined,
    MatchOpened,
    Nudged,
    OpponentNamed,
    Posted,
    Revoked,
    SeasonEnded,
)
from pyramidion.seasons.own_match import OwnMatch
from pyramidion.seasons.season import Phase, Season
from pyramidion.seasons.sentences import Names, ending_sentence
from pyramidion.seasons.submissions import Submitted
from pyramidion.translation import _
from pyramidion.web.features.seasons.loaded import LoadedSeason
from pyramidion.web.features.seasons.store import Person, replaced_people
from pyramidion.web.features.seasons.webhook_reports import reports
from pyramidion.web.table.events import Notice

LONGEST_LEAD = 12 * HOUR
QUARTER_HOUR = 15 * 60_000


class NoticeCollector:
    """Collects in `notices` what people are to be notified of in a season; `people` are its people by id."""

    def __init__(self, season_id: str, season: Season, people: Mapping[str, Person]) -> None:
        self.season, self._people = season, people
        self._id, self.notices = season_id, list[Notice]()

    def tell(
        self,
        who: Iterable[str],
        kind: str,
        mark: str,
        text: Callable[[], str],
        due: int | None = None,
        until: int | None = None,
        link: str = "",
    ) -> None:
        """Add a notice for each of the people `who` that has opened the personal link.

        `mark` identifies the notice within the season. `text` returns its sentence in the recipient's language. The
        notice is due at `due` and pointless after `until`, both in milliseconds since 1970 (see `Notice`). `link` is
        the path of a contestant's page below the season's.
        """
        for recipient in who:
            person = self._people.get(recipient)
            if person is None or person.holder is None:
                continue
            title, below = self.season.settings.title, "/host" if recipient[0] == "h" else link
            path = f"/seasons/{self._id}{below}"
            self.notices.append(Notice(f"{self._id}.{mark}", person.holder, kind, title, text, path, due, until))

    def remind(self, phase: Phase, who: Iterable[str]) -> None:
        """Add reminders for these people that a phase ends soon."""

        def text() -> str:
            return _("{season}: {phase} ends soon.").format(season=self.season.settings.title, phase=phase.name)

        self.tell(who, "deadline", phase.id, text, reminded(phase), phase.ends)

    def withdraw(self, mark: str, holder: str = "") -> None:
        """Withdraw the notices with this mark, by default those to everybody, that have not been sent yet."""
        self.notices.append(Notice(f"{self._id}.{mark}", holder, "deadline", "", None, ""))

    def withdraw_submissions(self, who: str, match: str, number: int) -> None:
        """Withdraw what asks a person for a submission to the round `number` of a match."""
        person, mark = self._people.get(who), _round_mark(match, number)
        if person is not None and person.holder is not None:
            self.withdraw(mark, person.holder)
            self.withdraw(f"{mark}.deadline", person.holder)


def notices(loaded: LoadedSeason, after: Season) -> list[Notice]:
    """Return the notices about the log entries by which a season has grown from the loaded one to `after`."""
    before, title = loaded.season, after.settings.title
    collector = NoticeCollector(loaded.id, after, loaded.people)

    def say(pattern: Callable[[], str], who: Iterable[str], kind: str, mark: str, **words: str) -> None:
        """Tell these people the sentence of a pattern with the season's title and other words."""
        collector.tell(who, kind, mark, lambda: pattern().format(season=title, **words))

    new = after.log[len(before.log) :]
    for entry in new:
        event, mark, by = entry.event, str(entry.number), after.name(entry.by)
        match event:
            case MatchOpened() if len(persons := [who for who in event.cast if after.cast[who].bot is None]) == 1:
                # A table with several people tells them itself.
                say(lambda: _("{season}: your match has started."), persons, "started", mark)
            case OpponentNamed():
                challenger = after.name(before.namer("opponent") or entry.by)
                pattern_ = lambda: _("{season}: {name} names you as opponent in the death match.")  # noqa: E731
                say(pattern_, [event.opponent], "line", mark, name=challenger)
            case Posted():
                say(lambda: _("{season}: {name} has posted."), after.cast, "line", mark, name=by)
            case Asked():
                say(lambda: _("{season}: {name} has a question."), after.hosts, "line", mark, name=by)
            case ExtensionAsked():
                say(lambda: _("{season}: {name} asks for more time."), after.hosts, "line", mark, name=by)
            case ExtensionDeclined():
                pattern_ = lambda: _("{season}: your request for more time has been declined.")  # noqa: E731
                say(pattern_, [event.contestant], "line", mark)
            case Answered():
                asked = next(post for post in after.posts if post.number == event.question)
                who = list(after.cast) if event.to_all else [asked.by]
                say(lambda: _("{season}: {name} has answered a question."), who, "line", mark, name=by)
            case Nudged():
                say(lambda: _("{season}: the hosts are waiting for you."), [event.contestant], "turn", mark)
            case Eliminated():
                lost = after.name(event.contestant)
                say(lambda: _("{season}: {name} is eliminated."), after.cast, "over", mark, name=lost)
            case SeasonEnded(winners):
                collector.tell(after.cast, "over", mark, partial(_ending_text, title, winners, after.name))
            case Revoked():
                collector.withdraw(str(event.entry))
            case _event:
                pass
    if after.step != before.step and after.episode is not None:
        mark = str(after.log[-1].number)
        if after.step == "candidate":
            say(lambda: _("{season}: name an elimination candidate."), [after.namer("candidate") or ""], "turn", mark)
        if after.step == "opponent":
            by_winner = after.episode.format.opponent_by == "winner"
            pattern_ = lambda: (  # noqa: E731
                _("{season}: name the opponent in the death match.")
                if by_winner
                else _("{season}: name your opponent in the death match.")
            )
            say(pattern_, [after.namer("opponent") or ""], "turn", mark)
    _remind_of_submissions(collector, before, after)
    for phase in before.phases.keys() - after.phases.keys():
        collector.withdraw(phase)
    for phase in after.phases.values():
        if before.phases.get(phase.id) != phase:
            collector.remind(phase, after.remaining)
    # Reminders wait until they are due, when somebody may have left, or somebody else may have come.
    others = replaced_people(new)
    for match in after.own_matches.values():
        for who in {*others} & {*match.cast}:
            collector.withdraw_submissions(who, match.id, len(match.rounds))
    if others or before.remaining != after.remaining:
        for phase in after.phases.values():
            if reminded(phase) > after.log[-1].at:
                collector.withdraw(phase.id)
                collector.remind(phase, [who for who in after.remaining if who not in others])
    return [*collector.notices, *reports(loaded.id, before, after)]


def _ending_text(title: str, winners: Sequence[str], names: Names) -> str:
    """Return the notice that hosts have ended a season; `winners` are ids."""
    return _("{season}: {what}").format(season=title, what=ending_sentence(winners, names))


def _remind_of_submissions(collector: NoticeCollector, before: Season, after: Season) -> None:
    """Ask contestants for submissions, and remind them of the deadline; all alike, whatever they have submitted."""
    for match in after.own_matches.values():
        old, playing = before.own_matches.get(match.id), match is after.own_match
        rounds, mark = len(old.rounds) if old is not None else 0, _round_mark(match.id, len(match.rounds))
        if playing and len(match.rounds) > rounds:
            _ask_for_submissions(collector, match, match.cast)
        deadline = match.round.deadline if playing and not match.round.sealed else None
        same = old is not None and rounds == len(match.rounds) and not old.round.sealed
        if match.round.sealed and same:
            collector.withdraw(mark)
        if deadline != (old.round.deadline if old is not None and same else None):
            collector.withdraw(f"{mark}.deadline")
            _remind_of_deadline(collector, match, match.cast, deadline, after.log[-1].at)


def _ask_for_submissions(collector: NoticeCollector, match: OwnMatch, who: Iterable[str]) -> None:
    """Tell these people that a round waits for their submissions."""
    words = {"season": collector.season.settings.title, "match": match.form.name}
    mark, link = _round_mark(match.id, len(match.rounds)), f"/submit/{match.id}"
    pattern = lambda: _("{season}: {match} waits for your submission.")  # noqa: E731
    collector.tell(who, "turn", mark, partial(_filled, pattern, words), link=link)


def _remind_of_deadline(
    collector: NoticeCollector, match: OwnMatch, who: Iterable[str], deadline: int | None, now: int
) -> None:
    """Add reminders for these people of a round's deadline, if it has one."""
    if deadline is None:
        return
    words = {"season": collector.season.settings.title, "match": match.form.name}
    mark, link = f"{_round_mark(match.id, len(match.rounds))}.deadline", f"/submit/{match.id}"
    pattern = lambda: _("{season}: submissions to {match} close soon.")  # noqa: E731
    due = deadline - min((deadline - now) // 4, LONGEST_LEAD)
    collector.tell(who, "deadline", mark, partial(_filled, pattern, words), due, deadline, link)


def submission_reminders_over(loaded: LoadedSeason, who: str, event: Submitted) -> list[Notice]:
    """Return the notices that withdraw what would ask a contestant for a submission that is confirmed now."""
    collector = NoticeCollector(loaded.id, loaded.season, loaded.people)
    collector.withdraw_submissions(who, event.match, event.round)
    return collector.notices


def _round_mark(match: str, number: int) -> str:
    """Return the mark of the notices about a round of a match of the host's own."""
    return f"own.{match}.{number}"


def _filled(pattern: Callable[[], str], words: Mapping[str, str]) -> str:
    """Return the sentence of a pattern in the language of the moment."""
    return pattern().format(**words)


def reminded(phase: Phase) -> int:
    """Return when people are reminded of the end of a phase, in milliseconds since 1970."""
    if phase.reminder is not None:
        return phase.ends - phase.reminder * HOUR
    return phase.ends - min((phase.ends - phase.starts) // 4, LONGEST_LEAD)


def reminders(loaded: LoadedSeason, who: str, person: Person, now: int) -> list[Notice]:
    """Return the reminders for a person who has just taken a place: of phases, and of a submission that is due."""
    collector = NoticeCollector(loaded.id, loaded.season, {who: person})
    match = loaded.season.own_match
    if match is not None and who in match.cast and not match.closed(now):
        _ask_for_submissions(collector, match, [who])
        _remind_of_deadline(collector, match, [who], match.round.deadline, now)
    for phase in loaded.season.phases.values():
        if phase.ends > now and who in loaded.season.cast:
            collector.remind(phase, [who])
    return collector.notices


def conversation_notices(loaded: LoadedSeason, entry: Entry) -> list[Notice]:
    """Return the notices that tell readers of a message; all within a quarter of an hour are one notice."""
    season, conversations, event = loaded.season, loaded.conversations, entry.event
    if not isinstance(event, Said):
        return []
    alliance = conversations.alliances.get(event.to)
    readers = [event.to] if alliance is None else [who for who in alliance.members if is_member(season, alliance, who)]
    collector = NoticeCollector(loaded.id, season, loaded.people)
    words = {"season": season.settings.title, "name": season.name(entry.by)}
    to = event.to if alliance is not None else pair_id(entry.by, event.to)
    collector.tell(
        [who for who in readers if who != entry.by],
        "line",
        f"talk.{to}.{entry.at // QUARTER_HOUR}",
        lambda: _("{season}: {name} has written to you.").format(**words),
    )
    return collector.notices
