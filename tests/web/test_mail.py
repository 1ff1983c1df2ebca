"""E-mail: an address is asked first, nothing becomes a header, and every mail can be ended with one click."""

import asyncio
import email
import re
import threading
from email.policy import default

import httpx
import pytest
from aiosmtpd.smtp import SMTP
from tests.web.helpers.notifications import open_site

from pyramidion.web.errors import BadRequest
from pyramidion.web.features.notifications.texts import NotificationText
from pyramidion.web.features.notifications.transports.mail import Mailer, MailFailed
from pyramidion.web.names import clean_address
from pyramidion.web.settings import Settings
from pyramidion.web.table.seats.plans import SeatPlan

FROM = "Pyramidion <games@example.org>"


class Letterbox:
    """What an SMTP server on this machine has taken."""

    def __init__(self):
        self.mails = []

    async def handle_DATA(self, server, session, envelope):
        self.mails.append((envelope.rcpt_tos, email.message_from_bytes(envelope.content, policy=default)))
        return "250 Taken"


@pytest.fixture
def letterbox():
    box, loop = Letterbox(), asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(lambda: SMTP(box, loop=loop), "127.0.0.1", 0))
    box.port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield box
    loop.call_soon_threadsafe(server.close)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def by(box):
    return {"smtp_host": "127.0.0.1", "smtp_port": box.port, "smtp_tls": "none", "smtp_from": FROM}


class Reader:
    """Somebody at a browser."""

    def __init__(self, site):
        transport = httpx.ASGITransport(site.app)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://test", timeout=60)

    async def csrf(self, path="/alerts"):
        return re.search(r'name="csrf" value="(\w+)"', (await self.client.get(path)).text)[1]

    async def post(self, path, **fields):
        return await self.client.post(path, data={"csrf": await self.csrf(), **fields})

    @property
    def person(self):
        return self.client.cookies["pyramidion_visitor"].rpartition(".")[0]


def link(mail, path):
    return re.search(rf"https://games\.example\.org({path}\?token=\S+)", mail.get_content())[1]


async def test_an_address_is_asked_first_and_ended_with_one_click(tmp_path, letterbox):
    async with open_site(tmp_path, **by(letterbox)) as site:
        ana = Reader(site)
        asking = {"email": "ana@example.org", "guess": "Asia/Tokyo"}
        assert (await ana.post("/alerts/email", **asking)).status_code == 303
        assert (await site.contacts.of(ana.person)).zone == "Asia/Tokyo"
        [(to, question)] = letterbox.mails
        assert (to, question["To"], question["From"]) == (["ana@example.org"], "ana@example.org", FROM)
        await site.contacts.keep(ana.person, off=frozenset({"started.mail"}))
        table = await site.tables.create(
            "ponzi-scheme",
            [SeatPlan("me", "Ana"), SeatPlan("open"), SeatPlan("open")],
            {},
            holder=ana.person,
        )
        for seat, name in ((1, "bo"), (2, "chi")):
            await table.sit(seat, name, name)
        while table.match.acting != (0,):
            await site.act(table, table.match.acting[0])
        await site.pass_(60_000)
        assert len(letterbox.mails) == 1
        # Opening the link does nothing yet: machines do that, too.
        confirm = link(question, "/alerts/confirm")
        anybody = Reader(site)
        assert "Confirm address" in (await anybody.client.get(confirm)).text
        assert not (await site.contacts.of(ana.person)).confirmed
        assert (await anybody.post(confirm, token=confirm.partition("=")[2])).status_code == 200
        site.tables.moved(table)
        await site.pass_(60_000)
        _, mail = letterbox.mails[1]
        assert "it is your turn" in mail.get_content()
        assert f"https://games.example.org/t/{table.id}" in mail.get_content()
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        stop = mail["List-Unsubscribe"].strip("<>").removeprefix("https://games.example.org")
        assert stop == link(mail, "/alerts/stop")
        # Whoever they are by now, after signing in for instance: it is the address that wants no more mail.
        await site.contacts.keep("account", email="Ana@example.org", confirmed=True)
        answer = await Reader(site).client.post(stop, content=b"List-Unsubscribe=One-Click")
        assert answer.status_code == 200
        assert (await site.contacts.of(ana.person)).email is None
        assert (await site.contacts.of("account")).email is None
        await site.act(table, 0)
        while table.match.acting != (0,):
            await site.act(table, table.match.acting[0])
        await site.pass_(60_000)
        assert len(letterbox.mails) == 2


async def test_whoever_never_asked_can_end_even_the_questions(tmp_path, letterbox):
    async with open_site(tmp_path, **by(letterbox)) as site:
        stranger = Reader(site)
        await stranger.post("/alerts/email", email="victim@example.org")
        [(_, question)] = letterbox.mails
        await Reader(site).client.post(link(question, "/alerts/stop"))
        again = await Reader(site).post("/alerts/email", email="Victim@example.org")
        assert again.status_code == 400
        assert "has turned off e-mail" in again.text
        other = Reader(site)
        codes = [(await other.post("/alerts/email", email=f"other{n}@example.org")).status_code for n in range(6)]
        assert codes == [303] * 5 + [429]
        for token in ("", "nonsense", link(question, "/alerts/confirm").partition("=")[2]):
            assert (await other.post(f"/alerts/stop?token={token}")).status_code == 400
        assert len(letterbox.mails) == 6


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ana",
        "ana@",
        "@example.org",
        "ana@example",
        "a@example.org, b@example.org",
        "ana@example.org\r\nBcc: b@example.org",
        "ana@example.org\nBcc: b@example.org",
        "Ana <ana@example.org>",
        "ana@exam ple.org",
        "ana@[127.0.0.1]",
        "a" * 250 + "@example.org",
        "änä@example.org",
        "ana@example.org\0",
    ],
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(BadRequest, match="valid e-mail address"):
        clean_address(address)


async def test_nothing_in_a_mail_becomes_a_header(letterbox):
    mailer = Mailer(Settings(public_url="https://games.example.org", **by(letterbox)))
    stop = "https://games.example.org/alerts/stop?token=" + "x" * 300
    text = "One\r\n.\r\nMAIL FROM:<evil@example.org>\r\nBcc: b@example.org"
    mail = mailer.compose("ana@example.org", "Friday\r\nBcc: evil@example.org 金字塔", text, stop)
    await mailer.send(mail)
    [(to, taken)] = letterbox.mails
    assert to == ["ana@example.org"]
    assert taken["Bcc"] is None
    assert taken["Subject"] == "Friday Bcc: evil@example.org 金字塔"
    assert taken["List-Unsubscribe"] == f"<{stop}>"
    assert "MAIL FROM:<evil@example.org>" in taken.get_content()


def test_a_subject_says_what_happened_in_a_line():
    turn = NotificationText("Friday", "Friday (Pyramis): it is your turn.", None, "Ada placed a forest.")
    assert turn.subject == "Friday (Pyramis): it is your turn. Ada placed a forest."
    assert len(NotificationText("Friday", "A word. " * 50, None).subject) <= 120


async def test_a_mail_server_that_is_not_there_is_no_fault_of_the_reader():
    mailer = Mailer(
        Settings(public_url="https://x.org", smtp_host="127.0.0.1", smtp_port=1, smtp_tls="none", smtp_from=FROM)
    )
    with pytest.raises(MailFailed, match="rejected the message"):
        await mailer.send(mailer.compose("ana@example.org", "x", "y", "https://x.org/s"))
