"""Events about posts and questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pyramidion.event_log import Entry, NotPossible
from pyramidion.names import Text
from pyramidion.seasons.season import (
    Confession,
    Post,
    Publish,
    Season,
)
from pyramidion.translation import _


@dataclass(frozen=True, slots=True)
class Posted:
    """A host posts an announcement or a ruling for everybody."""

    text: Text
    what: Literal["announcement", "ruling"] = "announcement"
    kind: Literal["posted"] = "posted"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add the post."""
        season.posts.append(Post(entry.number, entry.at, entry.by, self.what, self.text))


@dataclass(frozen=True, slots=True)
class Asked:
    """A contestant asks the hosts a question."""

    contestant: str
    text: Text
    kind: Literal["asked"] = "asked"

    def apply(self, season: Season, entry: Entry) -> None:
        """Note the question; until it is answered to all, only hosts and its author see it."""
        who = season.contestant(self.contestant).id
        season.posts.append(Post(entry.number, entry.at, who, "question", self.text, to_all=False))


@dataclass(frozen=True, slots=True)
class Answered:
    """A host answers the question with this entry number, to its author or to all."""

    question: int
    text: Text
    to_all: bool = False
    kind: Literal["answered"] = "answered"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add the answer."""
        asked = [post for post in season.posts if post.number == self.question and post.what == "question"]
        if not asked:
            raise NotPossible(_("There is no such question."))
        asked[0].answer, asked[0].to_all = self.text, self.to_all


@dataclass(frozen=True, slots=True)
class Confessed:
    """A contestant confides in the hosts: a confessional, published afterwards as far as the contestant agrees."""

    contestant: str
    text: Text
    publish: Publish = "never"
    kind: Literal["confessed"] = "confessed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add a confession with the number and the step of the open episode."""
        who, episode = season.contestant(self.contestant).id, season.opened()
        season.confessions.append(Confession(entry.at, who, episode.number, season.step, self.text, self.publish))
