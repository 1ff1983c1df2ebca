"""What can happen in a season: each event checks whether it can and changes the state."""

from __future__ import annotations

from pyramidion.event_log import kinds_of
from pyramidion.seasons.events.balances import Bought, Corrected, Gave, ItemRemoved, ItemSet, TiesBroken
from pyramidion.seasons.events.episodes import (
    CandidateNamed,
    DuelEntered,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    EpisodePlanned,
    EpisodeRenamed,
    FormatSet,
    MatchOpened,
    OpponentNamed,
    PlanCleared,
    ResultEntered,
    ResultTaken,
    SeasonEnded,
)
from pyramidion.seasons.events.own_matches import (
    OwnDeadlineSet,
    OwnMatchOpened,
    OwnMatchSet,
    OwnRoundOpened,
    OwnRoundSealed,
    SubmissionsRevealed,
)
from pyramidion.seasons.events.people import (
    CastAdded,
    CastChanged,
    HostAdded,
    HostRemoved,
    LinkRenewed,
    Noted,
    Nudged,
    Retitled,
    SettingsChanged,
    StoodIn,
    Struck,
    Withdrawn,
)
from pyramidion.seasons.events.posts import Answered, Asked, Confessed, Posted
from pyramidion.seasons.events.schedule import (
    ExtensionAsked,
    ExtensionDeclined,
    HolidaysSet,
    PhaseExtended,
    PhaseRemoved,
    PhaseSet,
    PhasesPlanned,
)
from pyramidion.seasons.events.undo import Revoked

RequestedEvent = (
    SettingsChanged
    | HostAdded
    | HostRemoved
    | CastAdded
    | CastChanged
    | StoodIn
    | Struck
    | Nudged
    | Noted
    | Withdrawn
    | ItemSet
    | ItemRemoved
    | Bought
    | Gave
    | Corrected
    | FormatSet
    | OwnMatchSet
    | OwnMatchOpened
    | OwnRoundOpened
    | OwnDeadlineSet
    | OwnRoundSealed
    | EpisodePlanned
    | EpisodeRenamed
    | PlanCleared
    | EpisodeOpened
    | ResultEntered
    | CandidateNamed
    | OpponentNamed
    | DuelEntered
    | Eliminated
    | EpisodeClosed
    | SeasonEnded
    | Posted
    | Asked
    | Answered
    | Confessed
    | PhaseSet
    | PhasesPlanned
    | PhaseRemoved
    | PhaseExtended
    | HolidaysSet
    | ExtensionAsked
    | ExtensionDeclined
    | Revoked
)
"""What people bring about: hosts and contestants."""
Event = RequestedEvent | TiesBroken | MatchOpened | ResultTaken | SubmissionsRevealed | LinkRenewed | Retitled
"""What can happen; the last six are the server's own, or its operators'."""
KINDS: dict[str, type[Event]] = kinds_of(Event)
