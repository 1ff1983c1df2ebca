"""Two people trade an envelope; nobody else ever learns what was in it.

The same game is played twice with different prices. Whatever a spectator's browser gets - page, event stream, API -
must be the same in both, and must not name the price.
"""

import json
import re

import pytest
from tests.web.helpers.browsing import Person

pytestmark = pytest.mark.browser
PRICES = (3, 7)  # no card, interest or cash at the beginning of this game is that low
SELLS, COUNTERS = "sell", "counter"
HEAR = """([page, program]) => {
    window.heard = { page: [], program: [] };
    for (const [kind, url] of [["page", page], ["program", program]]) {
        new EventSource(url).addEventListener("table", (event) => window.heard[kind].push(event.data));
    }
}"""


def _play(server, browser, price, answer):
    """Play to the end of one trade; return what the players see of the price, and all that a spectator got."""
    ana, ben, cleo, watcher = (Person(browser, server.address, reduced_motion="reduce") for _ in range(4))
    people = [ana, ben, cleo]
    ana.page.goto("/games/ponzi-scheme/new")
    ana.page.get_by_label("Your name").fill("Ana")
    ana.page.locator("#more > summary").click()
    ana.page.get_by_text("Title, seed and cards").click()
    ana.page.locator("[name=seed]").fill("envelope")
    ana.page.locator("input[name=seats][value='3'] + span").click()
    for seat in (1, 2):
        ana.page.locator(f"select[name=seat-{seat}]").select_option("open")
    ana.page.locator("#start-when").select_option("now")
    ana.page.get_by_role("button", name="Create table").click()
    ana.page.wait_for_url("**/t/*")
    url = ana.page.url
    table = url.rsplit("/", 1)[1]
    for person, name, seat in ((ben, "Ben", 1), (cleo, "Cleo", 2)):
        person.page.goto(url)
        person.page.locator("input[name=name]").fill(name)
        person.page.get_by_role("button", name=f"Join as player {seat + 1}").click()
        person.page.wait_for_selector("#own")
    watcher.page.goto(url)
    watcher.page.evaluate(HEAR, [f"/t/{table}/stream", f"/api/tables/{table}/stream"])
    watcher.page.wait_for_function("() => window.heard.page.length > 0 && window.heard.program.length > 0")

    def due():
        for person in (*people, watcher):
            person.page.wait_for_function(
                "(v) => Number(document.getElementById('fragment').dataset.version) >= v", arg=made[0]
            )
        return next(person for person in people if person.page.locator("#fragment[data-mine]").count())

    made = [0]

    def act(action):
        person = due()
        person.act(action if isinstance(action, str) else action(person.legal()))
        made[0] = person.version
        return person

    for _ in people:  # everybody takes transportation, so that any two can trade
        act(
            lambda legal: max(
                (a for a in legal if a.startswith("fund transportation")), key=lambda a: int(a.split()[-1])
            )
        )
    offerer = act(lambda legal: next(a for a in legal if a.startswith("offer")))
    act(f"amount {price}")
    other = due()
    knows = [person.page.inner_text(".slip") if person.page.locator(".slip").count() else None for person in people]
    assert "Answer the envelope" in other.headline
    act(answer)
    due()
    seen = {
        "offerer": offerer.page.inner_text("#log"),
        "other": other.page.inner_text("#log"),
        "slips": knows,
        "roles": [people.index(offerer), people.index(other)],
    }
    request = watcher.context.request
    got = {
        "content": _without_token(watcher.page.content()),
        "fragment": request.get(f"/t/{table}/fragment").text(),
        "log": request.get(f"/t/{table}/log").text(),
        **{what: request.get(f"/api/tables/{table}/{what}").text() for what in ("view", "events")},
        "table": request.get(f"/api/tables/{table}").text(),
        **watcher.page.evaluate("() => window.heard"),
    }
    record = request.get(f"/t/{table}/record.json")
    assert record.status == 403
    for person in (*people, watcher):
        assert person.problems == []
        person.context.close()
    return seen, _comparable(got, table)


def _without_token(page):
    """Leave out the visitor's form token, the place in the stream, and the marks of what has just changed."""
    return re.sub(r'(data-csrf|data-since|value)="[0-9a-f.]{6,}"| class="fresh"| fresh\b', "", page)


def _comparable(got, table):
    """Leave out what differs between any two tables: ids, and which messages who came and went brought along."""
    page_heard = {}
    for data in got["page"]:
        message = json.loads(data)
        page_heard[message["version"]] = message["html"]
    heard = [json.loads(data) for data in got.pop("program")]
    events = [event for message in heard for event in message["events"]]
    got["page"] = page_heard
    got["program"] = events
    text = json.dumps(got, sort_keys=True).replace(table, "TABLE")
    text = re.sub(r'<span class=\\"away\\">away</span>', "", text)
    return re.sub(r'"(csrf|stream_id|created|present)": ?"?[^",}]*"?|\\"present\\":(true|false)', "", text)


@pytest.mark.parametrize("answer", [SELLS, COUNTERS])
def test_only_the_two_know_the_price(server, browser, answer):
    games = [_play(server, browser, price, answer) for price in PRICES]
    for price, (seen, got) in zip(PRICES, games, strict=True):
        assert f"${price} " in seen["offerer"] or f"${price}." in seen["offerer"]
        offerer, other = seen["roles"]
        for seat, slip in enumerate(seen["slips"]):
            assert slip == (f"${price}" if seat in (offerer, other) else None)
        assert not re.search(rf"\${price}(?!\d)", got)
        assert f'"price": {price}' not in got
        assert f'\\"price\\":{price}' not in got
    assert games[0][1] == games[1][1]
