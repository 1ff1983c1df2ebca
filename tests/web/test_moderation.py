"""`pyramidion admin` on the database of a running server: what is hidden, removed, renamed, closed and logged."""

import re

import pytest
from tests.web.conftest import Player, serving
from tests.web.helpers.form_browser import GOOD, Browser
from tests.web.helpers.seasons import Host

from pyramidion.cli import main
from pyramidion.web.play.access import CREATING


@pytest.fixture
def somebody(server):
    """Return a function that opens a new browser."""
    opened = []
    yield lambda: opened.append(Browser(server)) or opened[-1]
    for browser in opened:
        browser.http.close()


@pytest.fixture
def admin(tmp_path, monkeypatch, capsys):
    """Return a function that runs an admin command and returns (exit code, output, errors)."""
    monkeypatch.setenv("PYRAMIDION_DATA_DIR", str(tmp_path))

    def run(*words):
        capsys.readouterr()
        code = main(["admin", *words])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path) as server:
        yield server


def test_a_hidden_table_is_as_if_it_did_not_exist_until_it_is_shown_again(server, somebody, client, admin):
    table = Player(client)
    client.get(table.url)  # it is in memory
    assert admin("hide", "table", table.id, "--note", "spam")[:2] == (0, f"Hid the table {table.id}.\n")
    server.app.server.tables.heard(table.id)
    assert client.get(table.url).status_code == 404
    assert client.post(f"{table.url}/actions", json={"action": "pass", "version": 0}).status_code == 404
    assert "hidden" in admin("list", "table", table.id)[1]
    assert admin("show", "table", table.id)[0] == 0
    server.app.server.tables.heard(table.id)
    assert client.get(table.url).status_code == 200
    assert admin("show", "table", table.id)[2] == f"pyramidion: The table {table.id} is not hidden.\n"
    log = admin("log")[1].splitlines()
    assert len(log) == 2
    assert re.search(rf"Hid the table {table.id}\. +spam$", log[0])


def test_a_removed_table_is_gone(server, somebody, client, admin):
    table = Player(client)
    assert admin("remove", "table", table.id, "--yes")[0] == 0
    server.app.server.tables.heard(table.id)
    assert client.get(table.url).status_code == 404
    code, _out, error = admin("remove", "table", table.id, "--yes")
    assert (code, error) == (1, f"pyramidion: There is no table {table.id}.\n")


def test_without_a_terminal_nothing_is_removed_unasked(client, admin):
    table = Player(client)
    assert "With --yes it is deleted without asking." in admin("remove", "table", table.id)[2]
    assert client.get(table.url).status_code == 200


def test_a_hidden_table_is_in_no_list(client, admin):
    table = Player(client, seats=("me", "open", "open"), listed=True)
    assert [entry["id"] for entry in client.get("/api/lobby").json()] == [table.id]
    admin("hide", "table", table.id)
    assert client.get("/api/lobby").json() == []


def test_sign_up_can_be_closed(server, somebody, admin):
    admin("close", "sign-up")
    ada = somebody()
    refused = ada.sign_up("Ada")
    assert refused.status_code == 403
    assert "accept no new accounts at present" in refused.text
    admin("open", "sign-up")
    assert ada.sign_up("Ada").status_code == 303


def test_creation_can_be_closed_while_games_go_on(client, admin):
    table = Player(client)
    admin("close", "creation")
    assert admin("hidden")[1].startswith("closed  creation  ")
    order = {"game": "ponzi-scheme", "seats": [{"kind": "me"}] * 3}
    refused = client.post("/api/tables", json=order)
    assert (refused.status_code, refused.json()["error"]) == (403, "closed")
    assert table.post(table.get()["acting"][0], "pass", 0).status_code == 200
    admin("open", "creation")
    assert client.post("/api/tables", json=order).status_code == 201


def test_everything_that_creates_something_is_closed(client, admin):
    admin("close", "creation")
    for path in CREATING:
        refused = client.post(path)
        assert (refused.status_code, "allow no new tables" in refused.text) == (403, True), path


