"""Telling people that something waits for them, when they are not looking: what is told, to whom, and when no more.

What has happened at a table is noted when it happens, for those who can be reached, and told after a while, if it is
still so: nobody is told what they have seen, or reminded of what they need not decide. The words are made from what who
watches may know, and from whose decision it is for its own person alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pyramidion.web.errors import BadRequest, Refused
from pyramidion.web.orders import has_order
from pyramidion.web.schema import CHAT_LINES, CHAT_SEATS, MATCHES
from pyramidion.web.talk.contacts import THE_TABLE, AtTable, Contact, Contacts, in_zone
from pyramidion.web.talk.hooks import HookFailed, Hooks, body_of
from pyramidion.web.talk.mail import Mailer, MailFailed
from pyramidion.web.talk.outbox import MINUTE, Conflict, Message, Outbox, WriteFailed
from pyramidion.words import _, listed, speaking

if TYPE_CHECKING:
    from pyramidion.web.settings import Settings
    from pyramidion.web.store import Store
    from pyramidion.web.table import Table
    from pyramidion.web.tables import Tables
    from pyramidion.web.writer import Writer

LOOK_SECONDS = 1.0
SEND_SECONDS = 2.0
SWEEP_ROUNDS = 1800
POLLS = 3 * MINUTE
"""A browser that has asked for messages within this time is told of them."""
BROWSER_DELAY = 5_000
LOOKING = 45_000
"""Whoever has shown a sign of looking at the table within this time may be looking at it still; pages do every 20 s."""
SHORTEST_CLOCK = 5 * 60
"""Seconds: where a decision has less time there is no reminder."""
LONGEST_LEAD = 12 * 3600
JUST_OVER = 60 * MINUTE
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Said:
    """A message in words: a subject and a text of one sentence, and the table's address where that is known."""

    title: str
    text: str
    link: str | None


@dataclass(frozen=True, slots=True)
class _Line:
    """A private line: its number, and the seats that it is for."""

    number: int
    seats: Sequence[int]


