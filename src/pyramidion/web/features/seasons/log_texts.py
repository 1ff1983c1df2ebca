"""The entries of a season's log as sentences for its hosts."""

from __future__ import annotations

from pyramidion.bots.labels import label
from pyramidion.event_log import Entry
from pyramidion.seasons.events import (
    Asked,
    Bought,
    CandidateNamed,
    CastAdded,
    CastChanged,
    Confessed,
    Corrected,
    DuelEntered,
    Eliminated,
    EpisodeOpened,
    EpisodeRenamed,
    ExtensionAsked,
    ExtensionDeclined,
    FormatSet,
    Gave,
    HostAdded,
    HostRemoved,
    ItemSet,
    LinkRenewed,
    MatchOpened,
    Noted,
    Nudged,
    OpponentNamed,
    OwnDeadlineSet,
    OwnMatchOpened,
    OwnMatchSet,
    OwnRoundOpened,
    OwnRoundSealed,
    PhaseExtended,
    PhaseRemoved,
    PhaseSet,
    PhasesPlanned,
    Posted,
    ResultEntered,
    ResultTaken,
    Revoked,
    SeasonEnded,
    StoodIn,
    Struck,
    SubmissionsRevealed,
    TiesBroken,
    Withdrawn,
)
from pyramidion.seasons.ledger import WORDS
from pyramidion.seasons.season import Season
from pyramidion.seasons.sentences import MOST_NAMES, Names, ending_sentence, listed_names
from pyramidion.translation import _, marked, ngettext
from pyramidion.web.features.seasons.texts import DUTIES

PLAIN: dict[str, str] = {
    "settings": marked("The settings were changed."),
    "item-removed": marked("An item was taken out of the shop."),
    "episode-planned": marked("An episode was planned."),
    "retitled": marked("The operators of this server gave the season another title."),
    "plan-cleared": marked("The plan of episodes was cleared."),
    "episode-closed": marked("The episode was closed."),
    "answered": marked("A question was answered."),
    "holidays-set": marked("The holidays were changed."),
}
"""The sentences about entries that name nobody and nothing, by kind."""


def entry_sentence(season: Season, entry: Entry, name: Names) -> str:
    """Return the sentence that tells a host of the season what an entry of its log did, without anybody's words."""
    event = entry.event
    if isinstance(event, Revoked):
        undone = season.log[event.entry - 1]
        return _("Undone: {what}").format(what=entry_sentence(season, undone, name))
    if event.kind in PLAIN:
        return _(PLAIN[event.kind])
    for part in (_people, _balances, _words_and_dates, _own_matches, _episodes):
        if (sentence := part(season, entry, name)) is not None:
            return sentence
    raise AssertionError(event.kind)  # every kind has a sentence: tests/web/test_log_texts.py


def _people(season: Season, entry: Entry, name: Names) -> str | None:
    """Return the sentence for an entry on hosts, contestants or links; None for another entry."""
    match entry.event:
        case HostAdded() as event:
            return _("{name} was added to the hosts ({role}).").format(name=event.name, role=_(DUTIES[event.role]))
        case HostRemoved(host):
            return _("{name} was removed from the hosts.").format(name=name(host))
        case CastAdded(called):
            return _("{name} was added to the cast.").format(name=called)
        case CastChanged(_who, called, bot):
            played = _("a bot ({level})").format(level=label(bot)) if bot else _("a person")
            return _("{name} is in the cast, played by {player}.").format(name=called, player=played)
        case StoodIn(who, called):
            return _("{name} stands in for {other}.").format(name=called, other=name(who))
        case LinkRenewed(who):
            return _("{name} got a new personal link.").format(name=name(who))
        case Struck(who, amount):
            text = ngettext("{name} got {count} strike.", "{name} got {count} strikes.", abs(amount))
            if amount < 0:
                text = ngettext("{name} lost {count} strike.", "{name} lost {count} strikes.", -amount)
            return text.format(name=name(who), count=abs(amount))
        case Nudged(who):
            return _("{name} was nudged.").format(name=name(who))
        case Noted(who):
            return _("The private note about {name} was changed.").format(name=name(who))
        case Withdrawn(who):
            return _("{name} withdrew.").format(name=name(who))
        case _event:
            return None


def _balances(season: Season, entry: Entry, name: Names) -> str | None:
    """Return the sentence for an entry on the shop, balances or strikes; None for another entry."""
    match entry.event:
        case ItemSet() as event:
            return _("{item} is in the shop.").format(item=event.name)
        case Bought(who, item) if item in season.items:
            return _("{name} bought {item}.").format(name=name(who), item=season.items[item].name)
        case Bought(who):
            return _("{name} bought an item that is no longer in the shop.").format(name=name(who))
        case Gave(who, to, amount):
            text = ngettext("{name} gave {other} {count} garnet.", "{name} gave {other} {count} garnets.", amount)
            return text.format(name=name(who), other=name(to), count=amount)
        case Corrected(who, currency, amount):
            text = _("{name}, {balance}: corrected by {amount}.")
            return text.format(name=name(who), balance=_(WORDS[currency]), amount=f"{amount:+d}")
        case TiesBroken(order):
            return _("A lot broke the ties in priority: {names}.").format(names=listed_names(order, name))
        case _event:
            return None


