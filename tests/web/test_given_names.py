"""Names that players get who bring none."""

from itertools import count

import pytest
from tests.web.helpers.clock import tables_with_time
from tests.web.helpers.competition_seating import RESERVED

from pyramidion.names import LONGEST, looks
from pyramidion.translation import LANGUAGES, in_language, pgettext
from pyramidion.web.errors import BadRequest
from pyramidion.web.names import player_name
from pyramidion.web.table.seats.given_names import BOT_NAMES, GUEST, GUEST_NAMES, guest_name, is_guest_name
from pyramidion.web.table.seats.plans import SeatPlan

FULLY_SHOWN = 14


@pytest.mark.parametrize("tag", LANGUAGES)
def test_guests_have_short_names_that_look_like_no_bots_and_like_no_other_guests(tag):
    with in_language(tag):
        names = [pgettext(GUEST, name) for name in GUEST_NAMES]
    assert len({looks(name) for name in (*names, *BOT_NAMES)}) == len(names) + len(BOT_NAMES)
    assert max(map(len, names)) <= FULLY_SHOWN < LONGEST
    assert [player_name(name) for name in names] == names
    assert all(map(is_guest_name, names))
    assert not any(map(is_guest_name, (*BOT_NAMES, "Nina", None)))


def test_a_guest_keeps_a_name_unless_somebody_at_the_table_has_it():
    first = guest_name("visitor")
    assert first is not None
    assert guest_name("visitor") == first
    other = guest_name("visitor", [first.upper(), None])
    assert other not in (first, None)
    assert guest_name("visitor", GUEST_NAMES) is None
    with in_language("fr"):
        assert guest_name("visitor") == pgettext(GUEST, first) != first


async def test_guests_without_a_name_get_different_ones(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        plans = [SeatPlan("me"), SeatPlan("here"), SeatPlan("open"), SeatPlan("bot", None, "policy")]
        table = await tables.create("ponzi-scheme", plans, {}, seed=1, holder="ada")
        # The second visitor would have the first one's name.
        same = next(one for one in map(str, count()) if guest_name(one) == guest_name("ada"))
        await table.sit(2, same, None)
        assert table.names[0] == guest_name("ada")
        assert table.names[1] == "Player 2", "people at one screen are told apart by their seats"
        assert table.names[2] == guest_name(same, table.names[:1])


@pytest.mark.parametrize("name", RESERVED)
def test_no_person_is_called_what_looks_like_a_declared_bot_or_a_seat_without_a_player(name):
    with pytest.raises(BadRequest):
        player_name(name)


@pytest.mark.parametrize(
    "name", ["Ana (bottle)", "Bot", "Robot 2", "Player", "Playerb 2", "Openseat", "(Bo)", "Ana [2]"]
)
def test_names_that_only_contain_such_words_are_kept(name):
    assert player_name(name) == name
