"""What programs send and get over the JSON API of seasons."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from pyramidion.seasons.cast_file import Planned
from pyramidion.seasons.conversations import ConversationEvent
from pyramidion.seasons.events import RequestedEvent
from pyramidion.seasons.season import Audience, ConversationAccess, Step, Visibility
from pyramidion.seasons.template import Template
from pyramidion.web.competitions.schemas import Exact, Keyed


class NewSeason(Exact):
    """A season to begin. The key works with your API token or cookie, by which the server knows you."""

    title: str
    host: str = Field(description="What you are called as its host.")
    about: str = ""
    garnets: Visibility = Field(default="own", description="Who sees garnets: everybody, each their own, or hosts.")
    priority: Visibility = Field(default="own", description="Who sees priority.")
    gifts: bool = False
    audience: Audience = Field(
        default="episode",
        description="What viewers see: nothing, closed episodes, the parts of an episode that are over, or everything.",
    )
    delay: int = Field(default=0, description="Hours after which viewers see it.")
    talk: ConversationAccess = Field(
        default="none", description="Conversations: none, private, read by hosts, or published after the season, too."
    )
    strikes: int = Field(default=0, description="How many missed decisions are allowed; 0 counts none.")
    zone: str = Field(default="UTC", description="The time zone of the schedule, by its IANA name.")
    template: Template | str | None = Field(
        default=None,
        description="A template to begin with, or the id of a saved one; it decides everything but the title.",
    )
    starts: int | None = Field(
        default=None, description="When the phases of the template start, milliseconds since 1970."
    )
    club: str | None = Field(default=None, description="The club that is its home, by its id, if you are an officer.")


class SeasonOut(BaseModel):
    """A season as you may know it. Columns that are hidden from you are null."""

    id: str
    title: str
    about: str
    settings: dict[str, Any]
    role: str = Field(description="host, contestant or viewer.")
    you: str | None = Field(description="Your id in the season.")
    step: str = Field(description="What comes next.")
    winners: list[str] = Field(
        description="The ids of those who have won the season; empty before its end, or for nobody."
    )
    ending: str = Field(description="What the hosts say about the end of the season; empty for nothing.")
    cast: list[dict[str, Any]] = Field(
        description="Contestants with their balances; `out` is the episode they left in."
    )
    episodes: list[dict[str, Any]]
    under_way: dict[str, Any] | None = Field(
        default=None,
        description="For viewers who see an episode later: its number, its part, and when submissions end or ended.",
    )
    posts: list[dict[str, Any]] = Field(description="Announcements, rulings and questions, the newest first.")
    shop: list[dict[str, Any]]
    ledger: list[dict[str, Any]] = Field(description="Transfers, the newest first.")
    charts: dict[str, dict[str, list[int]]] = Field(
        description="Balances before the first episode, after each and now."
    )
    challengeable: list[str] = Field(description="Who can be named as the candidate or opponent that is named next.")
    names_next: str | None = Field(description="Which contestant names the candidate or opponent; null if hosts do.")
    own_matches: list[dict[str, Any]] = Field(
        description="The matches of the host's own that have been opened: their forms, and what has been revealed."
    )
    submissions: list[dict[str, Any]] = Field(
        description="To contestants: the form that waits for them, with what they have submitted. To hosts: who has "
        "submitted, and what, as far as the form lets hosts see it."
    )
    own_forms: list[dict[str, Any]] | None = Field(
        default=None, description="For hosts: the matches of their own that they have declared."
    )
    formats: list[dict[str, Any]] = Field(description="The formats of episodes; the one without a name is the usual.")
    hosts: list[dict[str, Any]]
    former_hosts: list[dict[str, Any]] = Field(description="Those who were hosts: what they did keeps their names.")
    former_players: list[dict[str, Any]] = Field(
        description="Those whose places stand-ins have taken: what they did until then keeps their names."
    )
    schedule: list[dict[str, Any]] = Field(description="Phases; times are milliseconds since 1970.")
    confessions: list[dict[str, Any]] = Field(description="The confessionals that you may read.")
    alliances: list[dict[str, Any]]
    conversations: list[dict[str, Any]] = Field(
        description="The conversations that you may read: `c1-c2` between two contestants, `a1` in an alliance."
    )
    bought: dict[str, int] | None = Field(
        default=None, description="To contestants: how many they have bought of each item, by its id."
    )
    wishes: list[dict[str, Any]] | None = Field(
        default=None,
        description="Requests for more time: to hosts all that are open, to contestants their own with the answer.",
    )
    plan: list[dict[str, Any]] | None = Field(default=None, description="For hosts: the planned episodes.")
    undated_phases: list[dict[str, Any]] | None = Field(
        default=None,
        description="For hosts: planned phases without dates, with minutes `after` the first and their length.",
    )
    holidays: list[dict[str, Any]] | None = Field(
        default=None, description="For hosts: days on which nothing should end, from `first` to `last`."
    )
    runs: bool | None = Field(default=None, description="For hosts: whether you can take the next step.")
    may: list[str] | None = Field(default=None, description="For hosts: the kinds of entries that you can add.")
    log: list[dict[str, Any]] | None = Field(default=None, description="For hosts: everything that happened.")


class SeasonBegun(SeasonOut):
    """A new season with the token of its first host."""

    token: str


class EntryIn(Keyed):
    """An event to add to the season's log."""

    event: Annotated[RequestedEvent, Field(discriminator="kind")]
    reason: str = Field(default="", description="Why; corrections and undoing need one.")
    episode: int | None = Field(
        default=None,
        description="The number of the latest episode, if you want the server to check that no other one has begun.",
    )


