"""A hint, the coach's question, and the analysis of a game, in the browser: by pointer, by keyboard, and in numbers."""

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person, browser_server, careful

from pyramidion.web.features.hints.coach import Coach

pytestmark = pytest.mark.browser
TOLD = "() => document.getElementById('hint-text').textContent.includes('positions examined')"
AT = "(v) => document.getElementById('fragment').dataset.version === String(v)"


def test_a_hint_then_a_game_then_its_analysis(tmp_path, browser):
    # With 30 iterations, one game in twenty has no decision that is certainly costly; with these, none of 250 had none.
    with browser_server(tmp_path, bot_iterations=100, analysis_iterations=400) as server:
        person = Person(browser, server.address, width=390, reduced_motion="reduce")
        page = person.page
        person.start(seats=("me", "bot:policy", "bot:random"), round_limit=2)
        assert page.inner_text(".level >> nth=0") == "Rule-based"
        person.wait()
        person.touch(page.locator("#ask-hint"))
        page.wait_for_function(TOLD)
        expect(page.locator("#hint-text")).to_be_visible()
        # Its pieces are marked on the board.
        expect(page.locator("#fragment .hinted")).not_to_have_count(0)
        # Those of other players and one's own tiles are no part of funding.
        expect(page.locator(":is(#others, #own) .hinted")).to_have_count(0)
        # It is for this position only.
        person.act(person.legal()[0])
        page.wait_for_function("() => !document.getElementById('hint-text')?.textContent")
        expect(page.locator("#fragment .hinted")).to_have_count(0)
        person.play(careful(4))
        # The result is on the stage; one touch leads from there to the analysis, and begins it.
        last = person.version
        person.touch(page.locator("#ending-analyse"))
        page.wait_for_selector("#analysis [data-state=ready]")
        plot, slider = page.locator(".plot svg"), page.locator("#position")
        # A phone shows the first decision; the chart is one touch away.
        expect(page.locator(".decision:visible")).to_have_count(1)
        person.open_replay()
        # A touch on the chart moves the slider and shows the position there; the keys move the line in the chart.
        person.touch(plot, position={"x": 2, "y": 20})
        page.wait_for_function(AT, arg=0)
        start = page.get_attribute(".cursor", "x1")
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(AT, arg=1)
        assert page.get_attribute(".cursor", "x1") != start
        for link in page.locator(".costly a[data-ply]").all():
            person.touch(link)
            wanted = int(link.get_attribute("href").split("=")[1])
            page.wait_for_function(AT, arg=wanted)
            # A phone shows this decision alone, below the board and never over it; the rest is one touch away.
            expect(page.locator(".decision:visible")).to_have_count(1)
            board, words = page.locator("#board").bounding_box(), page.locator("#aftermath").bounding_box()
            assert board["height"] > 100
            assert board["y"] + board["height"] <= words["y"] + 1
            person.open_replay()
        # The same decisions stand in the list of what the replay can jump to.
        costly = page.locator("#chapters optgroup option")
        assert costly.all_text_contents() == page.locator(".costly a[data-ply]").all_text_contents() != []
        page.locator("#chapters").select_option("0")
        page.wait_for_function(AT, arg=0)
        page.locator("#chapters").select_option(costly.first.get_attribute("value"))
        costliest = page.locator(".costly a[data-ply]").first.get_attribute("href")
        page.wait_for_function(AT, arg=int(costliest.split("=")[1]))
        page.locator("#analysis summary").click()
        assert page.locator("#analysis tbody tr").count() == last + 1
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        # The list is there at every position that a link leads to, as the one back from a trial does.
        page.goto(costliest)
        expect(page.locator(".costly a[data-ply]")).not_to_have_count(0)
        assert person.problems == []


def test_the_coach_asks_and_the_move_is_made_only_if_one_insists(tmp_path, browser, monkeypatch):
    answers = ["Sure? You would lose.", "Sure? You would lose.", None]

    async def warning(_self, _table, _seat, _action):
        return answers.pop(0)

    monkeypatch.setattr(Coach, "warning", warning)
    with browser_server(tmp_path) as server:
        person = Person(browser, server.address, reduced_motion="reduce")
        page = person.page
        page.goto("/games/ponzi-scheme/new")
        csrf = page.input_value("[name=csrf] >> nth=0")
        seats = {"seats": "3", "seat-0": "me", "seat-1": "bot:policy", "seat-2": "bot:policy"}
        form = {"csrf": csrf, "game": "ponzi-scheme", **seats, "coach": "yes", "start": "now"}
        page.goto(page.request.post("/tables", form=form).url)
        person.wait()
        person.allowed = ("409",)
        before, move, sure = person.version, page.locator("#actions .quick [value=pass]"), page.locator("#sure")
        move.click()
        sure.wait_for()
        assert page.inner_text("#sure-text") == "Sure? You would lose."
        page.keyboard.press("Escape")
        sure.wait_for(state="hidden")
        assert person.version == before
        move.click()
        sure.get_by_role("button", name="Play it anyway").click()
        page.wait_for_function("(v) => Number(document.getElementById('fragment').dataset.version) > v", arg=before)
        assert answers == []
        assert person.problems == []