def test_accounts_are_listed_renamed_and_removed(server, somebody, admin):
    ada = somebody()
    ada.sign_up("Ada")
    table = ada.table()
    assert admin("list", "account", "ad")[1].startswith("Ada  Ada")
    assert admin("rename", "account", "Ada", "Grace")[0] == 0
    assert "Grace" in admin("list", "seat", table.removeprefix("/t/"))[1]
    assert ada.http.get("/api/account").json()["name"] == "Grace"
    assert "is already taken" in (somebody().sign_up("Grace").text)
    assert admin("remove", "account", "Grace", "--yes")[0] == 0
    assert ada.http.get("/api/account").status_code == 401
    assert admin("rename", "account", "Grace", "Ada")[2] == "pyramidion: There is no account Grace.\n"


def test_a_seat_is_renamed(server, somebody, client, admin):
    ada = somebody()
    table = ada.table().removeprefix("/t/")
    assert admin("rename", "seat", f"{table}/1", "Player")[0] == 0
    server.app.server.tables.heard(table)
    assert client.get(f"/api/tables/{table}").json()["seats"][0]["name"] == "Player"
    for empty in ("0", "2", "99", "x"):
        assert "Nobody sits there" in admin("rename", "seat", f"{table}/{empty}", "Player")[2]
    assert f"{table}/1  Player" in admin("list", "seat", "player")[1]


def test_a_new_name_is_checked_as_if_it_was_chosen_by_a_player(server, somebody, admin):
    ada, bob = somebody(), somebody()
    ada.sign_up("Ada")
    table = ada.table().removeprefix("/t/")
    bob.post(f"/t/{table}/sit", seat="1", name="Bob")
    club = (
        ada.post("/clubs", name="Pyramid Club", door="open", member="Ada").headers["location"].removeprefix("/clubs/")
    )
    bob.post(f"/clubs/{club}/join", name="Bob")
    page = bob.http.get(f"/clubs/{club}/report").text
    members = [f"{club}/{member}" for member in re.findall(r'value="member:(\w+)"', page)]
    for kind, subject in (("seat", f"{table}/1"), ("account", "Ada"), ("member", members[0]), ("member", members[1])):
        taken = "bob" if subject != members[1] else "ada"
        code, _out, error = admin("rename", kind, subject, taken)
        assert (code, error.partition(" is called ")[0]) == (
            1,
            "pyramidion: Somebody at the same table or in the same club",
        )
    for kind, subject in (("table", table), ("club", club)):
        assert "at most 80 characters" in admin("rename", kind, subject, "x" * 81)[2]
    for kind, subject in (("host", table), ("member", members[0])):
        assert "at most 40 characters" in admin("rename", kind, subject, "x" * 41)[2]
    assert admin("log")[1] == "No operator has done anything yet.\n"


def test_an_address_names_its_page(client, admin):
    table = Player(client)
    for address in (f"/t/{table.id}", f"http://localhost:8000/t/{table.id}/", f"https://example.org/t/{table.id}?x#y"):
        assert admin("hide", "table", address)[1] == f"Hid the table {table.id}.\n"
        assert admin("show", "table", address)[0] == 0
    assert admin("hide", "table", f"games.example.org/t/{table.id}/report")[1] == f"Hid the table {table.id}.\n"
    seat = f"https://example.org/t/{table.id}/1"
    assert admin("rename", "seat", seat, "Guest")[0] == 0
    assert admin("remove", "table", f"/t/{table.id}", "--yes")[0] == 0
    assert admin("remove", "account", "http://a/b", "--yes")[2] == "pyramidion: There is no account http://a/b.\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("settle", "9" * 20), "REPORT must be a whole number"),
        (("list", "table", "--limit", "9" * 20), "--limit must be a whole number"),
        (("list", "table", "\udcff"), "is not in UTF-8"),
        (("close", "creation", "--note", "\udcff"), "is not in UTF-8"),
        (("hide", "account", "Ada"), "Invalid value for 'kind': 'account' is not one of 'table', 'club'"),
        (("hide", "account", "Ada"), "'account' goes with: list, remove, rename."),
        (("remove", "season", "x"), "'season' goes with: list, hide, show, rename."),
        (("hide", "tables", "x"), "Did you mean 'table'?"),
        (("close", "signup"), "Did you mean 'sign-up'?"),
        (("open", "Creation"), "Did you mean 'creation'?"),
        (("remove", "announcement", f"x/{'9' * 20}", "--yes"), "There is no announcement"),
        (("rename", "seat", f"x/{'9' * 20}", "Ada"), "Nobody sits there"),
        (("show", "table", "nosuch"), "There is no table nosuch."),
        # It is said before anything is asked.
        (("remove", "account", "Nobody"), "There is no account Nobody."),
        (("remove", "message", "nosuch"), "There is no message nosuch."),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_sentence(server, admin, words, sentence):
    code, out, error = admin(*words)
    assert (code in (1, 2), out, error.count("\n")) == (True, "", 1)
    assert sentence in error


