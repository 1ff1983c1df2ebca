"""Personal links and programs' tokens: signed, so that nothing but their number is stored."""

from __future__ import annotations

from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.tokens import same, signature


class Links:
    """Signs and checks the secrets of a season's people with the server's `key`.

    There are three for each person: the personal link, the token of a program, and the address of the calendar. A host
    also has a recovery link.
    """

    def __init__(self, key: str) -> None:
        self._key = key

    def code(self, loaded: LoadedSeason, who: str) -> str:
        """Return the secret in the personal link of a host or contestant, which also serves as a token."""
        return f"{who}-{self._signed(f'{loaded.id} {who} {loaded.people[who].turn}')}"

    def own(self, loaded: LoadedSeason, who: str) -> str:
        """Return the token for a program that has taken a person's place; hosts cannot compute it from the link."""
        person = loaded.people[who]
        return f"{who}-{self._signed(f'own {loaded.id} {who} {person.turn} {person.holder}')}"

    def calendar(self, loaded: LoadedSeason, who: str) -> str:
        """Return the secret in a person's calendar address; it changes when the personal link is renewed."""
        return f"{who}-{self._signed(f'calendar {loaded.id} {who} {loaded.people[who].turn}')}"

    def opens_calendar(self, loaded: LoadedSeason, secret: str) -> bool:
        """Return whether a secret opens the calendar of a contestant or present host."""
        who = secret.partition("-")[0]
        return _is_present(loaded, who) and same(self.calendar(loaded, who), secret)

    def who_has(self, loaded: LoadedSeason, code: str) -> str | None:
        """Return the id of the person whose personal link has this code, or None."""
        who = code.partition("-")[0]
        return who if _is_present(loaded, who) and same(self.code(loaded, who), code) else None

    def recovery(self, loaded: LoadedSeason, who: str) -> str:
        """Return the secret in a host's recovery link, with which another browser takes the place; it works once."""
        person = loaded.people[who]
        return f"{who}-{self._signed(f'recovery {loaded.id} {who} {person.turn} {person.holder}')}"

    def recovers(self, loaded: LoadedSeason, code: str) -> str | None:
        """Return the id of the host whose recovery link has this code, or None."""
        who = code.partition("-")[0]
        return who if who in loaded.season.hosts and same(self.recovery(loaded, who), code) else None

    def opens(self, loaded: LoadedSeason, code: str) -> str | None:
        """Return the id of the person to whose place a personal link or a recovery link leads, or None."""
        return self.who_has(loaded, code) or self.recovers(loaded, code)

    def requester(self, loaded: LoadedSeason, token: str) -> SeasonRequester | None:
        """Return the requester whose token this is, or None if it is no valid one.

        A contestant's private texts need the token of `own`, because hosts know the secret of the personal link.
        """
        if (who := self.who_has(loaded, token)) is not None:
            return SeasonRequester(who, who in loaded.season.hosts)
        who = token.partition("-")[0]
        holds = _is_present(loaded, who) and loaded.people[who].holder is not None
        return SeasonRequester(who, True) if holds and same(self.own(loaded, who), token) else None

    def _signed(self, text: str) -> str:
        """Return the server's signature of a text."""
        return signature(self._key, "pyramidion.seasons", text)


def _is_present(loaded: LoadedSeason, who: str) -> bool:
    """Return whether somebody is a contestant, or a host who has not been removed."""
    return who in loaded.people and loaded.season.player(who) is not None
