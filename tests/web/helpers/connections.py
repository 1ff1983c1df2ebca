"""Helpers of the tests in `test_connections.py`, which other tests use, too."""

import json
import socket


class Line:
    """A bare connection to the server."""

    def __init__(self, server):
        host, port = server.address.removeprefix("http://").rstrip("/").rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        self.file = self.socket.makefile("rb")

    def send(self, *pieces):
        for piece in pieces:
            self.socket.sendall(piece)

    def answer(self):
        """Return status, headers and body of the next answer; None where the connection has ended."""
        first = self.file.readline()
        if not first:
            return None
        headers = {}
        while (line := self.file.readline()) != b"\r\n":
            name, value = line.decode().rstrip().split(": ", 1)
            headers[name] = value
        if "chunked" in headers.get("transfer-encoding", ""):
            body = b""
            while size := int(self.file.readline(), 16):
                body += self.file.read(size)
                self.file.readline()
            self.file.readline()
        else:
            body = self.file.read(int(headers["content-length"]))
        return int(first.split()[1]), headers, json.loads(body)

    def close(self):
        self.file.close()
        self.socket.close()


def posted(table, seat, version, action="pass", headers=(), body=None, start="HTTP/1.1"):
    body = json.dumps({"action": action, "version": version}).encode() if body is None else body
    lines = [
        f"POST {table.url}/actions {start}",
        "Host: x",
        f"Authorization: Bearer {table.tokens[seat]}",
        *headers,
    ]
    if not any(one.lower().startswith("transfer-encoding") for one in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def due(table):
    seat = table.get()["acting"][0]
    return seat, table.get("/legal", seat)["version"]