class Notices:
    """Notes what is to be told, and tells it."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        writer: Writer,
        tables: Tables,
        contacts: Contacts,
        mailer: Mailer,
        hooks: Hooks,
    ) -> None:
        self._settings, self._store, self._tables = settings, store, tables
        self.contacts, self.mailer, self.hooks = contacts, mailer, hooks
        self.outbox = Outbox(store, writer)
        self._delay = round(settings.notice_delay * 1000)
        self._moved: dict[str, Table] = {}
        self._lines: list[tuple[Table, _Line]] = []
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._one = asyncio.Lock()
        tables.on_moved = self.moved

    def start(self) -> None:
        """Note and tell from now on."""
        self._tasks = [asyncio.create_task(self._looking()), asyncio.create_task(self._sending())]

    async def close(self) -> None:
        """Stop; what waits is in the database."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def moved(self, table: Table) -> None:
        """Take note that a table stands otherwise than before."""
        if table.has_persons:
            self._moved[table.id] = table
            self._news.set()

    def wrote(self, table: Table, number: int, seats: Sequence[int]) -> None:
        """Take note of a private line to some seats."""
        self._lines.append((table, _Line(number, seats)))
        self._news.set()

    async def _looking(self) -> None:
        while True:
            await self._news.wait()
            await asyncio.sleep(LOOK_SECONDS)
            self._news.clear()
            try:
                await self.look()
            except (Refused, WriteFailed) as error:
                log.warning("What is to be told could not be noted: %s", error)
            except Exception:
                log.exception("What is to be told could not be noted")

    async def _sending(self) -> None:
        rounds = 0
        while True:
            await asyncio.sleep(SEND_SECONDS)
            rounds += 1
            try:
                while await self.send():
                    pass
                if rounds % SWEEP_ROUNDS == 0:
                    await self.outbox.sweep(self._tables.now())
            except (Refused, Conflict, WriteFailed) as error:
                log.warning("Messages cannot be sent: %s", error)
            except Exception:
                log.exception("Messages cannot be sent")

    async def reachable(self, person: str | None) -> bool:
        """Whether a person can be told anything."""
        if person is None:
            return False
        return bool(_ways(await self.contacts.of(person), None, "turn", self._tables.now(), all_kinds=True))

    # Noting

    async def look(self) -> None:
        """Note what is to be told of all tables that have moved. Raises Unreadable or WriteFailed."""
        async with self._one:
            moved, self._moved = self._moved, {}
            lines, self._lines = self._lines, []
            about = {table.id: table for table, _line in lines} | moved
            if not about:
                return
            persons = {person for table in about.values() for person in table.persons().values()}
            contacts, at, finished = await asyncio.to_thread(self._read, list(about), [*persons, THE_TABLE])
            now = self._tables.now()
            messages: list[Message] = []
            for table in moved.values():
                # What was over long ago is told to nobody when somebody looks at it again.
                if table.match.over and now - finished.get(table.id, now) > JUST_OVER:
                    continue
                for seat, person in table.persons().items():
                    # What is due from whom takes a while to find out, and most people cannot be reached anyway.
                    contact = contacts.get(person)
                    for kind, mark, due in self._of_seat(table, seat) if contact is not None else ():
                        ways = _ways(contact, at.get((table.id, person)), kind, now)
                        messages += [self._message(table, person, kind, way, mark, now, due) for way in ways]
                hook = at.get((table.id, THE_TABLE))
                for kind, mark, due in self._of_table(table) if hook is not None and hook.hook else ():
                    if hook is not None and f"{kind}.hook" not in hook.off:
                        messages.append(self._message(table, THE_TABLE, kind, "hook", mark, now, due))
            for table, line in lines:
                for seat in line.seats:
                    person = table.persons().get(seat)
                    if person is not None:
                        ways = _ways(contacts.get(person), at.get((table.id, person)), "line", now)
                        mark = f"{seat}.{line.number}"
                        messages += [self._message(table, person, "line", way, mark, now, None) for way in ways]
            for tries in (1, 0):
                try:
                    await self.outbox.queue(messages)
                    return
                except Conflict:
                    # Another server has noted the same at this moment.
                    if not tries:
                        raise WriteFailed("Another server was quicker.") from None

    def _message(self, table: Table, person: str, kind: str, way: str, mark: str, now: int, due: int | None) -> Message:
        soon = now + (min(self._delay, BROWSER_DELAY) if way == "browser" else self._delay)
        return Message(table.id, person, kind, way, mark, now, max(soon, due or 0))

    def _of_seat(self, table: Table, seat: int) -> list[tuple[str, str, int | None]]:
        """Return what there is to tell the person of a seat: (kind, mark, when at the earliest)."""
        if table.match.over:
            return [("over", "over", None)]
        told: list[tuple[str, str, int | None]] = []
        if _begins(table):
            told.append(("started", "started", None))
        if seat in _asked(table):
            told.append(("turn", _step(table), None))
            if (remind := _reminding(table)) is not None:
                told.append(("deadline", _step(table), remind))
        return told

    def _of_table(self, table: Table) -> list[tuple[str, str, int | None]]:
        """Return what there is to tell a table's own webhook, all of it known to who watches."""
        if table.match.over:
            return [("over", "over", None)]
        told: list[tuple[str, str, int | None]] = []
        if _begins(table):
            told.append(("started", "started", None))
        if _people_due(table):
            told.append(("turn", _step(table), None))
            if (remind := _reminding(table)) is not None:
                told.append(("deadline", _step(table), remind))
        return told

    def _read(
        self, matches: Sequence[str], persons: Sequence[str]
    ) -> tuple[dict[str, Contact], dict[tuple[str, str], AtTable], dict[str, int]]:
        contacts, at = self.contacts.find(persons), self.contacts.find_at(matches, persons)
        m = MATCHES.c
        query = sa.select(m.id, m.finished).where(m.id.in_(matches), m.finished.is_not(None))
        with self._store.reading() as connection:
            finished: dict[str, int] = {row.id: row.finished for row in connection.execute(query)}
        return contacts, at, finished

    # Telling

    async def send(self) -> bool:
        """Send what is due now; return whether there was anything. Raises Unreadable, Conflict or WriteFailed."""
        now = self._tables.now()
        if not await self.outbox.due(now):
            return False
        taken = await self.outbox.take(now)
        await asyncio.gather(*(self._tell(message) for message in taken))
        return bool(taken)

    async def for_browser(self, person: str, language: str) -> list[tuple[Message, Said]]:
        """Return what a person's browser is to show now, once."""
        now = self._tables.now()
        contact = await self.contacts.of(person)
        if now - contact.polled > MINUTE or contact.language != language:
            contact = await self.contacts.keep(person, polled=now, language=language)
        shown: list[tuple[Message, Said]] = []
        for message in await self.outbox.waiting(person, now):
            said = await self._still(message, contact)
            if said is not None:
                shown.append((message, said))
                with suppress(Conflict, WriteFailed):
                    await self.outbox.settle(message, now)
        return shown

    async def _tell(self, message: Message) -> None:
        now = self._tables.now()
        try:
            contact = await self._reader(message)
            said = await self._still(message, contact)
            if said is None:
                return
            await self._deliver(message, contact, said)
        except (HookFailed, MailFailed, BadRequest) as error:
            log.info("A message of table %s was not taken (%s): %s", message.match, message.way, error)
            await self.outbox.failed(message, now)
        except Refused as error:
            log.warning("A message of table %s cannot be sent: %s", message.match, error)
            await self.outbox.failed(message, now)
        except Exception:
            log.exception("A message of table %s cannot be sent", message.match)
            await self.outbox.failed(message, now)
        else:
            await self.outbox.settle(message, now)

    async def _deliver(self, message: Message, contact: Contact, said: Said) -> None:
        if message.way == "mail" and contact.email and contact.confirmed:
            stop = self.address(f"/alerts/stop?token={self.contacts.stopping(contact.person, contact.email)}")
            with speaking(contact.language):
                mail = self.mailer.compose(contact.email, said.title, f"{said.text}\n\n{said.link}", stop)
            await self.mailer.send(mail)
        elif message.way == "hook":
            url = contact.hook
            if message.person == THE_TABLE:
                url = (await self.contacts.at(message.match, THE_TABLE)).hook
            if url:
                await self.hooks.post(url, body_of(said.text, said.link))

    async def _reader(self, message: Message) -> Contact:
        """Return who reads a message: of the table's own webhook the time zone and language are the host's."""
        if message.person != THE_TABLE:
            return await self.contacts.of(message.person)
        table = await self._tables.get(message.match)
        return await self.contacts.of(table.host) if table.host is not None else Contact(THE_TABLE)

    async def _still(self, message: Message, contact: Contact) -> Said | None:
        """Return a message in words if it is to be told now. If not, it is settled or put off."""
        now = self._tables.now()
        table = await self._tables.get(message.match)
        at = await self.contacts.at(table.id, message.person)
        off = at.off if message.person == THE_TABLE else contact.off | at.off
        names = [seat for seat, person in table.persons().items() if person == message.person]
        due = _reminding(table)
        wanted = f"{message.kind}.{message.way}" not in off and (bool(names) or message.person == THE_TABLE)
        if wanted and message.kind in ("turn", "deadline"):
            if table.paused:
                await self.outbox.later(message, now + 10 * MINUTE)
                return None
            if message.kind == "deadline" and due is not None and due > now:
                await self.outbox.later(message, due)
                return None
            wanted = message.mark == _step(table) and not table.match.over
            wanted = wanted and (message.kind == "turn" or due is not None)
            asked = _people_due(table) if message.person == THE_TABLE else set(names) & _asked(table)
            wanted = wanted and bool(asked)
        elif message.kind == "started":
            wanted = wanted and not table.match.over
        if wanted and message.person != THE_TABLE:
            wanted = not await asyncio.to_thread(self._knows, message, names, now)
        if not wanted:
            await self.outbox.settle(message, now)
            return None
        with speaking(contact.language):
            return self._said(message, table, contact)

    def _knows(self, message: Message, seats: Sequence[int], now: int) -> bool:
        """Whether a person has seen what a message says; blocks."""
        s, c = CHAT_SEATS.c, CHAT_LINES.c
        with self._store.reading() as connection:
            mine = sa.select(s.seat, s.seen, s.since, s.looked).where(s.match == message.match, s.seat.in_(seats))
            rows = {row.seat: row for row in connection.execute(mine)}
            looked = max((row.looked for row in rows.values()), default=0)
            here = now - looked < LOOKING
            # A reminder is for those, too, who have seen long ago what there is to decide.
            if looked >= message.made if message.kind != "deadline" else here:
                return True
            if message.kind != "line":
                return here and message.way == "browser"
            seat, _dot, number = message.mark.partition(".")
            line = sa.select(c.removed).where(c.match == message.match, c.number == int(number))
            row = rows.get(int(seat))
            removed = connection.execute(line).scalar_one_or_none()
            return removed is not False or (row is not None and max(row.seen, row.since) >= int(number))

    def _said(self, message: Message, table: Table, contact: Contact) -> Said:
        what = {"title": table.title, "game": table.game.name}
        ends = in_zone(table.standing.deadline or 0, contact.zone, contact.language)
        everybody = message.person == THE_TABLE
        names = listed([table.names[seat] for seat in sorted(_people_due(table))])
        match message.kind:
            case "turn" if everybody:
                text = _("{title} ({game}) waits for {names}.").format(names=names, **what)
            case "turn":
                text = _("You have something to decide at {title} ({game}).").format(**what)
            case "deadline" if everybody:
                text = _("At {title} ({game}) the time for {names} ends on {time}.").format(
                    names=names, time=ends, **what
                )
            case "deadline":
                text = _("Your time for a decision at {title} ({game}) ends on {time}.").format(time=ends, **what)
            case "started":
                text = _("{title} ({game}) has begun.").format(**what)
            case "over":
                text = _("{title} ({game}) is over.").format(**what)
            case _kind:
                text = _("There is a private line for you at {title} ({game}).").format(**what)
        return Said(table.title, text, self.address(f"/t/{table.id}") if self._settings.public_url else None)

    def address(self, path: str) -> str:
        """Return the full address of a page of this server."""
        return f"{(self._settings.public_url or '').rstrip('/')}{path}"

    async def ask(self, contact: Contact, email: str) -> None:
        """Send the question whether an address is a person's. Raises MailFailed."""
        ours = {"server": self.address("/")}
        link = self.address(f"/alerts/confirm?token={self.contacts.confirming(contact.person, email)}")
        stop = self.address(f"/alerts/stop?token={self.contacts.stopping(contact.person, email)}")
        with speaking(contact.language):
            text = _(
                "Somebody wants to be told by mail to this address when something waits for them at {server}. "
                "If that was you, open this address within two days:"
            ).format(**ours)
            mail = self.mailer.compose(email, _("Is this your address?"), f"{text}\n\n{link}", stop)
        await self.mailer.send(mail)


