"""Events of the schedule: phases at dates and times, and more time for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from pyramidion.event_log import Entry, NotPossible, check_times
from pyramidion.local_time import later
from pyramidion.names import OptionalText, Title
from pyramidion.seasons.season import Holiday, Phase, Season, Wish
from pyramidion.seasons.spans import LONGEST, Span
from pyramidion.translation import _

MOST_PHASES = 200
MOST_HOURS = 14 * 24


@dataclass(frozen=True, slots=True)
class PhaseSet:
    """A host adds a phase to the schedule, or changes the one with the id `phase`.

    Times are milliseconds since 1970. `reminder` is that of `Phase`.
    """

    name: Title
    starts: int
    ends: int
    phase: str | None = None
    reminder: int | None = None
    kind: Literal["phase-set"] = "phase-set"

    def apply(self, season: Season, entry: Entry) -> None:
        """Put the phase in the schedule."""
        check_times(self.starts, self.ends)
        if not 0 < self.ends - self.starts <= LONGEST:
            raise NotPossible(_("A phase ends after it starts, and within 400 days."))
        if self.reminder is not None and not 1 <= self.reminder <= MOST_HOURS:
            raise NotPossible(_("A reminder is sent 1 to {limit} hours before the end.").format(limit=MOST_HOURS))
        if self.phase is None and len(season.phases) >= MOST_PHASES:
            raise NotPossible(_("A schedule has up to {limit} phases.").format(limit=MOST_PHASES))
        phase = (self.phase and _phase(season, self.phase).id) or f"p{season.made[self.kind]}"
        season.phases[phase] = Phase(phase, self.name, self.starts, self.ends, self.reminder)
        _move_deadline(season)


@dataclass(frozen=True, slots=True)
class PhasesPlanned:
    """A host plans phases without dates, in place of those planned before; none clears the plan."""

    phases: tuple[Span, ...] = ()
    kind: Literal["phases-planned"] = "phases-planned"

    def apply(self, season: Season, entry: Entry) -> None:
        """Keep the phases until they get their dates."""
        if len(self.phases) > MOST_PHASES:
            raise NotPossible(_("A schedule has up to {limit} phases.").format(limit=MOST_PHASES))
        for span in self.phases:
            span.check()
        season.undated = self.phases


@dataclass(frozen=True, slots=True)
class PhaseRemoved:
    """A host removes a phase from the schedule."""

    phase: str
    kind: Literal["phase-removed"] = "phase-removed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Remove the phase, and the requests for more time in it."""
        del season.phases[_phase(season, self.phase).id]
        season.wishes = [wish for wish in season.wishes if wish.phase != self.phase]
        _move_deadline(season)


@dataclass(frozen=True, slots=True)
class PhaseExtended:
    """A host gives a phase more hours; phases that start after it move by as much.

    Whole days keep the time of day. Submissions that are open during the phase, with a deadline of their own before its
    end, stay open as many hours longer: who asked for time gets it. Where late submissions wait for a phase that is
    over, its hours count from now on.
    """

    phase: str
    hours: int
    kind: Literal["phase-extended"] = "phase-extended"

    def apply(self, season: Season, entry: Entry) -> None:
        """Move the end of the phase, and the phases after it."""
        phase, extension = _phase(season, self.phase), timedelta(hours=_hours(self.hours))

        def moved(at: int) -> int:
            """Return a time, in milliseconds since 1970, moved by the extension."""
            after = later(at, extension, season.settings.zone)
            check_times(after)
            return after

        for other in list(season.phases.values()):
            if other.starts >= phase.ends:
                starts = moved(other.starts)
                # A phase within the hour that comes twice would end as it starts.
                ends = max(moved(other.ends), starts + 1)
                season.phases[other.id] = replace(other, starts=starts, ends=ends)
        match = season.own_match
        if match is not None and not match.round.sealed and match.round.phase is None:
            deadline = match.round.deadline
            if deadline is not None and phase.starts <= entry.at and deadline <= phase.ends:
                match.round.move(moved(max(deadline, entry.at)))
        late = season.takes_requests(phase.id, entry.at)
        season.phases[phase.id] = replace(phase, ends=moved(max(phase.ends, entry.at) if late else phase.ends))
        season.wishes = [wish for wish in season.wishes if wish.phase != phase.id]
        _move_deadline(season)


