"""Webhooks: messages posted to an address that somebody has named, and to nothing inside of this server's own network.

A name is resolved once; every address that it stands for must be public, and the connection goes to one of those that
were looked at, so that a name which means something else a moment later changes nothing. What comes back is not read
beyond its status, and an answer that leads elsewhere leads nowhere.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

from pyramidion.web.errors import BadRequest
from pyramidion.words import _

CONNECT_SECONDS, ANSWER_SECONDS = 5.0, 10.0
LONGEST_URL = 500
LARGEST_HEAD = 16 * 1024
PORTS = {"https": 443, "http": 80}
GOOD = range(200, 300)
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
# What Discord reads as formatting, and what Slack reads as a link or a mention.
MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<-])")


class HookFailed(Exception):
    """A message that was not taken; the sentence says why and names no address."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a webhook leads: `host` as it is asked for, `path` with its query."""

    secure: bool
    host: str
    port: int
    path: str


async def resolve(host: str, port: int) -> list[str]:
    """Return the addresses that a name stands for; also of names that are numbers in disguise."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def is_public(address: str) -> bool:
    """Whether an address belongs to the internet, and to nobody's own network or machine."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        inner = [found.ipv4_mapped, found.sixtofour, *(found.teredo or ())]
        if any(one is not None and not is_public(str(one)) for one in inner):
            return False
        if found.ipv4_mapped is not None:
            return True
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def body_of(text: str, link: str | None) -> bytes:
    """Return a message that a Discord channel (`content`) and a Slack channel (`text`) show as it is."""
    plain = text.replace("@", "@\u200b")
    for_slack = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for_discord = MARKDOWN.sub(r"\\\1", plain)
    more = f"\n{link}" if link else ""
    # Nobody is called by a name that reads like a mention.
    said: dict[str, Any] = {"content": for_discord + more, "text": for_slack + more, "allowed_mentions": {"parse": []}}
    return json.dumps(said).encode()


class Hooks:
    """Posts to webhooks. `insecure` also allows http; `find` and `reaches` are for tests."""

    def __init__(
        self,
        *,
        insecure: bool = False,
        find: Resolve = resolve,
        reaches: Callable[[str], bool] = is_public,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.find, self.reaches = find, reaches
        self._schemes = ("https", "http") if insecure else ("https",)
        self._context = context

    def target(self, url: str) -> Target:
        """Return where a URL leads. Raises BadRequest with a sentence for one that cannot be used."""
        wrong = BadRequest(
            _("A webhook's address begins with {scheme} and has at most {most} characters, without spaces.").format(
                scheme=" or ".join(f"{one}://" for one in self._schemes), most=LONGEST_URL
            )
        )
        if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
            raise wrong
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise wrong from None
        if parts.scheme not in self._schemes or not host or parts.username is not None or parts.password is not None:
            raise wrong
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        return Target(parts.scheme == "https", host, port or PORTS[parts.scheme], path)

    async def accept(self, url: str) -> str:
        """Return a URL that may be kept. Raises BadRequest with a sentence."""
        try:
            await self.addresses(self.target(url))
        except HookFailed as error:
            raise BadRequest(str(error)) from error
        return url

    async def addresses(self, target: Target) -> Sequence[str]:
        """Return the addresses of a target, all of them public. Raises HookFailed."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                found = await self.find(target.host, target.port)
        except (OSError, UnicodeError, TimeoutError):
            found = ()
        if not found:
            raise HookFailed(_("The webhook's address cannot be found."))
        if not all(self.reaches(one) for one in found):
            raise HookFailed(
                _("The webhook's address is inside of a network of its own, where this server posts nothing.")
            )
        return found

    async def post(self, url: str, body: bytes) -> None:
        """Post JSON. Raises HookFailed unless it was taken, or BadRequest for a URL that is not allowed (any more)."""
        target = self.target(url)
        found = await self.addresses(target)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                status = await self._exchange(target, found[0], body)
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            raise HookFailed(_("The webhook does not answer.")) from error
        if status not in GOOD:
            raise HookFailed(_("The webhook has answered with status {status}.").format(status=status))

    async def _exchange(self, target: Target, address: str, body: bytes) -> int:
        """Post to an address that was looked at; return the status."""
        context = (self._context or ssl.create_default_context()) if target.secure else None
        async with asyncio.timeout(CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(
                address,
                target.port,
                ssl=context,
                server_hostname=target.host if target.secure else None,
                limit=LARGEST_HEAD,
            )
        try:
            writer.write(_request(target, body))
            await writer.drain()
            head = await reader.readuntil(b"\r\n")
        finally:
            writer.close()
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(1):
                    await writer.wait_closed()
        version, _space, rest = head.partition(b" ")
        if not version.startswith(b"HTTP/1."):
            raise ValueError("not HTTP")
        return int(rest[:3])


def _request(target: Target, body: bytes) -> bytes:
    host = f"[{target.host}]" if ":" in target.host else target.host
    if target.port != PORTS["https" if target.secure else "http"]:
        host += f":{target.port}"
    head = (
        f"POST {target.path} HTTP/1.1",
        f"Host: {host}",
        "User-Agent: Pyramidion",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join(head).encode("ascii") + b"\r\n\r\n" + body
