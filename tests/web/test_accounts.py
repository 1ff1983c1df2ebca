"""Tests of accounts: sign-up, sign-in, what moves to the account, and what ends with signing out everywhere."""

import re
import threading
from contextlib import ExitStack

import httpx
import pytest
from argon2 import extract_parameters
from tests.web.conftest import Listening, Player, serving
from tests.web.helpers.accounts import PASSWORD
from tests.web.helpers.form_browser import GOOD, Browser

from pyramidion.names import key
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.accounts import passwords
from pyramidion.web.features.accounts.names import BadAccount
from pyramidion.web.features.accounts.passwords import check_password
from pyramidion.web.features.accounts.service import clean_email
from pyramidion.web.http.rate_limits import TokenBucket

COSTLY = passwords.HASHER
"""What hashes passwords outside of tests."""


@pytest.fixture
def browser(server):
    made = []
    yield lambda: made.append(Browser(server)) or made[-1]
    for one in made:
        one.http.close()


def test_an_account_keeps_its_tables_in_every_browser(browser):
    laptop, phone, nobody = browser(), browser(), browser()
    before = laptop.table()
    assert laptop.sign_up("Ada").headers["location"] == "/account?done=signed-up"
    assert laptop.seat(before) == 0
    later = phone.table()
    cookie = phone.cookie
    assert phone.sign_in("ADA").status_code == 303
    assert phone.cookie != cookie, "a session that was there before signing in goes on"
    # What the phone held has come along, and both see both.
    assert [one.seat(table) for one in (laptop, phone) for table in (before, later)] == [0, 0, 0, 0]
    assert before in laptop.http.get("/").text
    assert later in laptop.http.get("/").text
    assert nobody.seat(before) is None
    nobody.http.cookies.clear()
    nobody.http.cookies["pyramidion_visitor"] = cookie
    assert nobody.seat(later) is None, "the id that the phone had before holds the seat still"
    assert phone.post("/account/sign-out").status_code == 303
    assert phone.seat(before) is None
    assert laptop.seat(before) == 0


@pytest.mark.parametrize("ends", ["everywhere", "delete"])
def test_signing_out_everywhere_and_deletion_end_other_browsers_streams_and_tokens_at_once(browser, ends):
    mine, stolen, device = browser(), browser(), browser()
    mine.sign_up(f"Bea {ends}")
    stolen.sign_in(f"Bea {ends}")
    table = mine.table()
    code = re.search(r"[a-z0-9]{4}(-[a-z0-9]{4}){3}", mine.post(f"{table}/elsewhere").text)[0]
    assert device.post(f"{table}/come", code=code).status_code == 303
    token = {"Authorization": f"Bearer {code}"}
    api = f"/api{table.replace('/t/', '/tables/')}"
    readers = [
        (stolen.http, f"{table}/stream", {}),
        (device.http, f"{table}/stream", {}),
        (httpx.Client(base_url=mine.http.base_url, timeout=60), f"{api}/stream", token),
    ]
    ended = [threading.Event() for _ in readers]
    with ExitStack() as stack:
        for (client, path, headers), event in zip(readers, ended, strict=True):
            stream = stack.enter_context(Listening(client, path, headers, {}))

            def read(stream=stream, event=event):
                while stream.raw() is not None:
                    pass
                event.set()

            threading.Thread(target=read, daemon=True).start()
        assert stolen.seat(table) == device.seat(table) == 0
        where = {"everywhere": "/account?done=everywhere", "delete": "/"}[ends]
        assert mine.post(f"/account/{ends}", password=GOOD).headers["location"] == where
        assert [event.wait(20) for event in ended] == [True, True, True], "a stream of the seat goes on"
    readers[-1][0].close()
    assert mine.seat(table) == 0
    assert [one.seat(table) for one in (stolen, device)] == [None, None]
    assert mine.http.get(f"{api}/legal", headers=token).status_code == 401
    assert browser().post(f"{table}/come", code=code).status_code == 401, "the seat's code opens it still"
    assert "Sign in" in stolen.http.get("/account").text
    assert ("Bea" in mine.http.get("/account").text) == (ends == "everywhere")


def test_a_founder_who_signs_in_to_a_members_account_keeps_the_club(browser):
    member, founder = browser(), browser()
    member.sign_up("Olga")
    club = founder.post("/clubs", name="Pebbles", door="request", member="Founder").headers["location"]
    assert member.post(f"{club}/join", name="Olga").status_code == 303, "an open request, which falls away"
    founder.sign_in("Olga")
    owned = founder.http.get(f"/api{club}").json()
    assert (owned["role"], [one["name"] for one in owned["members"]], owned["asking"]) == ("owner", ["Founder"], [])