class TalkIn(Keyed):
    """A message to write, or an alliance to form, extend or leave."""

    event: Annotated[ConversationEvent, Field(discriminator="kind")]


class SeasonJoinIn(BaseModel):
    """A personal link to open."""

    code: str = Field(description="The last part of the link, or the token that the host has given you.")


class JoinOut(BaseModel):
    """The place in the season that you have taken, and your token for it."""

    who: str
    token: str = Field(description="Your own token, which the hosts do not know: it opens what is private, too.")


class LayIn(Keyed):
    """Phases to lay out one after the other."""

    starts: int = Field(description="Milliseconds since 1970.")
    phases: list[tuple[str, int]] = Field(
        description="Name and hours of each; empty to give the planned phases their dates.", max_length=100
    )
    skip_weekends: bool = False


class PlanIn(Exact):
    """The template whose episodes are to be added to the plan."""

    template: Template | str = Field(description="A template, or the id of a saved one.")


class StepIn(BaseModel):
    """The step to take now; for `open` also what the episode consists of."""

    step: Step = Field(description="The step that you have seen to be next.")
    game: str | None = Field(default=None, description="The main match; null if it is played elsewhere.")
    duel: str | None = Field(default=None, description="The death match; null if it is played elsewhere.")
    clock: int | None = Field(default=None, description="Seconds per decision at the tables.")
    title: str = ""
    format: str = Field(default="", description="The name of one of the season's formats; empty for its usual one.")
    bots: bool = Field(
        default=False, description="Whether bots play for contestants who have not opened their invitations."
    )
    own: str = Field(default="", description="The name of a match of the host's own that is the main match, or empty.")


class CastIn(BaseModel):
    """A cast in CSV, such as a spreadsheet saves."""

    csv: str = Field(description="Columns name, garnets, priority, bot.")
    apply: bool = Field(default=False, description="Whether to do it; otherwise you only learn what it would do.")
    reason: str = "CSV"


class CastOut(BaseModel):
    """What a pasted cast changes, line by line."""

    applied: bool
    plan: list[Planned]


class SeasonHooks(BaseModel):
    """The URLs of a season's webhooks, empty for none. Those that you leave out stay as they are."""

    webhook: str | None = Field(default=None, description="Reports what viewers learn, when they learn it.")
    hosts: str | None = Field(default=None, description="Reports every entry of the log at once, for hosts alone.")


class LinkOut(BaseModel):
    """A personal link."""

    who: str
    name: str
    url: str
    token: str = Field(description="For programs, in the header 'Authorization: Bearer TOKEN'.")
    opened: bool
    bot: bool = Field(description="Whether a bot plays for them.")


class Following(BaseModel):
    """Whether you follow a season."""

    follow: bool = Field(description="Whether you are notified when an episode of the season can be watched.")
