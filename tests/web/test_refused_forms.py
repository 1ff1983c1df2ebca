"""Forms that are refused: what was filled in stays, and their addresses lead to a page."""

import re

from pyramidion.web.errors import TooMany
from pyramidion.web.http.rate_limits import RateLimits


def csrf(person):
    """The fields of every form."""
    return {"csrf": person.csrf}


def test_the_address_of_a_form_leads_to_the_page_above_it(person):
    ana = person()
    table = ana.start("me", "open", me="Ana", start="when-ready")
    club = ana.say("/clubs", name="Red Club", member="Ana", door="open")
    for address, page in (
        (f"/t/{table}/room/sit", f"/t/{table}"),
        (f"/t/{table}/act", f"/t/{table}"),
        ("/tables", "/"),
        ("/account/sign-in", "/account"),
        (f"{club}/post", club),
        ("/language", "/"),
    ):
        answer = ana.get(address)
        assert (answer.status_code, answer.headers.get("location")) == (303, page), address
    assert ana.get(f"/api/tables/{table}/actions").status_code == 405
    assert ana.get("/tables", headers={"accept": "application/json"}).status_code == 405
    assert ana.delete("/clubs").status_code == 405


def test_a_page_that_answers_a_form_knows_the_page_of_the_form(person):
    ana, ben = person(), person()
    table = ana.start("me", "open", me="Ana", start="when-ready")
    home = str(ben.base_url).rstrip("/")
    sent = {**csrf(ben), "seat": "1", "name": "Ana"}
    path = f"/t/{table}/room/sit"
    refused = ben.post(path, data=sent, headers={"referer": f"{home}/t/{table}?x=1"})
    assert refused.status_code == 409
    assert f'data-here="/t/{table}?x=1"' in refused.text
    for elsewhere in ({}, {"referer": f"https://example.org/t/{table}"}):
        assert "data-here" not in ben.post(path, data=sent, headers=elsewhere).text
    assert "data-here" not in ben.get(f"/t/{table}", headers={"referer": f"{home}/"}).text
    # Without scripts the language is chosen on the form's address, which leads back to the page.
    chosen = ben.post("/language", data={"language": "fr"}, headers={"referer": f"{home}{path}"})
    assert chosen.headers["location"] == path
    page = ben.get(path, follow_redirects=True)
    assert page.url.path == f"/t/{table}"
    assert '<html lang="fr"' in page.text


def test_a_club_keeps_what_was_filled_in_and_is_deleted_on_purpose_alone(person):
    ana, ben = person(), person()
    club = ana.say("/clubs", name="Blue Club", member="Ana", door="open")
    refused = ben.form(f"{club}/join", name="Ana")
    assert refused.status_code == 400
    assert re.search(r'name="name" maxlength="40" value="Ana" data-own-name required', refused.text)
    refused = ana.form(f"{club}/webhook", webhook="nowhere")
    assert refused.status_code == 400
    assert 'value="nowhere"' in refused.text
    assert '<details class="panel" id="controls" open>' in refused.text
    refused = ana.form(f"{club}/settings", name="\u200b", door="private", about="About us")
    assert "cannot contain the character U+200B" in refused.text
    assert re.search(r">\s*About us</textarea>", refused.text)
    assert '<option value="private" selected>' in refused.text
    refused = ana.form(f"{club}/leave")
    assert "Tick the box to confirm" in refused.text
    assert ana.get(club).status_code == 200
    assert ana.say(f"{club}/leave", sure="yes") == "/clubs"
    assert ana.get(club).status_code == 404


def test_a_tournament_keeps_what_was_filled_in(person):
    ana, ben, zoe = person(), person(), person()
    fields = {"game": "pyramis", "format": "swiss", "host": "Ana", "seats": "2"}
    assert "cannot contain the character U+200B" in ana.form("/tournaments", title="\u200b \u2060", **fields).text
    path = ana.say("/tournaments", title="Open", **fields)
    assert "Remove player" not in ana.get(path).text
    zoe.say(f"{path}/join", name="Zoe")
    assert "Remove player" in ana.get(path).text
    refused = ben.form(f"{path}/join", name="zoe")
    assert "The name Zoe is taken." in refused.text
    assert 'name="name" maxlength="40" value="zoe" data-own-name required' in refused.text
    refused = ana.form(f"{path}/bot", name="Zoe", bot="hard")
    assert 'maxlength="40" value="Zoe" required' in refused.text
    assert '<option value="hard" selected>' in refused.text
    assert 'value="nowhere"' in ana.form(f"{path}/webhook", webhook="nowhere").text


def test_the_settings_of_notifications_keep_what_was_filled_in(person):
    ana = person()
    page = ana.get("/alerts").text
    # A server without mail does not offer it.
    assert "This server does not send e-mail." in page
    assert "turn.mail" not in page
    assert 'name="turn.browser"' in page
    boxes = {
        f"{kind}.{way}": "on" for kind in ("deadline", "started", "over", "line") for way in ("browser", "webhook")
    }
    fields = {**boxes, "zone": "Europe/Paris", "quiet_from": "22", "quiet_until": "7"}
    refused = ana.form("/alerts", **fields, webhook="http://example.org/")
    assert refused.status_code == 400
    for text in (refused.text, ana.get(ana.say("/alerts", **fields)).text):
        assert re.search(r'name="turn.browser" value="on"[^>]*(checked)?', text)[1] is None
        assert re.search(r'name="over.browser" value="on"[^>]*checked', text)
        assert "<option selected>Europe/Paris</option>" in text
        assert text.count('<option value="22" selected>') == text.count('<option value="7" selected>') == 1
    table = ana.start("me", "open", me="Ana")
    refused = ana.form(f"/t/{table}/webhook", webhook="nowhere")
    assert refused.status_code == 400
    assert 'value="nowhere"' in refused.text


def test_a_refused_form_is_answered_with_json_for_a_script_and_a_page_for_a_person(person):
    ana, ben = person(), person()
    table = ana.start("me", "open", me="Ana", start="when-ready")
    sent, path = {**csrf(ben), "seat": "0", "name": "Ben"}, f"/t/{table}/room/sit"
    page, script = ben.post(path, data=sent), ben.post(path, data=sent, headers={"accept": "application/json"})
    assert page.status_code == script.status_code == 409
    assert page.headers["content-type"].startswith("text/html")
    assert script.headers["content-type"] == "application/problem+json"
    assert script.json()["error"] == "seat-taken"


def test_a_page_with_a_refused_form_says_when_to_try_again(person, monkeypatch):
    def refuse(*_request):
        raise TooMany("You are too fast.", retry_after=7)

    ana = person()
    table = ana.start("me", "open", me="Ana", start="now")
    monkeypatch.setattr(RateLimits, "line", refuse)
    page = ana.form(f"/t/{table}/chat", text="Hello")
    assert (page.status_code, page.headers["retry-after"]) == (429, "7")
    assert "You are too fast." in page.text
    assert "Hello" in page.text
