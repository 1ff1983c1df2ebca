"""The web app: a manifest with icons that exist, and a service worker that says when there is no connection."""

import json

import pytest
from tests.web.helpers.browsing import Person, browser_server


def test_the_manifest_names_icons_that_are_there(client):
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    told = answer.json()
    assert told["start_url"] == told["scope"] == "/"
    sizes = {icon["sizes"] for icon in told["icons"]}
    assert {"192x192", "512x512", "any"} <= sizes
    for icon in told["icons"]:
        picture = client.get(icon["src"])
        assert picture.status_code == 200
        assert picture.headers["content-type"].startswith(icon["type"])
    assert '<link rel="manifest" href="/manifest.webmanifest">' in client.get("/").text


def test_the_service_worker_stands_at_the_root_and_is_asked_for_anew(client):
    answer = client.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.browser
def test_a_page_without_a_connection_says_so(tmp_path, browser):
    with browser_server(tmp_path) as server:
        person = Person(browser, server.address)
        person.allowed = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch", "Failed to load")
        page = person.page
        page.goto("/")
        page.wait_for_function(
            "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
        )
        person.context.set_offline(True)
        page.goto("/lobby")
        assert page.get_by_role("heading", level=1).inner_text() == "You are offline"
        assert page.evaluate("() => getComputedStyle(document.querySelector('.button.main')).borderRadius") == "8px"
        person.context.set_offline(False)
        page.get_by_role("link", name="Try again").click()
        page.wait_for_selector("#lobby")
        assert person.problems == []
        person.context.close()


@pytest.mark.browser
def test_the_service_worker_shows_a_message_that_is_pushed(tmp_path, browser):
    with browser_server(tmp_path) as server:
        person = Person(browser, server.address)
        page = person.page
        page.goto("/")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
        [worker] = person.context.service_workers
        # A browser without windows shows no notifications, so the call is recorded.
        worker.evaluate(
            """() => {
                self.shown = new Promise((done) => {
                    ServiceWorkerRegistration.prototype.showNotification = async (...all) => done(all);
                });
            }"""
        )
        inspector, registrations = person.context.new_cdp_session(page), []
        inspector.on(
            "ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"])
        )
        inspector.send("ServiceWorker.enable")
        while not registrations:
            page.evaluate("() => new Promise(requestAnimationFrame)")
        message = {"id": "t/1", "title": "Your turn", "text": "Pyramis", "link": "/t/1", "icon": "/static/icon-192.png"}
        inspector.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": server.address.rstrip("/"),
                "registrationId": registrations[0]["registrationId"],
                "data": json.dumps(message),
            },
        )
        title, rest = worker.evaluate("() => self.shown")
        assert (title, rest["body"], rest["tag"]) == ("Your turn", "Pyramis", "t/1")
        assert rest["data"] == {"link": "/t/1"}
        assert person.problems == []
        person.context.close()
