"""Webhooks: they reach what is public, never this machine or its network, whatever a name or number pretends."""

import asyncio
import json
import socket

import pytest

from pyramidion.web.errors import BadRequest
from pyramidion.web.features.notifications.transports.webhooks import HookFailed, Webhooks, body_of, is_public
from pyramidion.web.settings import Settings

INSIDE = [
    "127.0.0.1",
    "::1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "224.0.0.1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "nonsense",
    "fec0::1",
    "192.0.0.8",
    "192.0.0.10",
    "192.88.99.1",
    "3fff::1",
    "3fff:fff::1",
    "2001::1",
    "2001:db8::1",
    "2002:5db8:d822::1",
    "64:ff9b::5db8:d822",
    "5f00::1",
    "4000::1",
    "100::1",
    "198.18.0.1",
    "203.0.113.1",
    "240.0.0.1",
]


@pytest.mark.parametrize("address", INSIDE)
def test_no_address_inside_of_a_network_is_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34"])
def test_other_addresses_are(address):
    assert is_public(address)


# What the system's own resolver makes of these is the point, and none of them needs a network.
@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "[::1]",
        "10.0.0.1",
        "169.254.169.254",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "localhost",
    ],
)
async def test_an_address_inside_is_refused_however_it_is_written(host):
    with pytest.raises(BadRequest, match=r"private network|could not be resolved"):
        await Webhooks().accept(f"https://{host}/hook")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "https://",
        "https:///x",
        "https://user:secret@example.org/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org/\r\nX: y",
        "https://exämple.org/",
        "javascript:alert(1)",
        "https://example.org/" + "x" * 500,
        "https://[::1",
    ],
)
def test_what_is_no_address_for_a_webhook_is_refused_with_a_sentence(url):
    with pytest.raises(BadRequest, match="A webhook URL must start with https://"):
        Webhooks().target(url)


def test_a_webhook_has_a_usual_port_unless_the_settings_allow_another():
    with pytest.raises(BadRequest, match="Allowed webhook ports: 443"):
        Webhooks().target("https://example.org:22/")
    with pytest.raises(BadRequest, match="ports: 80 and 443"):
        Webhooks(insecure=True).target("https://example.org:8443/")
    assert (
        Webhooks(ports=Settings(webhooks_ports="8443, 8444").webhook_ports()).target("https://a.org:8444/").port == 8444
    )
    assert Webhooks().target("https://example.org:443/").port == Webhooks().target("https://example.org/").port == 443
    assert Webhooks(insecure=True).target("http://example.org/").port == 80


async def test_a_name_that_stands_for_any_address_inside_is_refused():
    async def find(host, port):
        return ["93.184.216.34", "10.0.0.7"]

    with pytest.raises(BadRequest, match="private network"):
        await Webhooks(find=find).accept("https://example.org/")


class Channel:
    """A little web server that keeps what is posted, and answers as it was told."""

    def __init__(self, answer=b"HTTP/1.1 204 No Content\r\n\r\n"):
        self.answer, self.heard = answer, []

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error):
        self.server.close()
        await self.server.wait_closed()

    async def serve(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(head.lower().partition("content-length: ")[2].partition("\r\n")[0])
        self.heard.append((head, await reader.readexactly(length)))
        writer.write(self.answer)
        await writer.drain()
        writer.close()


def posting(channel, **more):
    async def find(host, port):
        return ["127.0.0.1"]

    webhooks = Webhooks(insecure=True, ports=[channel.port], **{"find": find, "reaches": lambda _: True, **more})
    return webhooks.post(f"http://example.org:{channel.port}/api/hook?x=1", body_of("Hello", None))


async def test_a_message_is_posted_to_the_address_that_was_looked_at():
    async with Channel() as channel:
        await posting(channel)
        [(head, body)] = channel.heard
        assert head.startswith("POST /api/hook?x=1 HTTP/1.1\r\n")
        assert f"Host: example.org:{channel.port}\r\n" in head
        assert json.loads(body)["content"] == json.loads(body)["text"] == "Hello"


async def test_a_name_that_means_something_else_between_looking_and_connecting_changes_nothing(monkeypatch):
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])
    connected = []

    async def find(host, port):
        return next(answers)

    async def connect(host, port, **more):
        connected.append(host)
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "open_connection", connect)

    webhooks = Webhooks(find=find)
    with pytest.raises(HookFailed, match="did not respond"):
        await webhooks.post("https://example.org/", b"{}")
    with pytest.raises(HookFailed, match="private network"):
        await webhooks.post("https://example.org/", b"{}")
    assert connected == ["93.184.216.34"]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", "status 302"),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", "status 404"),
        (b"HTTP/1.1 204", "did not respond"),
        (b"SSH-2.0-OpenSSH\r\n", "did not respond"),
        (b"HTTP/1.1 abc\r\n\r\n", "did not respond"),
        (b"x" * 100_000, "did not respond"),
    ],
)
async def test_whatever_comes_back_is_judged_by_its_status_alone(answer, sentence):
    async with Channel(answer) as channel:
        with pytest.raises(HookFailed, match=sentence):
            await posting(channel)
        assert len(channel.heard) == 1


async def test_a_channel_that_never_answers_is_given_up(monkeypatch):
    monkeypatch.setattr("pyramidion.web.features.notifications.transports.webhooks.ANSWER_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:

        class Silent:
            port = silent.getsockname()[1]

        with pytest.raises(HookFailed, match="did not respond"):
            await posting(Silent)


def test_nobody_is_called_or_formatted_by_a_title():
    said = json.loads(body_of("@everyone <!channel> *bold* [x](y) & co", "https://games.example.org/t/abc"))
    assert said["allowed_mentions"] == {"parse": []}
    assert "@everyone" not in said["content"] + said["text"]
    assert "<!channel>" not in said["text"]
    assert "&amp; co" in said["text"]
    assert r"\*bold\*" in said["content"]
    assert said["content"].endswith("\nhttps://games.example.org/t/abc")
