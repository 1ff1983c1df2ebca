"""A hint, and the analysis of a game, in the browser: by pointer, by keyboard, and in numbers."""

import pytest
from tests.web.browsing import Person, careful, house

pytestmark = pytest.mark.browser
TOLD = "() => document.getElementById('advice').textContent.includes('simulated game')"
AT = "(v) => document.getElementById('fragment').dataset.version === String(v)"


def test_a_hint_then_a_game_then_its_analysis(tmp_path, browser):
    with house(tmp_path, bot_iterations=100, analysis_iterations=30) as server:
        person = Person(browser, server.address, width=390, reduced_motion="reduce")
        page = person.page
        person.start(seats=("me", "bot:policy", "bot:random"), round_limit=2)
        assert page.inner_text(".level >> nth=0") == "Beginner"
        person.wait()
        person.touch(page.locator("#ask-hint"))
        page.wait_for_function(TOLD)
        assert page.locator("#advice").is_visible()
        # It is for this position only.
        person.act(person.legal()[0])
        page.wait_for_function("() => !document.getElementById('advice')?.textContent")
        person.play(careful(4))
        # The result is on the stage; its "Analyse" leads down to the analysis.
        person.touch(page.locator("#ending-analyse"))
        person.touch(page.locator("#ask-analysis"))
        page.wait_for_selector("#analysis [data-state=ready]")
        plot, slider, last = page.locator(".plot svg"), page.locator("#position"), person.version
        assert slider.input_value() == str(last)
        # A touch on the chart moves the slider and shows the position there; the keys move the line in the chart.
        person.touch(plot, position={"x": 2, "y": 20})
        page.wait_for_function(AT, arg=0)
        start = page.get_attribute(".cursor", "x1")
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(AT, arg=1)
        assert page.get_attribute(".cursor", "x1") != start
        for link in page.locator("a[data-ply]").all():
            person.touch(link)
            wanted = int(link.get_attribute("href").split("=")[1])
            page.wait_for_function(AT, arg=wanted)
        page.locator("#analysis summary").click()
        assert page.locator("#analysis tbody tr").count() == last + 1
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert person.problems == []
