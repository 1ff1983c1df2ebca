"""Helpers of the tests in `browser/test_seasons.py`, which other tests use, too."""

import re

from playwright.sync_api import expect
from tests.web.helpers.browser_whole_games import one_step
from tests.web.helpers.browsing import READY

MOST_TURNS, MOST_LOOKS = 3000, 500
"""How often people are asked for a turn, and a page for the end of a match, before a test fails."""


def tab(page, name):
    """Open a tab of the host's console, from wherever a host may be."""
    season = page.url.split("/host")[0]
    page.goto(f"{season}/host" if name == "now" else f"{season}/host?tab={name}")


def begin(page, names):
    page.goto("/")
    page.get_by_role("link", name="Seasons").click()
    page.fill("[name=title]", "Code Red")
    page.fill("[name=host]", "Hal")
    page.get_by_role("button", name="Create season").click()
    page.wait_for_url("**/host")
    tab(page, "cast")
    page.get_by_text("Paste from a spreadsheet").click()
    page.fill("[name=csv]", "\n".join(f"{name};8;{nth};random" for nth, name in enumerate(names)))
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview-count")).to_contain_text(f"{len(names)} new contestants")
    expect(page.locator("#preview tbody tr").first).to_contain_text(re.compile(rf"{re.escape(names[0])}.*Bot: Random"))
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**/host?tab=cast#cast")
    tab(page, "now")


def waits(page, words):
    """Reload the page when it no longer says that a match is being played."""
    over = page.evaluate(
        """async ([words, most]) => {
            for (let looks = 0; looks < most; looks++) {
                if (!(await (await fetch(location.href)).text()).includes(words)) return true;
                await new Promise((again) => setTimeout(again, 400));
            }
            return false;
        }""",
        [words, MOST_LOOKS],
    )
    assert over, f"The match does not end: {page.inner_text('#main')}"
    page.reload()


def turn(person, chance):
    """Do something that is offered; now and then it is to confirm, since a phase takes so many changes and no more."""
    confirm, before = person.page.locator("[form=act][value=confirm]:visible"), person.version
    if confirm.count() and chance.random() < 0.3:
        person.touch(confirm.first)
        person.moved(before)
    else:
        one_step(person, chance)


def play(people, chance):
    """Let those who have a table go there from the season's page, and play until their matches are over."""
    seated, turns = [], 0
    for person in people:
        answer = person.page.reload()
        assert answer.ok, answer.status
        if (link := person.page.get_by_role("link", name="Go to your table")).count():
            season = person.page.url
            link.click()
            person.page.wait_for_selector("#fragment")
            seated.append((person, season))
    while seated:
        due = [(person, season) for person, season in seated if person.page.evaluate(READY)]
        for person, season in due:
            if not person.over:
                turn(person, chance)
                continue
            person.page.wait_for_selector("body[data-ending] #result")
            assert person.problems == []
            person.page.goto(season)
            seated.remove((person, season))
        turns += 1
        assert turns < MOST_TURNS, [person.page.inner_text("#main") for person, _ in seated]
        if not due:
            seated[0][0].page.wait_for_timeout(50)  # any of several pages may be next


def choose(page):
    """Choose the first of those offered for each place in a result for which nobody is proposed."""
    for field in page.locator("#next select[required]").all():
        if not field.input_value():
            field.select_option(index=1)


def episode(page, game, duel, people=(), chance=None):
    """Play an episode with the fewest clicks; return how many there were, without the one that decides a tie."""
    clicks = 0

    def press(name):
        nonlocal clicks
        with page.expect_navigation():
            page.get_by_role("button", name=name).click()
        clicks += 1

    def watch(words):
        play(people, chance)
        waits(page, words)

    if page.locator("#next select[name=game]").count():
        page.locator("#next select[name=game]").select_option(game)
    page.locator("#next select[name=duel]").select_option(duel)
    press(re.compile("Start episode|Start the final"))
    watch("The main match is being played.")
    if page.get_by_role("button", name="Enter result").count() and page.locator("select[name=candidate]").count():
        # The form proposes the last of the match as candidate, if there is one, who can have no token.
        choose(page)
        candidate = page.locator("select[name=candidate]").input_value()
        page.fill(f"[name=tokens-{candidate}]", "0")
        press("Enter result")
    if page.get_by_role("button", name="Name opponent").count():
        choose(page)
        press("Name opponent")
    if page.get_by_role("button", name="Start death match").count():
        press("Start death match")
    watch("The death match is being played.")
    tied = page.locator("#next").get_by_text("The death match ended in a tie.").count()
    if page.get_by_role("button", name="Enter result").count():
        choose(page)
        press("Enter result")
    else:
        assert not tied
    press(re.compile("Eliminate"))
    return clicks - tied
