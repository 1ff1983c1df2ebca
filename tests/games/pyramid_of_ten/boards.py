"""Browser helpers for the boards of both games: filling in the form, clicking the pyramid, using the list."""

from __future__ import annotations

import itertools
import random
import re

from playwright.sync_api import expect
from tests.web.helpers.browsing import Person

FOCUSED = "(selector) => document.activeElement.matches(selector)"


def parts(page) -> list[str]:
    """Return the parts of the submission in the form, in order."""
    return page.evaluate(
        """() => [...document.querySelectorAll("#actions .entry")].map((part) =>
            part.querySelector(".number")?.dataset.family ?? part.querySelector(".pick").dataset.family)"""
    )


def sheet(person: Person, *, shown: bool) -> None:
    """On a phone, open or close the sheet with the parts of the submission."""
    opened = person.page.get_attribute("#main", "data-sheet") == "actions"
    if person.phone and opened != shown:
        person.touch(person.page.locator("#grow"))


def save_number(person: Person, family: str, number: int) -> None:
    """Type a number and save it."""
    page, before = person.page, person.version
    sheet(person, shown=True)
    page.fill(f"#actions [name=number-{family}]", str(number))
    box = page.locator(f"#actions .number[data-family={family}]")
    person.touch(box.get_by_role("button", name="Save"))
    person.moved(before)
    assert box.locator(".saved").inner_text().split() == ["Saved:", str(number)]


def pick(person: Person, family: str, chance: random.Random) -> str:
    """Press one of a part's buttons and return its label."""
    sheet(person, shown=True)
    buttons = person.page.locator(f"#actions .pick[data-family={family}]")
    one, before = buttons.nth(chance.randrange(buttons.count())), person.version
    said = one.locator("b").inner_text()
    person.touch(one)
    person.moved(before)
    assert one.get_attribute("aria-pressed") == "true"
    return said


def challenge(person: Person, chance: random.Random) -> None:
    """Challenge on the pyramid or, if shown, in the list; check that an arrow appears."""
    page, before = person.page, person.version
    sheet(person, shown=False)
    shown = ".by-list .button" if page.locator(".by-list").is_visible() else ".ten .stand.can"
    lit = page.locator(shown)
    assert lit.count() == page.locator("#actions .pick[data-family=challenge]").count()
    person.touch(lit.nth(chance.randrange(lit.count())))
    if person.phone and shown == ".ten .stand.can":
        # A tap previews the challenge; the button below commits it.
        person.touch(page.locator("#commit"))
    person.moved(before)
    expect(page.locator(".arrows .planned")).to_have_count(1)
    expect(page.locator(".by-list .button[aria-pressed=true]")).to_have_count(1)


def fill_in(person: Person, chance: random.Random) -> list[str]:
    """Save every part of the submission on the board, and return which there were."""
    there = parts(person.page)
    for family in there:
        if family == "challenge":
            challenge(person, chance)
        elif family in ("ask", "claim"):
            pick(person, family, chance)
        else:
            most = int(person.page.get_attribute(f"#actions [name=number-{family}]", "max"))
            save_number(person, family, chance.randint(0, most))
    expect(person.page.locator("#submit").first).to_contain_text(
        f"{len(there)} of {len(there)} saved", use_inner_text=True
    )
    return there


def confirm(person: Person) -> None:
    """Confirm, and wait until the phase has closed."""
    page = person.page
    before = person.version
    person.touch(page.locator("#submit").get_by_role("button", name="onfirm"))
    person.moved(before)


