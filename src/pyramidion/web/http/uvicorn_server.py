"""Runs the application under uvicorn, on a port that is bound before the address is announced."""

from __future__ import annotations

import errno
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from io import StringIO

import segno
import uvicorn
from starlette.types import ASGIApp

from pyramidion.web.http.uvicorn_protocol import Protocol

SHUTDOWN_SECONDS = 3
KEEP_ALIVE_SECONDS = 65
BACKLOG = 1024
# The writer's thread needs the GIL a few times per commit, and waits for at most this long while the event loop is
# busy.
SWITCH_SECONDS = 0.001


EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
ELSEWHERE = ("192.0.2.1", 9)
"""An address of no machine (RFC 5737), to ask which of its own addresses this machine would use."""


class CannotServe(ValueError):
    """The server cannot be started; the message says why."""


def bind(host: str, port: int) -> socket.socket:
    """Open a listening socket. Raises CannotServe with a sentence, for example if the port is in use."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise CannotServe(_not_ours(host)) from error
    family, kind, protocol, _, address = addresses[0]
    # Pass the protocol: asyncio sets TCP_NODELAY only on sockets that know theirs.
    sock = socket.socket(family, kind, protocol or socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            # The port of a server that has just stopped lingers in TIME_WAIT, which does not count as in use.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(BACKLOG)
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise CannotServe(f"Port {port} is in use already; choose another one with --port.") from error
        if error.errno == errno.EACCES:
            raise CannotServe(f"Port {port} may not be used without special rights; choose one above 1023.") from error
        if error.errno == errno.EADDRNOTAVAIL:
            raise CannotServe(_not_ours(host)) from error
        raise CannotServe(f"{host}:{port} cannot be listened on: {error.strerror or error}.") from error
    return sock


def _not_ours(host: str) -> str:
    """Return the sentence about an address on which this machine cannot listen."""
    own = network_address()
    choices = f"--host 127.0.0.1 for this machine alone, --host 0.0.0.0 for its network{f' (as {own})' if own else ''}"
    return f"{host} is not an address of this machine; use {choices}."


def address_of(sock: socket.socket, host: str) -> str:
    """Return the URL at which a browser on this machine opens the server that listens on a socket."""
    name = "localhost" if host in EVERYWHERE else host
    return f"http://{f'[{name}]' if ':' in name else name}:{sock.getsockname()[1]}/"


def network_address() -> str | None:
    """Return this machine's IPv4 address in its local network, or None without a network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect(ELSEWHERE)
        except OSError:
            return None
        return sock.getsockname()[0]


def network_notes(sock: socket.socket, host: str) -> list[str]:
    """Return the lines to print for friends in the same network: the server's URL, and its QR code in a terminal.

    There are none if the server listens to this machine only.
    """
    address = network_address() if host in EVERYWHERE else None
    if address is None:
        return []
    url = f"http://{address}:{sock.getsockname()[1]}/"
    notes = [f"Friends in your network open {url}"]
    if sys.stdout.isatty():
        picture = StringIO()
        segno.make(url, error="l").terminal(picture, border=2, compact=True)
        notes.append(picture.getvalue())
    return notes


class UvicornServer(uvicorn.Server):
    """Runs the application under uvicorn, prints its address, and ends its event streams when it stops.

    Attributes:
        notes: lines to print below the address.
    """

    def __init__(
        self,
        app: ASGIApp,
        address: str,
        *,
        trusted_proxies: str,
        end_streams: Callable[[], object],
        open_browser: bool = False,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_level="error",
                access_log=False,
                http=Protocol,
                ws="none",
                log_config=None,
                forwarded_allow_ips=trusted_proxies,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=SHUTDOWN_SECONDS,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
            )
        )
        self.app, self.address = app, address
        self._end_streams, self._open = end_streams, open_browser
        self.notes: list[str] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting requests, then announce the address."""
        await super().startup(sockets)
        if not self.should_exit:
            self.announce()

    def announce(self) -> None:
        """Print the server's address and the notes, and open the address in a browser if requested."""
        print(f"Pyramidion is at {self.address} (stop it with Ctrl+C)", *self.notes, sep="\n", flush=True)
        if self._open:
            threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the server. Event streams are ended first, since uvicorn waits for open responses."""
        self._end_streams()
        await super().shutdown(sockets)


def run(server: UvicornServer, sock: socket.socket) -> None:
    """Serve requests on a socket until a signal stops the server."""
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        server.run([sock])
    except KeyboardInterrupt:
        pass
    finally:
        sock.close()
