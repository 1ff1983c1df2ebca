"""Reports by players: what can be reported on a page, and what operators see of it."""

import io
import re
import shlex

import httpx
import pytest
from tests.web.conftest import Player, serving
from tests.web.helpers.form_browser import Browser
from tests.web.helpers.portraits import picture
from tests.web.helpers.private_club import PrivateClub
from tests.web.helpers.seasons import Host

from pyramidion.cli import main
from pyramidion.web.operations.reported import KINDS, commands_for


@pytest.fixture
def somebody(server):
    """Return a function that opens a new browser."""
    opened = []
    yield lambda: opened.append(Browser(server)) or opened[-1]
    for browser in opened:
        browser.http.close()


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(tmp_path))
    with serving(tmp_path) as server:
        yield server


def reports(capsys, *words):
    capsys.readouterr()
    assert main(["admin", "reports", *words]) == 0
    return capsys.readouterr().out


def test_a_message_is_reported_and_removed(server, somebody, client, capsys):
    ada, grace = somebody(), somebody()
    table = ada.table()
    grace.post(f"{table}/sit", seat="1", name="Grace")
    ada.post(f"{table}/chat", text="You are a goose.")
    page = grace.http.get(f"{table}/report").text
    item = page.partition("You are a goose")[0].rpartition('value="message:')[2].partition('"')[0]
    sent = grace.post(f"{table}/report", item=f"message:{item}", sentence="She is rude.")
    assert "will see your report" in sent.text
    listed = reports(capsys)
    assert f"{table}  message:{item}, by a visitor without an account" in listed
    assert "A message by Ada: You are a goose." in listed
    assert "They write: She is rude." in listed
    assert main(["admin", "remove", "message", item, "--yes"]) == 0
    assert "goose" not in grace.http.get(f"{table}/chat").text
    assert main(["admin", "settle", "1"]) == 0
    assert reports(capsys) == "There are no open reports.\n"
    assert "settled" in reports(capsys, "--all")


def test_private_messages_can_be_reported_by_their_readers_alone(somebody):
    ada, grace, watcher = somebody(), somebody(), somebody()
    table = ada.table(**{"seat-2": "bot:policy", "chat-private": "pairs"})
    grace.post(f"{table}/sit", seat="1", name="Grace")
    said = ada.post(f"{table}/chat", text="You are a goose.", to="1")
    assert said.status_code in (200, 303), said.text
    assert "goose" in grace.http.get(f"{table}/report").text
    assert "goose" not in watcher.http.get(f"{table}/report").text


def test_something_else_needs_a_sentence_and_reports_are_limited(somebody):
    ada = somebody()
    table = ada.table()
    assert ada.post(f"{table}/report", item="other").status_code == 400
    assert ada.post(f"{table}/report", item="message:nowhere").status_code == 400
    assert ada.post(f"{table}/report", item="other", sentence="x" * 501).status_code == 400
    statuses = [ada.post(f"{table}/report", item="seat:0").status_code for _ in range(8)]
    assert statuses == [200] * 7 + [429]


def test_the_same_report_is_kept_once(server, somebody, capsys):
    ada = somebody()
    ada.sign_up("Ada")
    for sentence in ("First.", "Second."):
        assert ada.post("/people/Ada/report", item="name", sentence=sentence).status_code == 200
    listed = reports(capsys)
    assert "First." not in listed
    assert "by Ada\n    The name of the account: Ada\n    They write: Second.\n" in listed