def test_a_new_password_ends_the_old_one_and_all_other_browsers(browser):
    mine, other = browser(), browser()
    mine.sign_up("Cleo")
    other.sign_in("Cleo")
    table = other.table()
    assert "Wrong password." in mine.post("/account/password", old="wrong", new="quite another one").text
    assert mine.post("/account/password", old=GOOD, new="short").status_code == 422
    assert mine.post("/account/password", old=GOOD, new="quite another one").status_code == 303
    assert (mine.seat(table), other.seat(table)) == (0, None)
    assert other.sign_in("Cleo").status_code == 401
    assert other.sign_in("Cleo", "quite another one").status_code == 303
    assert other.seat(table) == 0


def test_a_deleted_account_leaves_its_seats_with_the_browser_that_deleted_it(browser):
    mine, other = browser(), browser()
    mine.sign_up("Dora")
    other.sign_in("Dora")
    table = mine.table()
    assert mine.post("/account/email", email="dora@example.org").status_code == 303
    assert mine.post("/account/delete", password="wrong").status_code == 401
    assert mine.post("/account/delete", password=GOOD).status_code == 303
    assert (mine.seat(table), other.seat(table)) == (0, None)
    assert mine.sign_in("Dora").status_code == 401
    assert mine.sign_up("Dora").status_code == 303, "the name is free again"


def test_a_wrong_name_and_a_wrong_password_are_answered_alike_and_with_the_same_work(browser, monkeypatch):
    mine = browser()
    mine.sign_up("Emil")
    work = []
    verify = passwords.PasswordHasher.verify
    monkeypatch.setattr(
        passwords.PasswordHasher,
        "verify",
        lambda self, hashed, given: work.append(hashed) or verify(self, hashed, given),
    )
    stranger = browser()
    answers = [stranger.sign_in(name, "not the password").text for name in ("Emil", "Nobody of this name")]
    assert len(work) == 2
    assert len({re.sub(r'value="[^"]*"', "", answer) for answer in answers}) == 1
    # The time that it takes follows from the parameters, and they are the same.
    assert extract_parameters(passwords.UNMATCHABLE_HASH) == extract_parameters(COSTLY.hash("x"))
    assert (COSTLY.time_cost, COSTLY.memory_cost, COSTLY.parallelism) == (3, 65536, 4)


def test_names_that_look_alike_are_one(browser):
    assert key("Zoë") == key("zoe\u0308") == key("ＺＯË")
    assert browser().sign_up("Zoë").status_code == 303
    answer = browser().sign_up("ZOË")
    assert answer.status_code == 409
    assert "or one that looks like it" in answer.text


def test_a_name_that_addresses_use_is_reserved(browser):
    answer = browser().sign_up("ME")
    assert answer.status_code == 422
    assert "This name is reserved" in answer.text


@pytest.mark.parametrize(
    ("back", "leads"),
    [
        ("/t/abc", "/t/abc"),
        ("/seasons/abc/join/c1-0fz", "/seasons/abc/join/c1-0fz"),
        ("/seasons/abc/join/../../x", "/account?done=signed-up"),
        ("//evil.example", "/account?done=signed-up"),
    ],
)
def test_after_signing_in_one_is_back_where_one_came_from(browser, back, leads):
    answer = browser().post("/account/sign-up", name=f"From {back}", password=GOOD, back=back)
    assert answer.headers["location"] == leads


@pytest.mark.parametrize(
    "password", ["", "short", "a" * 20, "123456789012", "password1234", "margherita1", "margherita123", "x" * 129]
)
def test_passwords_that_are_easily_guessed_are_refused_with_a_sentence(password):
    with pytest.raises(BadAccount, match=r"password"):
        check_password(password, "Margherita")


def test_passwords_may_be_any_text():
    for password in (GOOD, "Zwölf Boxkämpfer", "七個蒼白的小石子在河裡發光了", "correct horse battery staple" * 4):
        check_password(password, "Ada")