def _words_and_dates(season: Season, entry: Entry, name: Names) -> str | None:
    """Return the sentence for an entry on posts, questions, settings or phases; None for another entry."""
    match entry.event:
        case Posted() as event:
            return _("A ruling was posted.") if event.what == "ruling" else _("An announcement was posted.")
        case Asked(who):
            return _("{name} asked a question.").format(name=name(who))
        case Confessed(who):
            return _("{name} wrote a confessional.").format(name=name(who))
        case PhaseSet() as event:
            return _("The phase {phase} was scheduled.").format(phase=event.name)
        case PhasesPlanned(phases) if phases:
            text = ngettext(
                "{count} phase is planned, without a date yet.",
                "{count} phases are planned, without dates yet.",
                len(phases),
            )
            return text.format(count=len(phases))
        case PhasesPlanned() if count := _scheduled_with(season, entry):
            text = ngettext("{count} planned phase got its dates.", "{count} planned phases got their dates.", count)
            return text.format(count=count)
        case PhasesPlanned():
            return _("The phases without dates were removed.")
        case PhaseRemoved(phase):
            return _("The phase {phase} was removed.").format(phase=_phase(season, entry, phase))
        case PhaseExtended() as event:
            text = ngettext("{phase} ends {count} hour later.", "{phase} ends {count} hours later.", event.hours)
            return text.format(phase=_phase(season, entry, event.phase), count=event.hours)
        case ExtensionAsked() as event:
            text = ngettext("{name} asked for {count} more hour.", "{name} asked for {count} more hours.", event.hours)
            return text.format(name=name(event.contestant), count=event.hours)
        case ExtensionDeclined(who):
            return _("{name} was declined more time.").format(name=name(who))
        case _event:
            return None


def _own_matches(season: Season, entry: Entry, name: Names) -> str | None:
    """Return the sentence for an entry on a match that the host has declared; None for another entry."""
    match entry.event:
        case OwnMatchSet() as event:
            return _("{match} was declared.").format(match=event.name)
        case OwnMatchOpened(form):
            return _("{match} was opened for submissions.").format(match=form)
        case OwnRoundOpened(played):
            return _("The next round of {match} was opened.").format(match=_own(season, played))
        case OwnDeadlineSet(played):
            return _("The deadline of {match} was changed.").format(match=_own(season, played))
        case OwnRoundSealed(played):
            return _("The submissions to {match} were sealed.").format(match=_own(season, played))
        case SubmissionsRevealed(played, values):
            text = ngettext(
                "The submission of {names} to {match} was revealed.",
                "The submissions of {names} to {match} were revealed.",
                len(values),
            )
            if len(values) > MOST_NAMES:
                text = _("The submissions to {match} were revealed.")
            return text.format(names=listed_names(values, name), match=_own(season, played))
        case _event:
            return None


def _episodes(season: Season, entry: Entry, name: Names) -> str | None:
    """Return the sentence for an entry on episodes and their matches; None for another entry."""
    match entry.event:
        case FormatSet() as event:
            return _("The format {name} was saved.").format(name=event.name or _("Usual format"))
        case EpisodeOpened():
            return _("Episode {number} began.").format(number=_episode_number(season, entry))
        case EpisodeRenamed(number, title):
            text = _("Episode {number} is called {title}.") if title else _("Episode {number} has no title.")
            return text.format(number=number, title=title)
        case MatchOpened(_table, "main", players):
            return _("The main match started: {names}.").format(names=listed_names(players, name))
        case MatchOpened(_table, _part, players):
            return _("The death match started: {names}.").format(names=listed_names(players, name))
        case ResultTaken() as event:
            return _match_result(season, event, name)
        case ResultEntered(str(who), _tokens, str(other)):
            return _("{name} and {other} are the elimination candidates.").format(name=name(who), other=name(other))
        case ResultEntered(str(who)) | CandidateNamed(who):
            return _("{name} is the elimination candidate.").format(name=name(who))
        case ResultEntered(winner=str(who)):
            return _("{names} won the main match.").format(names=name(who))
        case ResultEntered():
            return _("The result of the main match was entered.")
        case OpponentNamed(who):
            return _("{name} is the opponent in the death match.").format(name=name(who))
        case DuelEntered(who):
            return _("{name} lost the death match.").format(name=name(who))
        case Eliminated(who):
            return _("{name} is eliminated.").format(name=name(who))
        case SeasonEnded(winners):
            return ending_sentence(winners, name)
        case _event:
            return None


def _match_result(season: Season, event: ResultTaken, name: Names) -> str:
    """Return the sentence for the result of a table."""
    parts = (
        entry.event.part
        for entry in season.log
        if isinstance(entry.event, MatchOpened) and entry.event.table == event.table
    )
    main = next(parts, "main") == "main"
    if not event.winners or (not main and len(event.winners) > 1):
        return _("The main match ended without a winner.") if main else _("The death match ended in a tie.")
    names = listed_names(event.winners, name)
    if main:
        text = ngettext("{names} won the main match.", "{names} won the main match.", len(event.winners))
        return text.format(names=names)
    return _("{names} won the death match.").format(names=names)


def _own(season: Season, match: str) -> str:
    """Return the name of a match of the season's own, in general words where its opening has been undone."""
    return season.own_matches[match].form.name if match in season.own_matches else _("a match of your own")


def _scheduled_with(season: Season, entry: Entry) -> int:
    """Return how many phases were scheduled together with an entry."""
    together = (logged.event for logged in season.log if (logged.at, logged.by) == (entry.at, entry.by))
    return sum(isinstance(event, PhaseSet) for event in together)


def _phase(season: Season, entry: Entry, phase: str) -> str:
    """Return the name that a phase had before an entry."""
    scheduled = [logged.event for logged in season.log[: entry.number - 1] if isinstance(logged.event, PhaseSet)]
    names = [event.name for nth, event in enumerate(scheduled, 1) if phase == (event.phase or f"p{nth}")]
    return names[-1] if names else ""


def _episode_number(season: Season, entry: Entry) -> int:
    """Return the number of the episode that an entry has opened."""
    before = season.log[: entry.number - 1]
    opened = (logged.number for logged in before if isinstance(logged.event, EpisodeOpened))
    return 1 + sum(number not in season.revoked for number in opened)
