"""E-mail: composed so that nothing in it can become a header, handed to one SMTP server from a thread."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import smtplib
import ssl
from email.message import EmailMessage
from email.policy import SMTP as BY_SMTP
from email.utils import formatdate, make_msgid, parseaddr

from pyramidion.web.errors import BadRequest
from pyramidion.web.settings import Settings
from pyramidion.words import _

SECONDS = 15.0
# An address in a header must not be broken up, whatever its length.
SMTP = BY_SMTP.clone(max_line_length=990)
AT_ONCE = 4
"""Connections to the mail server that are open at the same time."""
LONGEST_ADDRESS = 254
# What RFC 5321 allows without quotes, in letters that every mail server takes.
ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}"
)
log = logging.getLogger(__name__)


class MailFailed(Exception):
    """A mail that the mail server did not take."""


def accept_address(text: str) -> str:
    """Return an e-mail address. Raises BadRequest with a sentence for what is none."""
    tidy = text.strip()
    if len(tidy) > LONGEST_ADDRESS or not ADDRESS.fullmatch(tidy) or ".." in tidy:
        raise BadRequest(_("This is no e-mail address that mail can be sent to: it reads like name@example.org."))
    return tidy


def hash_address(address: str) -> bytes:
    """Return what is kept of an address that wants no mail."""
    return hashlib.sha256(address.lower().encode()).digest()


class Mailer:
    """Sends mail as the settings say. `ready`: whether they name a mail server, a sender, and where this server is."""

    def __init__(self, settings: Settings) -> None:
        self._s = settings
        self.ready = bool(settings.smtp_host and settings.smtp_from and settings.public_url)
        if settings.smtp_host and not self.ready:
            log.warning("No mail is sent: PYRAMIDION_SMTP_FROM and PYRAMIDION_PUBLIC_URL must be set, too.")
        self._gate = asyncio.Semaphore(AT_ONCE)

    def compose(self, to: str, subject: str, text: str, stop: str) -> EmailMessage:
        """Return a mail; `stop` is the address that ends all mail to this reader with one click (RFC 8058)."""
        mail = EmailMessage(policy=SMTP)
        mail["From"] = self._s.smtp_from or ""
        mail["To"] = accept_address(to)
        # A header takes no line breaks; what holds one is a fault of ours, and still does no harm.
        mail["Subject"] = " ".join(subject.split())
        mail["Date"] = formatdate()
        mail["Message-ID"] = make_msgid(domain=parseaddr(self._s.smtp_from or "")[1].rpartition("@")[2] or "localhost")
        mail["Auto-Submitted"] = "auto-generated"
        mail["List-Unsubscribe"] = f"<{stop}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        why = _("You get this because you have asked for it. To turn all such mail off, open this address:")
        mail.set_content(f"{text}\n\n-- \n{why}\n{stop}\n")
        return mail

    async def send(self, mail: EmailMessage) -> None:
        """Hand a mail over. Raises MailFailed."""
        async with self._gate:
            try:
                await asyncio.to_thread(self._send, mail)
            except (OSError, smtplib.SMTPException, ValueError) as error:
                # The log has no addresses of people.
                log.warning("A mail could not be sent: %s", type(error).__name__)
                raise MailFailed(_("The mail server did not take the mail.")) from error

    def _send(self, mail: EmailMessage) -> None:
        s = self._s
        assert s.smtp_host is not None
        context = ssl.create_default_context()
        if s.smtp_tls == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(s.smtp_host, s.smtp_port, timeout=SECONDS, context=context)
        else:
            server = smtplib.SMTP(s.smtp_host, s.smtp_port, timeout=SECONDS)
        with server:
            if s.smtp_tls == "starttls":
                server.starttls(context=context)
            if s.smtp_user is not None:
                server.login(s.smtp_user, s.smtp_password.get_secret_value() if s.smtp_password else "")
            server.send_message(mail)