def test_a_link_resets_a_password_once(server, somebody, admin):
    ada = somebody()
    ada.sign_up("Ada")
    link = re.search(r"/account/reset/\S+", admin("reset-password", "ada")[1])[0]
    other = somebody()
    assert "Ada" in other.http.get(link).text
    assert other.post(link, new="short").status_code == 422
    assert other.post(link, new="nine grey geese").status_code == 303
    assert other.http.get("/api/account").json()["name"] == "Ada"
    assert ada.http.get("/api/account").status_code == 401
    assert somebody().post(link, new=GOOD).status_code == 404
    assert somebody().http.get(link[:-3] + "aaa").status_code == 404
    assert "Made a link to reset the password of Ada." in admin("log")[1]
    assert admin("reset-password", "nobody")[2] == "pyramidion: No person has an account called nobody.\n"


def test_a_hidden_club_season_or_tournament_is_refused(server, somebody, admin):
    ada = somebody()
    ada.sign_up("Ada")
    club = ada.post("/clubs", name="Pyramid Club", door="open", member="Ada").headers["location"]
    guest = somebody().http
    assert guest.get(club).status_code == 200
    assert admin("hide", "club", club.removeprefix("/clubs/"))[0] == 0
    assert guest.get(club).status_code == 404
    assert "have hidden this page" in guest.get(club).text
    assert "Pyramid Club" not in guest.get("/clubs").text
    assert admin("hide", "season", "nowhere")[2] == "pyramidion: There is no season nowhere.\n"


def test_seasons_and_tournaments_are_listed_and_hidden_with_their_titles(somebody, client, admin):
    ada = somebody()
    ada.sign_up("Ada")
    headers = {"x-csrf": ada.csrf}
    season = Host(client)
    season.done("settings", title="Code Rude")
    order = {"title": "Rude Cup", "host": "Ada", "game": "pyramis", "format": "swiss"}
    cup = ada.http.post("/api/tournaments", json=order, headers=headers).json()["id"]
    for kind, subject, title in (("season", season.id, "Code Rude"), ("tournament", cup, "Rude Cup")):
        assert admin("list", kind)[1].startswith(f"{subject}  {title}  ")
        assert admin("list", kind, "rude")[1].startswith(subject)
        assert admin("list", kind, "code red")[1] == f"There is no {kind} with 'code red' in its id or name.\n"
        assert admin("hide", kind, f"/{kind}s/{subject}/anything")[0] == 0
        assert "hidden" in admin("list", kind)[1]
        assert re.match(rf"{kind} +{subject}  {title}  ", admin("hidden")[1])


def test_seasons_and_tournaments_get_another_title(somebody, client, admin):
    """Also viewers who see the season a day later read the new title at once. Its host cannot undo the entry."""
    ada = somebody()
    ada.sign_up("Ada")
    season = Host(client, audience="live", delay=24)
    cup = ada.post("/tournaments", title="Rude Cup", host="Ada", game="pyramis", format="swiss").headers["location"]
    for kind, subject, old in (("season", season.id, "Code Red"), ("tournament", cup.split("/")[2], "Rude Cup")):
        renamed = admin("rename", kind, f"https://example.org/{kind}s/{subject}", "Nice title")
        assert renamed[1] == f"Renamed the {kind} {subject} from {old} to Nice title.\n", renamed
        assert admin("list", kind, "nice")[1].startswith(f"{subject}  Nice title  ")
        for page in ("", "/report"):
            shown = somebody().http.get(f"/{kind}s/{subject}{page}").text
            assert ("Nice title" in shown, old in shown) == (True, False), page
        assert "at most 80 characters" in admin("rename", kind, subject, "x" * 81)[2]
        assert admin("rename", kind, "nowhere", "Nice title")[2] == f"pyramidion: There is no {kind} nowhere.\n"
    last = season.get()["log"][-1]
    assert (last["kind"], last["by"]) == ("retitled", "")
    assert season.do("revoked", "It was good.", entry=last["number"]).status_code == 409
    assert season.do("retitled", title="Mine").status_code == 422, "It is for operators."
    season.done("settings", title="Code Blue")
    assert admin("list", "season")[1].startswith(f"{season.id}  Code Blue  ")