@pytest.mark.parametrize("address", ["x", "a@b", "a@b.c\r\nBcc: x@y.z", "a b@c.de", "a@b@c.de", "<a@b.cd>", "a@b..de"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(BadRequest):
        clean_email(address)
    assert clean_email("  ") is None
    assert clean_email(" ada@example.org ") == "ada@example.org"


def test_too_many_attempts_are_refused_for_an_address_and_for_a_name(tmp_path):
    with (
        serving(tmp_path, limit_loopback=True, attempts_per_minute=3) as server,
        httpx.Client(base_url=server.address, timeout=60) as client,
    ):
        body = {"name": "Ada", "password": "nothing like it"}

        def status(address):
            return client.post("/api/session", json=body, headers={"X-Forwarded-For": address}).status_code

        assert [status("203.0.113.1") for _ in range(4)] == [401, 401, 401, 429]
        # Another address does not help with the same name, and does with another one.
        assert status("203.0.113.2") == 429
        body["name"] = "Bob"
        assert status("203.0.113.3") == 401


SPACES = [chr(code) for code in range(0x110000) if chr(code).isspace()]
INVISIBLE = ["\u200b", "\u200d", "\u2060", "\ufe0f", "\u00ad", "\u061c", "\U000e0041"]


def test_no_spelling_of_a_name_has_attempts_of_its_own(tmp_path):
    with (
        serving(tmp_path, limit_loopback=True) as server,
        httpx.Client(base_url=server.address, timeout=60) as client,
    ):
        client.post("/api/account", json={"name": "Ada Of", "password": GOOD})
        client.cookies.clear()
        # No attempt comes back while the test runs, however slow the machine is.
        server.app.server.limits._attempts = TokenBucket(1e-6, 3)
        addresses = (f"203.0.{high}.{low}" for high in range(256) for low in range(1, 255))

        def status(name, password):
            body, headers = {"name": name, "password": password}, {"X-Forwarded-For": next(addresses)}
            answer = client.post("/api/session", json=body, headers=headers)
            client.cookies.clear()
            return answer.status_code

        assert [status("Ada Of", "nothing like it") for _ in range(4)] == [401, 401, 401, 429]
        more = [f"{sign}Ada{sign}Of{sign}" for sign in SPACES]
        more += [form.format(sign) for sign in (*SPACES, *INVISIBLE) for form in ("{}Ada Of", "Ada {}Of", "Ada Of{}")]
        more += ["ADA OF", "ada of", "ＡＤＡ　ＯＦ", "Ada  Of", "Ada" + 90 * " " + "Of", 150 * " " + "Ada Of"]
        answers = {name: status(name, GOOD) for name in more}
        assert set(answers.values()) <= {401, 429}, "a spelling signs in, and was not counted"
        assert {answers[f"Ada {sign}Of"] for sign in SPACES} == {429}, "a spelling is not counted"


def test_a_browser_that_has_signed_in_before_is_not_locked_out_by_others(tmp_path):
    limits = {"limit_loopback": True, "attempts_per_minute": 3}
    with serving(tmp_path, **limits) as server, httpx.Client(base_url=server.address, timeout=60) as mine:

        def signing_in(client, address, password=GOOD, name="Ada"):
            headers = {"X-Forwarded-For": address}
            if "pyramidion_visitor" in client.cookies:
                page = client.get("/account", headers=headers).text
                headers["X-CSRF"] = re.search(r'name="csrf" value="(\w+)"', page)[1]
            body = {"name": name, "password": password}
            return client.post("/api/session", json=body, headers=headers)

        made = mine.post("/api/account", json={"name": "Ada", "password": GOOD})
        out = mine.delete("/api/session", headers={"X-CSRF": made.json()["csrf"]})
        assert out.status_code == 204
        with httpx.Client(base_url=server.address) as others:
            for number in range(4):
                answer = signing_in(others, f"203.0.113.{number}", "nothing like it")
            assert answer.status_code == 429
            # Neither does it help to be known from an account of one's own.
            others.post("/api/account", json={"name": "Eve", "password": GOOD}, headers={"X-Forwarded-For": "9.9.9.9"})
            assert signing_in(others, "203.0.113.77").status_code == 429
            others.cookies.set("pyramidion_known", mine.cookies["pyramidion_known"] + "x")
            assert signing_in(others, "203.0.113.78").status_code == 429
        assert signing_in(mine, "198.51.100.1").status_code == 200
        # It has so many attempts as anybody, and no more.
        answers = [signing_in(mine, f"198.51.100.{n}", "nothing like it").status_code for n in range(4)]
        assert answers[-1] == 429


def test_who_comes_with_a_seats_code_is_not_locked_out_by_others(tmp_path):
    limits = {"limit_loopback": True, "attempts_per_minute": 3}
    with serving(tmp_path, **limits) as server, httpx.Client(base_url=server.address) as client:
        table = Player(client, ["me", "me", "me"])

        def comes(address, code):
            headers = {"X-Forwarded-For": address}
            with httpx.Client(base_url=server.address, headers=headers) as browser:
                csrf = re.search(r'name="csrf" value="(\w+)"', browser.get(f"/t/{table.id}/come").text)[1]
                return browser.post(f"/t/{table.id}/come", data={"csrf": csrf, "code": code}).status_code

        assert {comes(f"203.0.113.{number}", "wrong") for number in range(6)} == {401}
        assert [comes("203.0.113.99", "wrong") for _ in range(4)][-1] == 429
        assert comes("198.51.100.1", table.tokens[0]) == 303


def test_programs_have_accounts_too(server):
    with httpx.Client(base_url=server.address, timeout=60) as client:
        order = {"name": "Robot", "password": GOOD}
        assert client.get("/api/account").json()["error"] == "not-signed-in"
        made = client.post("/api/account", json=order)
        assert made.status_code == 201
        csrf = {"X-CSRF": made.json()["csrf"]}
        assert client.put("/api/account/email", json={"email": "r@example.org"}).json()["error"] == "forged"
        changed = client.put("/api/account/email", json={"email": "r@example.org"}, headers=csrf).json()
        assert (changed["email"], changed["password"], changed["passkeys"]) == ("r@example.org", True, [])
        for hidden in ("holder", "$argon2", GOOD):
            assert hidden not in made.text
        elsewhere = {**csrf, "Origin": "https://evil.example"}
        assert client.post("/api/session", json=order, headers=elsewhere).status_code == 403
        fresh = client.post("/api/account/sign-out", headers=csrf).json()["csrf"]
        assert fresh != csrf["X-CSRF"]
        assert client.delete("/api/session", headers={"X-CSRF": fresh}).status_code == 204
        assert client.get("/api/account").status_code == 401


def test_a_seat_of_two_browsers_that_became_one_persons_is_opened_one_at_a_time(browser):
    one, two = browser(), browser()
    table = one.table()
    two.post(f"{table}/sit", seat="1", name="Bo")
    one.sign_up("Fay")
    two.sign_in("Fay")
    assert one.seat(table) is None, "neither seat is shown before it is opened"
    assert "You are watching" in one.http.get(table).text


def test_what_is_stored_does_not_tell_a_password(tmp_path):
    with serving(tmp_path) as server, httpx.Client(base_url=server.address) as client:
        Player(client)
        client.post("/api/account", json={"name": "Gil", "password": GOOD})
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("pyramidion.sqlite3*"))
    assert b"Gil" in stored
    assert GOOD.encode() not in stored
    assert b"$argon2id$" in stored


def test_what_is_no_passkey_of_this_visitor_and_site_is_refused(server):
    address = server.address.replace("127.0.0.1", "localhost")
    with httpx.Client(base_url=address, timeout=60) as one, httpx.Client(base_url=address, timeout=60) as other:
        for client in (one, other):
            page = client.get("/account").text
            client.headers["X-CSRF"] = re.search(r'name="csrf" value="(\w+)"', page)[1]
        begun = one.post("/api/account/passkeys/options", json={"name": "Hanna"}).json()
        assert begun["options"]["rp"]["id"] == "localhost"
        nonsense = {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": {"clientDataJSON": "AAAA"}}
        for client, state in ((other, begun["state"]), (one, begun["state"] + "x"), (one, "")):
            answer = client.post("/api/account/passkeys", json={"state": state, "credential": nonsense})
            assert "has expired" in answer.json()["detail"]
        for credential in (nonsense, {}, {"id": 7}, {"id": "A" * 5000}):
            made = one.post("/api/account/passkeys", json={"state": begun["state"], "credential": credential})
            assert made.status_code == 422, made.text
        ask = one.post("/api/session/passkey/options").json()
        assert "allowCredentials" not in ask["options"] or ask["options"]["allowCredentials"] == []
        for credential in (nonsense, {}, {"id": 7}, {"id": "A" * 5000}):
            answer = one.post("/api/session/passkey", json={"state": ask["state"], "credential": credential})
            assert answer.json()["detail"] == "No account uses this passkey."
        # A challenge to make a passkey is none to sign in with.
        answer = one.post("/api/session/passkey", json={"state": begun["state"], "credential": nonsense})
        assert answer.status_code == 422
    with httpx.Client(base_url=server.address) as numbered:
        answer = numbered.post("/api/session/passkey/options")
        assert "a domain name" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("games.example.org", "opened without HTTPS"),
        ("192.168.1.7:8000", "opened without HTTPS"),
        ("127.0.0.1:8000", "has no domain name"),
        ("localhost:8000", "not available in this browser"),
    ],
)
def test_pages_without_passkeys_say_why_and_do_not_advise_them(client, host, reason):
    page = client.get("/account", headers={"host": host}).text
    advice = re.search(r'<p class="quiet no-passkeys">(.*?)</p>', page, re.S)[1]
    assert reason in advice
    assert "second way" not in advice


def test_signing_up_ends_with_what_to_do_next(person):
    ana = person()
    assert ana.say("/account/sign-up", name="Ana Next", password=PASSWORD) == "/account?done=signed-up"
    page = ana.get("/account?done=signed-up").text
    assert "Your account is ready" in page
    assert "Next, play a game" in page