def test_each_report_comes_with_the_command_that_treats_it(server, somebody, client, capsys, monkeypatch):
    ada, grace = somebody(), somebody()
    ada.sign_up("Rude Ada")
    table = ada.table(title="Rude title")
    grace.post(f"{table}/sit", seat="1", name="Rude Grace")
    ada.post(f"{table}/chat", text="Rude words")
    club = ada.post("/clubs", name="Rude Club", door="open", member="Rude Ada").headers["location"]
    ada.post(f"{club}/settings", name="Rude Club", door="open", about="Rude description")
    ada.post(f"{club}/post", text="Rude announcement")
    grace.post(f"{club}/join", name="Rude Grace")
    season = Host(client, audience="live")
    season.done("cast-added", name="Cal")
    upload = f"/api/seasons/{season.id}/portraits/c1/picture"
    headers = {"authorization": f"Bearer {season.token}", "content-type": "image/png"}
    assert client.put(upload, content=picture(), headers=headers).status_code == 200
    cup = ada.post("/tournaments", title="Rude cup", host="Hal", game="pyramis", format="swiss").headers["location"]
    season.do("settings", title="Rude season", audience="live")
    pages = {table: 5, club: 5, f"/seasons/{season.id}": 2, cup: 1, "/people/Rude Ada": 1}
    items = {}
    for page, count in pages.items():
        items[page] = re.findall(r'name="item"[^>]*value="([^"]+)"', grace.http.get(f"{page}/report").text)[:-1]
        assert len(items[page]) == count
        reporter = grace if page == club else somebody()
        assert all(reporter.post(f"{page}/report", item=item).status_code == 200 for item in items[page])
    lines = [line for line in reports(capsys).splitlines() if line.startswith("    pyramidion admin ")]
    assert len(lines) == 2 * sum(pages.values()) + 1, "A message can be removed, or its author renamed."
    for number, line in enumerate(lines):
        command, *words = shlex.split(line)
        monkeypatch.setattr("sys.stdin", io.StringIO(f"New {number}\n"))  # the answer to what a renaming command asks
        more = ["--yes"] if "remove" in words else []
        assert (command, main([*words, *more])) == ("pyramidion", 0), line
    assert reports(capsys) == "There are no open reports.\n"
    server.app.server.tables.heard(table.removeprefix("/t/"))
    assert grace.http.get("/people/Rude Ada").status_code == 404
    del pages["/people/Rude Ada"]
    for page in pages:
        assert "Rude" not in (text := grace.http.get(f"{page}/report").text)
        assert "<img" not in text
    assert "Rude" not in "".join(ada.http.get(page).text for page in pages)


@pytest.mark.parametrize("kind", ["t", "clubs", "seasons", "tournaments"])
def test_what_no_command_changes_is_hidden_with_its_page(kind):
    assert commands_for(f"/{kind}/7gk2", "other") == [("hide", KINDS[kind], "7gk2")]


def test_pages_with_names_link_to_their_report(server, somebody, client):
    ada = somebody()
    ada.sign_up("Ada")
    club = ada.post("/clubs", name="Pyramid Club", door="open", member="Ada").headers["location"]
    for page in (club, "/people/Ada"):
        assert f'href="{page}/report"' in ada.http.get(page).text
        assert ada.http.get(f"{page}/report").status_code == 200
    assert "/report" not in ada.http.get("/people/me").text
    table = Player(client)
    assert f'href="/t/{table.id}/report"' in ada.http.get(f"/t/{table.id}").text


def test_what_is_hidden_from_somebody_cannot_be_reported(server, somebody):
    ada = somebody()
    ada.sign_up("Ada")
    club = ada.post("/clubs", name="Secret Club", door="private", member="Ada").headers["location"]
    with httpx.Client(base_url=server.address) as guest:
        assert guest.get(f"{club}/report").status_code == 404


def test_what_can_be_reported_is_what_the_page_shows(server):
    """For everybody who knows a club, its season and its tournament."""
    club = PrivateClub(server, "request")
    askers = {"owner": club.owner, "member": club.member, "contestant": club.contestant, **club.outsiders}
    more = []
    for kind, subject in (("clubs", club.club), ("seasons", club.season), ("tournaments", club.tournament)):
        for name, person in askers.items():
            page, report = (person.get(f"/{kind}/{subject}{part}") for part in ("", "/report"))
            shown = re.findall(r'<br>(?:<img src="([^"]+)"|([^<]+))', report.text)
            if report.status_code != page.status_code or any("".join(text) not in page.text for text in shown):
                more.append(f"{kind} for the {name}")
            if (name, kind) == ("owner", "clubs"):
                assert any("Hidden words" in text for _picture, text in shown)
    club.close()
    assert more == []