def test_what_is_hidden_or_closed_already_is_not_logged_again(client, admin):
    table = Player(client)
    for words, again in (
        (("hide", "table", table.id), f"The table {table.id} is hidden already."),
        (("close", "sign-up"), "Sign-up is closed already."),
        (("open", "sign-up"), "Sign-up is open already."),
    ):
        assert admin(*words)[0] == 0
        assert admin(*words) == (1, "", f"pyramidion: {again}\n")
    assert len(admin("log")[1].splitlines()) == 3


def test_the_log_has_the_name_before_a_new_one(somebody, admin):
    ada = somebody()
    table = ada.table(title="Rude title").removeprefix("/t/")
    club = ada.post("/clubs", name="Rude Club", door="open", member="Ada").headers["location"].removeprefix("/clubs/")
    member = re.search(r'value="member:(\w+)"', ada.http.get(f"/clubs/{club}/report").text)[1]
    renamed = {
        "table": (table, "Rude title"),
        "seat": (f"{table}/1", "Ada"),
        "host": (table, "Ada"),
        "club": (club, "Rude Club"),
        "member": (f"{club}/{member}", "Ada"),
    }
    for kind, (subject, old) in renamed.items():
        assert admin("rename", kind, subject, "New")[1] == f"Renamed the {kind} {subject} from {old} to New.\n"


def test_without_a_database_a_sentence_says_so(admin):
    code, _out, complaint = admin("log")
    assert code == 1
    assert complaint.startswith("pyramidion: There is no database of Pyramidion at ")


@pytest.mark.parametrize("command", ["hide", "show"])
def test_the_help_names_only_ids_that_the_command_takes(capsys, command):
    assert main(["admin", command, "--help"]) == 0
    help_text = capsys.readouterr().out
    assert "in its address" in help_text
    assert "account" not in help_text
    assert "SEAT" not in help_text


def test_a_new_name_is_above_everything_that_somebody_wrote(server, somebody, admin):
    """In the chat of a table, in reports, in a club's announcements and in lists of blocked people."""
    ada, grace = somebody(), somebody()
    ada.sign_up("Ada")
    grace.sign_up("Rude Grace")
    table = ada.table()
    grace.post(f"{table}/sit", seat="1", name="Rude Grace")
    grace.post(f"{table}/chat", text="Good evening.")
    club = grace.post("/clubs", name="Pyramid Club", door="open", member="Rude Grace").headers["location"]
    grace.post(f"{club}/post", text="We meet on Monday.")
    ada.post(f"{club}/join", name="Ada")
    assert ada.post("/people/block", account="Rude Grace").status_code == 303
    assert ada.post("/people/Rude Grace/report", item="name").status_code == 200
    pages = (f"{table}/chat", f"{table}/report", club, f"{club}/report", "/people/me")
    assert all("Rude" in ada.http.get(page).text for page in pages)
    assert admin("rename", "account", "Rude Grace", "Gracie")[0] == 0
    server.app.server.tables.heard(table.removeprefix("/t/"))
    for page in pages:
        assert "Rude" not in ada.http.get(page).text, page
    assert "Good evening." in ada.http.get(f"{table}/chat").text
    assert "Gracie" in ada.http.get(f"{table}/chat").text
    assert "    pyramidion admin rename account Gracie\n" in admin("reports")[1]


