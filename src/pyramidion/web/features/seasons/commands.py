"""What people do in a season, as values: forms and JSON bodies are parsed into them, `execute` carries them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pyramidion.event_log import NotPossible
from pyramidion.seasons.conversations import ConversationEvent
from pyramidion.seasons.events import EpisodeOpened, Event, Nudged, PhaseSet, PhasesPlanned, Revoked, Withdrawn
from pyramidion.seasons.events.undo import undoing
from pyramidion.seasons.schedule import laid_out, read_lengths
from pyramidion.seasons.submissions import Submitted
from pyramidion.seasons.template import Template
from pyramidion.translation import _
from pyramidion.web.competitions.request_keys import RequestKey
from pyramidion.web.errors import NotPossibleNow, Refused
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.features.seasons.saved_templates import NothingPlanned
from pyramidion.web.features.seasons.service import Seasons


@dataclass(frozen=True, slots=True)
class AddEvent:
    """Add an event to the season's log.

    `episode` is the number of the latest episode as the sender has seen it, None if that does not matter.
    """

    event: Event
    reason: str
    key: RequestKey | None
    episode: int | None = None


@dataclass(frozen=True, slots=True)
class TakeStep:
    """Take the season's next step, which must still be `step`; `opening` describes the episode if it opens one.

    With `bots`, bots play for contestants who have not opened their invitations.
    """

    step: str
    opening: EpisodeOpened
    bots: bool = False


@dataclass(frozen=True, slots=True)
class LayOutPhases:
    """Schedule phases one after the other: pairs of name and hours, or text with one phase per line.

    Without any, the phases that have been planned without dates get theirs.
    """

    starts: int
    phases: str | Sequence[tuple[str, int]]
    skip_weekends: bool
    key: RequestKey | None


@dataclass(frozen=True, slots=True)
class PlanEpisodes:
    """Add the episodes of a template, given as such or by its id, to the season's plan."""

    template: Template | str
    key: RequestKey | None


@dataclass(frozen=True, slots=True)
class Converse:
    """Write to a contestant or an alliance, or form, extend or leave an alliance."""

    event: ConversationEvent
    key: RequestKey | None


@dataclass(frozen=True, slots=True)
class RenewLink:
    """Replace the personal link of a contestant or host with a new one."""

    who: str


@dataclass(frozen=True, slots=True)
class NudgeAll:
    """Nudge several contestants at once."""

    contestants: Sequence[str]


@dataclass(frozen=True, slots=True)
class GiveSeat:
    """Give a contestant, such as a stand-in, their seat at a running table that somebody else has."""

    who: str


@dataclass(frozen=True, slots=True)
class SetWebhooks:
    """Store the webhooks given as URLs by name; an empty URL removes one, and others stay as they are."""

    urls: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ChooseFace:
    """Choose a drawn face as the portrait of a contestant or host; None restores the usual face."""

    who: str
    face: str | None


@dataclass(frozen=True, slots=True)
class Submit:
    """Save or confirm the requester's submission to a match of the host's own."""

    event: Submitted
    key: RequestKey | None


@dataclass(frozen=True, slots=True)
class Reveal:
    """Reveal the submission of a contestant to a match of the host's own, or all that are left for None."""

    match: str
    contestant: str | None


Command = (
    Submit
    | Reveal
    | AddEvent
    | TakeStep
    | LayOutPhases
    | PlanEpisodes
    | Converse
    | RenewLink
    | GiveSeat
    | NudgeAll
    | SetWebhooks
    | ChooseFace
)


async def execute(command: Command, loaded: LoadedSeason, requester: SeasonRequester, seasons: Seasons) -> LoadedSeason:
    """Carry out a requester's command in a season and return the season afterwards. Raises Refused."""
    match command:
        case AddEvent(event, reason, key, episode):
            events = undoing(loaded.season, event) if isinstance(event, Revoked) else [event]
            after = await seasons.do(loaded.id, requester, events, reason, key, episode)
            if isinstance(event, Withdrawn) and event.bot is not None:
                with suppress(Refused):  # the host of another table gives the seat
                    await seasons.seats.give(after, requester, event.contestant)
            return after
        case TakeStep(step, opening, with_bots):
            return await seasons.step(loaded.id, requester, step, opening, bots=with_bots)
        case LayOutPhases(key=key):
            return await seasons.do(loaded.id, requester, _laid_out(command, loaded), key=key)
        case PlanEpisodes(template, key):
            episodes = (await seasons.templates.resolve(template)).episodes
            if not episodes:
                raise NothingPlanned(_("This template has no episodes to plan."))
            return await seasons.do(loaded.id, requester, episodes, key=key)
        case Converse(event, key):
            return await seasons.say(loaded.id, requester, event, key)
        case Submit(event, key):
            return await seasons.submissions.submit(loaded.id, requester, event, key)
        case Reveal(match_id, contestant):
            return await seasons.submissions.reveal(loaded.id, requester, match_id, contestant)
        case RenewLink(who):
            return await seasons.renew(loaded.id, requester, who)
        case NudgeAll(contestants):
            return await seasons.do(loaded.id, requester, [Nudged(who) for who in contestants])
        case GiveSeat(who):
            await seasons.seats.give(loaded, requester, who)
        case SetWebhooks(urls):
            await seasons.webhooks.keep(loaded, requester, urls)
        case ChooseFace(who, face):
            await seasons.portraits.choose(loaded, requester, who, face)
    return loaded


def _laid_out(command: LayOutPhases, loaded: LoadedSeason) -> Sequence[PhaseSet | PhasesPlanned]:
    """Return the events that schedule the phases of a command, or without any those planned without dates.

    Raises NotPossibleNow with a sentence.
    """
    phases, zone = command.phases, loaded.season.settings.zone
    try:
        if not phases and loaded.season.undated:
            dated = [PhaseSet(span.name, *span.dated(command.starts, zone)) for span in loaded.season.undated]
            return [*dated, PhasesPlanned()]
        lengths = read_lengths(phases) if isinstance(phases, str) else phases
        return laid_out(command.starts, lengths, zone, skip_weekends=command.skip_weekends)
    except NotPossible as error:
        raise NotPossibleNow(str(error)) from None
