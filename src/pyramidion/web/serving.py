"""Runs the application under uvicorn, on a port that is bound before anything is announced."""

from __future__ import annotations

import errno
import socket
import sys
import threading
import webbrowser

import uvicorn
from fastapi import FastAPI

from pyramidion.web.turns import Connection

SHUTDOWN_SECONDS = 3
KEEP_ALIVE_SECONDS = 65
BACKLOG = 1024
# How long the writer's thread may wait for the interpreter while the event loop is busy: a commit needs it a few times.
SWITCH_SECONDS = 0.001


class CannotServe(ValueError):
    """The server cannot be started; the sentence says why."""


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises CannotServe with a sentence, as when the port is in use."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise CannotServe(f"{host!r} is no address of this machine: {error.strerror or error}.") from error
    family, kind, protocol, _, address = found[0]
    # The protocol is named, since asyncio leaves out TCP_NODELAY for a socket that does not know its own.
    sock = socket.socket(family, kind, protocol or socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            # A server just stopped leaves its port in a waiting state; that is not in use.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(BACKLOG)
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise CannotServe(f"Port {port} is in use already; choose another one with --port.") from error
        if error.errno == errno.EACCES:
            raise CannotServe(f"Port {port} may not be used without special rights; choose one above 1023.") from error
        raise CannotServe(f"{host}:{port} cannot be listened on: {error.strerror or error}.") from error
    return sock


def address_of(sock: socket.socket, host: str) -> str:
    """Return the address to open in a browser on this machine."""
    name = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, host)  # noqa: S104
    return f"http://{f'[{name}]' if ':' in name else name}:{sock.getsockname()[1]}/"


class Server(uvicorn.Server):
    """A server that says when it is up, and ends its event streams when it is to stop."""

    def __init__(self, app: FastAPI, address: str, *, open_browser: bool) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_level="error",
                access_log=False,
                http=Connection,
                ws="none",
                log_config=None,
                forwarded_allow_ips=app.state.settings.trusted_proxies,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=SHUTDOWN_SECONDS,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
            )
        )
        self.app, self.address, self._open = app, address, open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        if not self.should_exit:
            self.announce()

    def announce(self) -> None:
        """Say where the server is, and open a browser there if that is wanted."""
        print(f"Pyramidion is at {self.address} (stop it with Ctrl+C)", flush=True)
        if self._open:
            threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop. Open streams would be waited for, so they end first."""
        self.app.state.streams.close()
        await super().shutdown(sockets)


def run(app: FastAPI, sock: socket.socket, host: str, *, open_browser: bool) -> None:
    """Serve until a signal stops it."""
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        Server(app, address_of(sock, host), open_browser=open_browser).run([sock])
    except KeyboardInterrupt:
        pass
    finally:
        sock.close()
