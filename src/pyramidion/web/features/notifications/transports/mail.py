"""E-mail: composed safely against header injection, and sent through one SMTP server from threads."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import smtplib
import ssl
from email.message import EmailMessage
from email.policy import SMTP as BY_SMTP
from email.utils import formatdate, make_msgid, parseaddr

from pyramidion.translation import _
from pyramidion.web.names import clean_address
from pyramidion.web.settings import Settings

SECONDS = 15.0
# Never fold an address in a header, whatever its length.
SMTP = BY_SMTP.clone(max_line_length=990)
AT_ONCE = 4
"""Maximum number of simultaneous connections to the mail server."""
log = logging.getLogger(__name__)


class MailFailed(Exception):
    """The error that the mail server did not accept an e-mail."""


def hash_address(address: str) -> bytes:
    """Return the hash under which an unsubscribed e-mail address is stored: SHA-256, whatever its case."""
    return hashlib.sha256(address.lower().encode()).digest()


class Mailer:
    """Composes e-mail and sends it through the SMTP server in the settings.

    Attributes:
        ready: whether the settings have all that is needed: mail server, sender and public URL.
    """

    def __init__(self, settings: Settings) -> None:
        self._s = settings
        self.ready = bool(settings.smtp_host and settings.smtp_from and settings.public_url)
        if settings.smtp_host and not self.ready:
            log.warning("No mail is sent: PYRAMIDION_SMTP_FROM and PYRAMIDION_PUBLIC_URL must be set, too.")
        self._gate = asyncio.Semaphore(AT_ONCE)

    def compose(self, to: str, subject: str, text: str, stop: str) -> EmailMessage:
        """Return an e-mail with a link to unsubscribe; `stop` is its URL, also for one click (RFC 8058)."""
        mail = EmailMessage(policy=SMTP)
        mail["From"] = self._s.smtp_from or ""
        mail["To"] = clean_address(to)
        # Headers cannot contain line breaks; if a bug puts one here, it must do no harm.
        mail["Subject"] = " ".join(subject.split())
        mail["Date"] = formatdate()
        mail["Message-ID"] = make_msgid(domain=parseaddr(self._s.smtp_from or "")[1].rpartition("@")[2] or "localhost")
        mail["Auto-Submitted"] = "auto-generated"
        mail["List-Unsubscribe"] = f"<{stop}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        why = _("You receive this e-mail because you turned on notifications. To turn them off, open this link:")
        mail.set_content(f"{text}\n\n-- \n{why}\n{stop}\n")
        return mail

    async def send(self, mail: EmailMessage) -> None:
        """Send an e-mail from a thread. Raises MailFailed."""
        async with self._gate:
            try:
                await asyncio.to_thread(self._send, mail)
            except (OSError, smtplib.SMTPException, ValueError) as error:
                # Do not log people's addresses.
                log.warning("A mail could not be sent: %s", type(error).__name__)
                raise MailFailed(_("The mail server rejected the message.")) from error

    def _send(self, mail: EmailMessage) -> None:
        """Send an e-mail over a new connection to the mail server; blocks."""
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
