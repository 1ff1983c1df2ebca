"""Accounts in a real browser, with a passkey that Chromium keeps for the test."""

import pytest
from playwright.sync_api import expect
from tests.web.helpers.axe import nothing_serious
from tests.web.helpers.browsing import Person

pytestmark = pytest.mark.browser
KEY = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}


def with_keys(browser, server, width):
    """Somebody whose device can keep passkeys; those belong to a name, never to a number."""
    person = Person(browser, server.address.replace("127.0.0.1", "localhost"), width=width)
    cdp = person.context.new_cdp_session(person.page)
    cdp.send("WebAuthn.enable")
    options = {**KEY, "isUserVerified": True, "automaticPresenceSimulation": True}
    person.keys = cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    person.cdp = cdp
    return person


def test_a_passkey_is_made_signs_in_elsewhere_and_is_removed(server, browser):
    ada = with_keys(browser, server, 390)
    ada.allowed = ("422",)
    page = ada.page
    page.goto("/games/pyramis/new")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Create table").tap()
    page.wait_for_url("**/t/*")
    table = page.url
    page.goto("/account")
    page.locator("#new-name").fill("Ada")
    page.get_by_role("button", name="Sign up with passkey").tap()
    page.wait_for_url(ada.home + "/")
    expect(page.locator(f"a[href='{table.removeprefix(ada.home)}']")).to_have_count(1)

    # The only way in cannot be removed, until there is another one.
    page.goto("/account")
    nothing_serious(page, "the account")
    page.get_by_role("button", name="Remove passkey").tap()
    assert "only way to sign in" in page.get_by_role("alert").filter(visible=True).inner_text()
    page.get_by_label("New password").fill("seven pale pebbles")
    page.get_by_role("button", name="Set password").tap()
    page.wait_for_url("**/account?done=password")
    credentials = ada.cdp.send("WebAuthn.getCredentials", {"authenticatorId": ada.keys})["credentials"]
    assert len(credentials) == 1

    # The same key in another browser: it opens the account there, seat and all.
    elsewhere = with_keys(browser, server, 1280)
    elsewhere.cdp.send("WebAuthn.addCredential", {"authenticatorId": elsewhere.keys, "credential": credentials[0]})
    elsewhere.page.goto(table)
    expect(elsewhere.page.locator("#main[data-seat]")).to_have_count(0)
    elsewhere.page.goto("/account?back=" + table.removeprefix(ada.home))
    elsewhere.page.get_by_role("button", name="Sign in with passkey").click()
    elsewhere.page.wait_for_url(table)
    assert elsewhere.page.get_attribute("#main", "data-seat") == "0"

    # A key that is removed opens nothing any more, and the page says so.
    page.goto("/account")
    page.get_by_role("button", name="Remove passkey").tap()
    page.wait_for_url("**/account?done=passkey-removed")
    stranger = with_keys(browser, server, 1280)
    stranger.allowed = ("401",)
    stranger.cdp.send("WebAuthn.addCredential", {"authenticatorId": stranger.keys, "credential": credentials[0]})
    stranger.page.goto("/account")
    stranger.page.get_by_role("button", name="Sign in with passkey").click()
    stranger.page.locator("#passkey-error").wait_for()
    assert stranger.page.inner_text("#passkey-error") == "No account uses this passkey."
    for person in (ada, elsewhere, stranger):
        assert person.problems == []
        person.context.close()