@dataclass(frozen=True, slots=True)
class HolidaysSet:
    """A host says on which days nothing should end, one line each, such as `2026-12-24 to 2026-12-26, Christmas`."""

    days: OptionalText = ""
    kind: Literal["holidays-set"] = "holidays-set"

    def apply(self, season: Season, entry: Entry) -> None:
        """Replace the holidays."""
        season.holidays = tuple(_holiday(line) for line in map(str.strip, self.days.splitlines()) if line)


@dataclass(frozen=True, slots=True)
class ExtensionAsked:
    """A contestant asks for more hours in a phase."""

    contestant: str
    phase: str
    hours: int
    kind: Literal["extension-asked"] = "extension-asked"

    def apply(self, season: Season, entry: Entry) -> None:
        """Keep the request for the hosts; a later one for the same phase replaces it."""
        who, phase = season.contestant(self.contestant).id, _phase(season, self.phase).id
        if not season.takes_requests(phase, entry.at):
            raise NotPossible(_("This phase is over."))
        season.wishes = [wish for wish in season.wishes if (wish.by, wish.phase) != (who, phase)]
        season.wishes.append(Wish(entry.at, who, phase, _hours(self.hours)))


@dataclass(frozen=True, slots=True)
class ExtensionDeclined:
    """A host declines a contestant's request for more hours, perhaps with a reason."""

    contestant: str
    phase: str
    kind: Literal["extension-declined"] = "extension-declined"

    def apply(self, season: Season, entry: Entry) -> None:
        """Answer the request; the contestant can ask again."""
        asked = (self.contestant, self.phase)
        for nth, wish in enumerate(season.wishes):
            if (wish.by, wish.phase) == asked and wish.declined is None:
                season.wishes[nth] = replace(wish, declined=entry.reason.strip())
                return
        raise NotPossible(_("There is no such request."))


def _move_deadline(season: Season) -> None:
    """Let the open round of submissions end with its phase; its deadline stays if the phase has been removed."""
    match = season.own_match
    if match is None or match.round.sealed or match.round.phase is None:
        return
    phase = season.phases.get(match.round.phase)
    match.round.phase = phase.id if phase is not None else None
    match.round.move(phase.ends if phase is not None else match.round.deadline)


def _phase(season: Season, phase_id: str) -> Phase:
    """Return a phase by id. Raises NotPossible if there is none."""
    phase = season.phases.get(phase_id)
    if phase is None:
        raise NotPossible(_("There is no such phase."))
    return phase


def _holiday(line: str) -> Holiday:
    """Parse a line such as `2026-12-24 to 2026-12-26, Christmas`; the last day and the name may be missing.

    Raises NotPossible.
    """
    days, _comma, name = line.partition(",")
    first, _to, last = (part.strip() for part in days.partition(" to "))
    try:
        begin, end = date.fromisoformat(first), date.fromisoformat(last or first)
    except ValueError:
        begin, end = date.max, date.min
    if begin > end:
        message = _("Write each holiday as a date, or two, and a name: 2026-12-24 to 2026-12-26, Christmas")
        raise NotPossible(message)
    return Holiday(begin.isoformat(), end.isoformat(), name.strip())


def _hours(hours: int) -> int:
    """Return the hours of an extension. Raises NotPossible if they are too few or too many."""
    if not 1 <= hours <= MOST_HOURS:
        raise NotPossible(_("An extension is 1 to {limit} hours.").format(limit=MOST_HOURS))
    return hours
