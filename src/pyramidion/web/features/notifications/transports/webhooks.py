"""Webhooks: notifications posted to addresses chosen by users, but never inside the server's own network.

A host name is resolved once. All its addresses must be public, and the connection goes to one of the addresses that
were checked, so changing the DNS entry in between has no effect. Only the status of the response is read, and redirects
are not followed.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from pyramidion.translation import _, listed
from pyramidion.web.errors import BadRequest

CONNECT_SECONDS, ANSWER_SECONDS = 5.0, 10.0
LONGEST_URL = 500
LARGEST_HEAD = 16 * 1024
PORTS = {"https": 443, "http": 80}
# Special-purpose addresses (RFC 6890) that not every Python since 3.11 treats as non-global. Of IPv6 only 2000::/3 is
# allocated. Tunnels and translators lead to embedded addresses.
NOT_PUBLIC = [
    ip_network(network)
    for network in (
        "192.0.0.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.175.48.0/24",
        "::/3",
        "4000::/2",
        "8000::/1",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "2620:4f:8000::/48",
        "3fff::/20",
    )
]
GOOD = range(200, 300)
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
# Characters that Discord treats as formatting, and Slack as a link or a mention.
MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<-])")


class HookFailed(Exception):
    """The error that a webhook did not accept a message; its sentence names no address."""


@dataclass(frozen=True, slots=True)
class Target:
    """The destination of a webhook's messages, parsed from its URL.

    `secure` means HTTPS. `host` is the name in the URL; `path` includes the query.
    """

    secure: bool
    host: str
    port: int
    path: str


async def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host name, looked up in the DNS.

    Names that are numbers in disguise, such as `0x7f.1`, are looked up as well.
    """
    addresses = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(info[4][0]) for info in addresses))


def is_public(address: str) -> bool:
    """Return whether an IP address is on the public internet rather than in a private or special network."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    if any(ip in network for network in NOT_PUBLIC if network.version == ip.version):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def body_of(text: str, link: str | None) -> bytes:
    """Return the JSON body of a message, which Discord (`content`) and Slack (`text`) show as plain text."""
    plain = text.replace("@", "@\u200b")
    for_slack = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for_discord = MARKDOWN.sub(r"\\\1", plain)
    link_line = f"\n{link}" if link else ""
    # A player's name that looks like a mention must not notify anybody.
    body: dict[str, Any] = {
        "content": for_discord + link_line,
        "text": for_slack + link_line,
        "allowed_mentions": {"parse": []},
    }
    return json.dumps(body).encode()


class Webhooks:
    """Checks the URLs of webhooks and posts messages to them, never to the server's own network.

    `insecure` also allows HTTP, and `ports` are further allowed ports. `longest` is the largest number of characters of
    a URL, `context` replaces the default TLS settings. For tests, `find` replaces the DNS and `reaches` the check of
    addresses.
    """

    def __init__(
        self,
        *,
        insecure: bool = False,
        ports: Collection[int] = (),
        find: Resolve = resolve,
        reaches: Callable[[str], bool] = is_public,
        context: ssl.SSLContext | None = None,
        longest: int = LONGEST_URL,
    ) -> None:
        self.find, self.reaches = find, reaches
        self._longest = longest
        self._schemes = ("https", "http") if insecure else ("https",)
        self._ports = {*(PORTS[scheme] for scheme in self._schemes), *ports}
        self._context = context

    def target(self, url: str) -> Target:
        """Return the destination that a webhook URL names. Raises BadRequest with a sentence if it is not allowed."""
        wrong = BadRequest(
            _("A webhook URL must start with {scheme}, contain no spaces and have at most {most} characters.").format(
                scheme=" or ".join(f"{scheme}://" for scheme in self._schemes), most=self._longest
            )
        )
        if len(url) > self._longest or not url.isascii() or not url.isprintable() or " " in url:
            raise wrong
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise wrong from None
        if parts.scheme not in self._schemes or not host or parts.username is not None or parts.password is not None:
            raise wrong
        port = port or PORTS[parts.scheme]
        if port not in self._ports:
            raise BadRequest(
                _("Allowed webhook ports: {ports}.").format(ports=listed([str(port) for port in sorted(self._ports)]))
            )
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        return Target(parts.scheme == "https", host, port, path)

    async def accept(self, url: str) -> str:
        """Return a webhook URL after checking it and its addresses. Raises BadRequest with a sentence."""
        try:
            await self.addresses(self.target(url))
        except HookFailed as error:
            raise BadRequest(str(error)) from error
        return url

    async def addresses(self, target: Target) -> Sequence[str]:
        """Return the IP addresses of a destination. Raises HookFailed if there are none, or one is not public."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                addresses = await self.find(target.host, target.port)
        except (OSError, UnicodeError, TimeoutError):
            addresses = ()
        if not addresses:
            raise HookFailed(_("The webhook's host name could not be resolved."))
        if not all(self.reaches(address) for address in addresses):
            raise HookFailed(_("The webhook points to a private network, which this server does not allow."))
        return addresses

    async def post(self, url: str, body: bytes) -> None:
        """Post a JSON body to a webhook.

        Raises HookFailed if it is not accepted, or BadRequest if the URL is not (or no longer) allowed.
        """
        status = await self.send(url, body, {"Content-Type": "application/json"})
        if status not in GOOD:
            raise HookFailed(_("The webhook returned status {status}.").format(status=status))

    async def send(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Post a body with headers to a URL; return the HTTP status of the response.

        Raises HookFailed if there is no response, or BadRequest if the URL is not allowed.
        """
        target = self.target(url)
        addresses = await self.addresses(target)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._exchange(target, addresses[0], body, headers)
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            raise HookFailed(_("The webhook did not respond.")) from error

    async def _exchange(self, target: Target, address: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Post a body to an IP address that has been checked; return the HTTP status of the response."""
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
            writer.write(_request_bytes(target, body, headers))
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


def _request_bytes(target: Target, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Return an HTTP POST request as it is sent over the connection."""
    host = f"[{target.host}]" if ":" in target.host else target.host
    if target.port != PORTS["https" if target.secure else "http"]:
        host += f":{target.port}"
    head = (
        f"POST {target.path} HTTP/1.1",
        f"Host: {host}",
        "User-Agent: Pyramidion",
        *(f"{name}: {value}" for name, value in headers.items()),
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join(head).encode("ascii") + b"\r\n\r\n" + body