def tab_to(page, selector: str) -> None:
    """Press Tab until the element matching a selector has the focus."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED, selector):
            return
    raise AssertionError(f"Tab never reaches {selector}.")


def by_keyboard(person: Person, family: str, number: int) -> None:
    """Type a number, and save and confirm it at once, without a mouse."""
    page, before = person.page, person.version
    sheet(person, shown=True)
    page.evaluate("() => document.getElementById('status').focus()")
    tab_to(page, f"[name=number-{family}]")
    page.keyboard.press("Control+A")
    page.keyboard.type(str(number))
    expect(page.locator("#actions .number.changed")).to_have_count(1)
    tab_to(page, "#submit .main")
    page.keyboard.press("Enter")
    person.page.wait_for_function(
        "(v) => Number(document.getElementById('fragment').dataset.version) > v + 1", arg=before
    )


def private_numbers(person: Person) -> list[str]:
    """Return the numbers of other players shown on the pyramid and in the list."""
    return person.page.evaluate(
        """() => [...document.querySelectorAll(".stand:not(.me) .amount, .by-list tr:not(.me) .amount")]
            .map((one) => one.textContent.trim())"""
    )


def play_to_the_end(person: Person, name: str, chance: random.Random, *, number: str, **options: str) -> dict[str, int]:
    """Play a whole game against policy bots through the board, and return how often each part was filled in.

    The first bid is made by keyboard alone; `number` is its family.
    """
    page, filled = person.page, {}
    person.start(name, ("me", *["bot:policy"] * 9), **options)
    page.wait_for_selector("#submit")
    by_keyboard(person, number, 2)
    for _ in range(60):
        person.wait()
        if person.over:
            return filled
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        if page.locator("#actions .pick[data-family=give]").count():
            before = person.version
            sheet(person, shown=True)
            person.touch(page.locator("#actions .pick").first)
            person.moved(before)
            filled["give"] = filled.get("give", 0) + 1
            continue
        for family in fill_in(person, chance):
            filled[family] = filled.get(family, 0) + 1
        confirm(person)
    raise AssertionError("The game does not end.")


def check_the_end(person: Person, closings: int) -> None:
    """Check the final page: all holdings are shown, and the result of each phase with its rule."""
    page = person.page
    expect(page.locator("#result tbody tr")).to_have_count(10)
    expect(page.locator("#result .ec")).to_have_count(1)
    expect(page.locator("#result .tokens .icon")).to_have_count(6)
    cells = page.locator("#result tbody td").all_inner_texts()
    assert all(re.fullmatch(r"-?\d+", cell) for n in range(10) for cell in cells[5 * n + 2 : 5 * n + 5])
    story = page.locator("#others .story")
    assert story.locator("details").count() + 1 >= closings
    assert story.locator("details:nth-of-type(2) li").count() > 1
    assert story.locator("li").count() == story.locator("li:has(a.rule)").count()


SIZES = ((1440, 900), (1280, 720), (1024, 768), (390, 844))
AREAS = """() => Object.fromEntries(["board", "own", "others", "actions", "result", "analysis"].map((id) => {
    const area = document.getElementById(id).getBoundingClientRect();
    return [id, { left: area.left, right: area.right, top: area.top, bottom: area.bottom, width: area.width }];
}))"""
BAD_NAMES = """() => [...document.querySelectorAll("#board .name > span:first-of-type, #own .who")]
    .filter((name) => name.checkVisibility() && (name.scrollWidth > name.clientWidth + 1 ||
        name.offsetHeight > 2.2 * parseFloat(getComputedStyle(name).fontSize)))
    .map((name) => name.textContent)"""


def check_that_the_end_fits(person: Person) -> None:
    """Check that at usual sizes the final board has room below the stage, without overlaps."""
    page = person.page
    person.touch(page.get_by_role("button", name="Show board"))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        # The replay and the analysis take the place of the actions, and the result has been closed.
        areas = {name: area for name, area in page.evaluate(AREAS).items() if area["width"]}
        assert areas.keys() >= ({"board", "own", "others", "analysis"} if width > 939 else {"board", "own"}), width
        assert areas["board"]["width"] >= (480 if width > 939 else 0.9 * width), (width, areas)
        assert min(area["width"] for area in areas.values()) >= 180, (width, areas)
        for one, other in itertools.combinations(areas.values(), 2):
            apart = one["right"] <= other["left"] or other["right"] <= one["left"]
            assert apart or one["bottom"] <= other["top"] or other["bottom"] <= one["top"], (width, areas)
        assert page.evaluate(BAD_NAMES) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
