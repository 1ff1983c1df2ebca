"""What people do in a season, as values: forms and JSON bodies are parsed into them, `execute` carries them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyramidion.event_log import NotPossible
from pyramidion.seasons.conversations import ConversationEvent
from pyramidion.seasons.events import EpisodeOpened, Event, PhaseSet
from pyramidion.seasons.schedule import laid_out, read_lengths
from pyramidion.seasons.template import Template
from pyramidion.web.competitions.request_keys import RequestKey
from pyramidion.web.errors import NotPossibleNow
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.features.seasons.service import Seasons


@dataclass(frozen=True, slots=True)
class AddEvent:
    """Add an event to the season's log."""

    event: Event
    reason: str
    key: RequestKey | None


@dataclass(frozen=True, slots=True)
class TakeStep:
    """Take the step that has been seen to be next; `opening` is the episode, for the step that opens one."""

    step: str
    opening: EpisodeOpened


@dataclass(frozen=True, slots=True)
class LayOutPhases:
    """Add phases one after the other: names and hours, or lines with both."""

    starts: int
    phases: str | Sequence[tuple[str, int]]
    skip_weekends: bool
    key: RequestKey | None


@dataclass(frozen=True, slots=True)
class PlanEpisodes:
    """Add the episodes of a template, which is given itself or by its id, to the plan."""

    template: Template | str
    key: RequestKey | None


@dataclass(frozen=True, slots=True)
class Converse:
    """Write to a contestant or an alliance, or form, extend or leave one."""

    event: ConversationEvent
    key: RequestKey | None


@dataclass(frozen=True, slots=True)
class RenewLink:
    """Replace somebody's personal link."""

    who: str


@dataclass(frozen=True, slots=True)
class SetWebhooks:
    """Store or remove the webhooks that are given, by their names."""

    urls: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ChooseFace:
    """Choose a drawn face for somebody, None for the usual one."""

    who: str
    face: str | None


Command = AddEvent | TakeStep | LayOutPhases | PlanEpisodes | Converse | RenewLink | SetWebhooks | ChooseFace


async def execute(command: Command, loaded: LoadedSeason, requester: SeasonRequester, seasons: Seasons) -> LoadedSeason:
    """Carry out a command; return the season afterwards. Raises Refused."""
    match command:
        case AddEvent(event, reason, key):
            return await seasons.do(loaded.id, requester, [event], reason, key)
        case TakeStep(step, opening):
            return await seasons.step(loaded.id, requester, step, opening)
        case LayOutPhases(key=key):
            return await seasons.do(loaded.id, requester, _laid_out(command, loaded), key=key)
        case PlanEpisodes(template, key):
            episodes = (await seasons.templates.resolve(template)).episodes
            return await seasons.do(loaded.id, requester, episodes, key=key)
        case Converse(event, key):
            return await seasons.say(loaded.id, requester, event, key)
        case RenewLink(who):
            return await seasons.renew(loaded.id, requester, who)
        case SetWebhooks(urls):
            await seasons.webhooks.keep(loaded, requester, urls)
        case ChooseFace(who, face):
            await seasons.portraits.choose(loaded, requester, who, face)
    return loaded


def _laid_out(command: LayOutPhases, loaded: LoadedSeason) -> list[PhaseSet]:
    """Return the events of phases laid out. Raises NotPossibleNow with a sentence."""
    phases, zone = command.phases, loaded.season.settings.zone
    try:
        lengths = read_lengths(phases) if isinstance(phases, str) else phases
        return laid_out(command.starts, lengths, zone, skip_weekends=command.skip_weekends)
    except NotPossible as error:
        raise NotPossibleNow(str(error)) from None