def test_pictures_of_whom_viewers_do_not_know_yet_cannot_be_reported(client):
    host = Host(client, audience="live", delay=1)
    host.done("cast-added", name="Ana")
    headers = {"authorization": f"Bearer {host.token}", "content-type": "image/png"}
    page = f"/seasons/{host.id}"
    assert client.put(f"/api{page}/portraits/c1/picture", content=picture(), headers=headers).status_code == 200
    assert "/portraits/" not in client.get(f"{page}/report").text
    host.done("settings", title="Code Red", audience="live")
    assert "/portraits/c1/" in client.get(f"{page}/report").text
    host.done("settings", title="Code Red", audience="none")
    assert client.get(page).status_code == client.get(f"{page}/report").status_code == 404


def test_a_report_cannot_steer_the_terminal_of_an_operator(somebody, capsys):
    ada = somebody()
    ada.sign_up("Ada")
    forged = "No.\n2  2026-11-28 11:59  /t/x  seat:0, by Bob\N{LINE SEPARATOR}\u009b2J"
    assert ada.post("/people/Ada/report", item="name", sentence="\x1b[2J").status_code == 400
    assert ada.post("/people/Ada/report", item="other", sentence="A\n2  2026").status_code == 200
    assert ada.post("/people/Ada/report", item="name", sentence=forged).status_code == 400
    for nobody in ("Bob", "%1b%5b2J", "x" * 300):
        assert ada.post(f"/people/{nobody}/report", item="other", sentence="Hm.").status_code == 404
    assert ada.post(f"/people/{'%E2%80%8B' * 300}Ada/report", item="other", sentence="Hm.").status_code == 200
    listed = reports(capsys)
    assert [line[:3] for line in listed.splitlines()] == ["1  ", *["   "] * 3]
    assert "  /people/Ada  other, by Ada\n" in listed
    assert all(line.isprintable() for line in listed.splitlines())


def test_what_is_gone_has_no_command_that_cannot_work(somebody, capsys):
    ada = somebody()
    ada.sign_up("Ada")
    table, other = ada.table(), ada.table(title="Other")
    ada.post(f"{table}/chat", text="You are a goose.")
    item = ada.http.get(f"{table}/chat").text.partition('data-line="')[2].partition('"')[0]
    for page, what in ((table, "seat:0"), (table, f"message:{item}"), (other, "other"), ("/people/Ada", "name")):
        assert somebody().post(f"{page}/report", item=what, sentence="Hm.").status_code == 200
    for words in (("remove", "table", table, "--yes"), ("hide", "table", other), ("remove", "account", "Ada", "--yes")):
        assert main(["admin", *words]) == 0
    listed = reports(capsys)
    assert listed.count("    It is hidden or gone already.\n    pyramidion admin settle ") == 4
    assert listed.count("pyramidion admin") == 4


def test_what_stands_on_a_hidden_page_has_no_command_either(somebody, capsys):
    ada = somebody()
    ada.sign_up("Ada")
    club = ada.post("/clubs", name="Geese", door="open", member="Ada").headers["location"]
    assert somebody().post(f"{club}/report", item="name", sentence="Hm.").status_code == 200
    before = reports(capsys)
    assert "pyramidion admin rename" in before
    assert main(["admin", "hide", "club", club]) == 0
    after = reports(capsys)
    assert "pyramidion admin rename" not in after
    assert after.count("It is hidden or gone already.") == after.count("pyramidion admin settle") > 0
