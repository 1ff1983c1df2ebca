"""Nothing that can be pressed, and no title, is cut off at a table: in every language and on five sizes."""

from pathlib import Path
from unittest import mock

import pytest
from tests.web.helpers.browsing import Person, browser_server
from tests.web.helpers.midgame import Seated, SettledBot
from tests.web.helpers.one_screen import DESKS, DRAWN, PHONES

from pyramidion.engine import registry
from pyramidion.translation import LANGUAGES

pytestmark = pytest.mark.browser
CUT = (Path(__file__).parents[1] / "helpers" / "cut_text.js").read_text("utf-8")
DECISIONS = {"ponzi-scheme": 10, "pyramid-scheme": 12, "pyramis": 9, "pyramid-shambo": 3}
"""After how many decisions a table is looked at; of the other games, first of all."""


@pytest.fixture(scope="module")
def settled(tmp_path_factory):
    """A server whose bots choose by the position: they lead to the same positions on every machine."""
    bots = mock.patch("pyramidion.web.features.bots.runner.bot_of", lambda game, _name: SettledBot(game))
    with bots, browser_server(tmp_path_factory.mktemp("cut")) as server:
        yield server


@pytest.mark.parametrize("game_id", registry.own_ids())
def test_no_text_is_cut_in_any_language(settled, browser, game_id):
    wrong = {}
    with Seated(settled.address, game_id, registry.load(game_id).usual_seats, f"cut {game_id}") as seated:
        assert seated.go_on(DECISIONS.get(game_id, 0))
        for sizes in (DESKS, PHONES):
            person = Person(browser, settled.address, width=sizes[0][0], reduced_motion="reduce")
            cookies = {seated.cookie["name"]: seated.cookie["value"]}
            for tag in LANGUAGES:
                values = {**cookies, "pyramidion_language": tag}
                person.context.add_cookies([{"name": k, "value": v, "url": settled.address} for k, v in values.items()])
                person.page.goto(seated.path)
                person.page.wait_for_function(DRAWN)
                for width, height in sizes:
                    person.page.set_viewport_size({"width": width, "height": height})
                    for fault in person.page.evaluate(CUT):
                        wrong.setdefault(fault, []).append(f"{tag} {width}x{height}")
            assert person.problems == []
            person.context.close()
    assert not wrong, "\n".join(f"{fault}: {', '.join(where)}" for fault, where in wrong.items())