@pytest.mark.parametrize("leaves", [False, True])
def test_those_who_hold_no_seat_are_renamed_by_a_message(server, somebody, admin, leaves):
    ada, bob, watcher = somebody(), somebody(), somebody()
    table = ada.table(**{"seat-2": "bot:policy", "chat-watchers": "on"})
    bob.post(f"{table}/sit", seat="1", name="Rude Bob")
    bob.post(f"{table}/chat", text="One.")
    watcher.post(f"{table}/chat", text="Two.", name="Rude Watcher")
    watcher.post(f"{table}/chat", text="Three.", name="Rude Watcher")
    if leaves:
        done = bob.post(f"{table}/proposals", proposal="leave:")
    else:
        done = ada.post(f"{table}/host", command="replace", seat="1", bot="policy", sure="1")
    assert done.status_code in (200, 303), done.text
    assert "Rude Bob" in ada.http.get(table).text, "The log says who has gone."
    chat = ada.http.get(f"{table}/chat").text
    messages = re.findall(r'data-line="(\w+)"', chat)
    assert chat.count("Rude") >= 3
    assert (
        admin("rename", "author", messages[0], "Bob")[1] == f"Renamed the author {messages[0]} from Rude Bob to Bob.\n"
    )
    assert admin("rename", "author", messages[1], "Watcher")[0] == 0
    server.app.server.tables.heard(table.removeprefix("/t/"))
    for page in (f"{table}/chat", f"{table}/report", table):
        assert "Rude" not in ada.http.get(page).text, page
    assert admin("rename", "author", "nosuch", "Bob")[2] == "pyramidion: There is no message nosuch.\n"


def test_a_name_of_a_second_player_at_the_screen_stays(server, somebody, admin):
    ada = somebody()
    ada.sign_up("Ada")
    table = ada.table(**{"seat-1": "here", "name-1": "Ben"})
    assert admin("rename", "account", "Ada", "Grace")[0] == 0
    listed = admin("list", "seat", table.removeprefix("/t/"))[1]
    assert f"{table.removeprefix('/t/')}/1  Grace" in listed
    assert f"{table.removeprefix('/t/')}/2  Ben" in listed


def test_a_host_who_plays_is_renamed_at_the_seat(somebody, admin):
    table = somebody().table(me="").removeprefix("/t/")
    code, _out, error = admin("rename", "host", table, "Nice")
    assert (code, error) == (1, f"pyramidion: The host of {table} plays; rename the seat {table}/1.\n")


def test_the_question_shows_what_is_removed(somebody, admin, monkeypatch, capsys):
    ada = somebody()
    table = ada.table(title="Rude title")
    ada.post(f"{table}/chat", text="You are a goose.")
    message = re.search(r'data-line="(\w+)"', ada.http.get(f"{table}/chat").text)[1]
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    asked = []
    monkeypatch.setattr("typer.confirm", lambda question, **_more: asked.append(question))
    assert "Rude title" in admin("remove", "table", table)[1]
    assert asked == [f"Delete the table {table.removeprefix('/t/')} for good?"]
    assert "There is no message" in admin("remove", "message", message)[2]


def test_what_is_closed_is_said_before_the_click(server, somebody, admin):
    """Where there was a form for it; the other ways on a page stay."""
    ada, bob = somebody(), somebody()
    ada.sign_up("Ada")
    table = ada.table(**{"seat-1": "bot:random", "seat-2": "bot:random", "start": "now"})
    doors = ["/", "/games/pyramis", "/games/pyramis/new", "/seasons", "/tournaments", "/clubs", "/people/Ada"]
    before = {door: bob.http.get(door).text for door in doors}
    admin("close", "creation")
    for door in doors:
        page = bob.http.get(door).text
        assert "allow no new tables" not in before[door], door
        assert page.count("allow no new tables") == 1, door
        buttons = ("Play now", "Play with friends", "Create season", "Create tournament", "Create club", ">Invite<")
        assert not any(button in page for button in buttons), door
        assert 'id="start">' not in page, door
    assert "Join" in bob.http.get("/").text, "A table can be joined by its code."
    assert ada.http.get(table).status_code == 200
    assert 'id="sign-up"' in bob.http.get("/account").text
    admin("close", "sign-up")
    account = bob.http.get("/account").text
    assert "accept no new accounts at present" in account
    assert 'id="sign-up"' not in account
    assert 'action="/account/sign-in"' in account
    assert bob.sign_in("Ada").status_code == 303