def _ways(contact: Contact | None, at: AtTable | None, kind: str, now: int, *, all_kinds: bool = False) -> list[str]:
    """Return the ways in which somebody can and wants to be told something."""
    if contact is None:
        return []
    can: Mapping[str, bool] = {
        "browser": now - contact.polled < POLLS,
        "mail": bool(contact.email) and contact.confirmed,
        "hook": bool(contact.hook),
    }
    off = contact.off | (at.off if at is not None else frozenset[str]())
    return [way for way, possible in can.items() if possible and (all_kinds or f"{kind}.{way}" not in off)]


def _step(table: Table) -> str:
    """Return what names the decision that is due; it is the same for everybody and tells nothing of who has decided."""
    return f"{table.era}.{table.steps.number}"


def _begins(table: Table) -> bool:
    """Whether nobody has done anything yet, and there is more than one person to tell."""
    return table.match.ply == 0 and not table.open_seats and len(set(table.persons().values())) > 1


def _people_due(table: Table) -> set[int]:
    """Return the people who have something to decide, as far as who watches knows."""
    persons = table.persons()
    return {seat for seat in table.due(None) if seat in persons and table.rows[seat].stand_in is None}


def _asked(table: Table) -> set[int]:
    """Return the seats that have still to decide, for which no bot plays meanwhile, and which have not said in advance
    what they will do; the referee's knowledge.
    """
    return {seat for seat in table.waited_for if table.rows[seat].stand_in is None and not has_order(table, seat)}


def _reminding(table: Table) -> int | None:
    """Return when to remind of the deadline, or None where there is none or it comes too soon."""
    deadline, clock = table.standing.deadline, table.clock
    if deadline is None or clock is None or clock < SHORTEST_CLOCK or table.match.over:
        return None
    return deadline - min(clock // 4, LONGEST_LEAD) * 1000


__all__ = ["Notices", "Said"]
