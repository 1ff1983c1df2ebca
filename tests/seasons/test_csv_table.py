"""Tables as spreadsheets write them, and the round trip of what is exported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.event_log import Entry
from pyramidion.seasons.cast_file import read_cast
from pyramidion.seasons.csv_table import MARK, SEPARATORS, numbered_rows, written
from pyramidion.seasons.events import CastAdded, SettingsChanged
from pyramidion.seasons.fold import fold
from pyramidion.seasons.season import Season

CELLS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
    st.text("'=+-@ \t;,\"\r\n\uff1d", max_size=5),
)
LINES = [("name", "garnets", "priority", "bot"), ("@Oz", "4", "2", ""), ("Zoë; Ann", "1", "", "policy")]


def season(*names):
    events = [SettingsChanged("Red"), *(CastAdded(name, 3, 1) for name in names)]
    return fold([Entry(number, 0, "h1", event) for number, event in enumerate(events, 1)])


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1), st.sampled_from([",", *SEPARATORS.values()]))
def test_what_is_written_is_read_back(rows, separator):
    kept = [list(row) for row in rows if any(map(str.strip, row))]
    for mark in ("", MARK):
        text = written([{"name": name, "other": other} for name, other in rows], separator)
        assert [row for _line, row in numbered_rows(mark + text)][1:] == kept


@given(st.lists(CELLS, min_size=2, max_size=2))
def test_no_cell_that_is_written_is_a_formula(cells):
    for value in read_raw(written([{"a": cell} for cell in cells])):
        assert not value.lstrip(" ").startswith(tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"))


def read_raw(text):
    import csv
    from io import StringIO

    return [cell for row in csv.reader(StringIO(text, newline="")) for cell in row]


@pytest.mark.parametrize("mark", ["", MARK])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("said", ["", "sep={0}", '"sep={0}"'])
@pytest.mark.parametrize("quoted", [False, True])
def test_a_cast_is_read_however_a_spreadsheet_wrote_it(mark, separator, end, said, quoted):
    def cell(text):
        return f'"{text}"' if quoted or ";" in text else text

    lines = [separator.join(map(cell, line)) for line in LINES]
    text = mark + end.join([said.format(separator)] * bool(said) + lines) + end
    events, plan = read_cast(Season(), text, {"policy": "policy"})
    assert events == [CastAdded("@Oz", 4, 2), CastAdded("Zoë; Ann", 1, 0, "policy")]
    assert [one.name for one in plan] == ["@Oz", "Zoë; Ann"]


@pytest.mark.parametrize("separator", [",", ";"])
def test_an_exported_cast_that_is_read_back_changes_nothing(separator):
    names = ["@Oz", "'@Oz2", "=1+1", "-", "'", "Zoë", "A, B; C", 'D "E"', "\uff1dF", "'Ana'"]
    cast = season(*names)
    rows = [{"id": one.id, "name": one.name, "garnets": 3, "priority": 1} for one in cast.cast.values()]
    events, plan = read_cast(cast, MARK + written(rows, separator), {})
    assert events == []
    assert [one.name for one in plan] == names


@pytest.mark.parametrize(
    "text",
    [
        '"a,b,c";2\n\nd;3',
        '"a,b,c"\t2\r\nd\t3',
        '\n"a;b;c",2\nd,3',
        '"a\n,,;;b";2',
        MARK + MARK + "a;2\n" + MARK + "d;3",
        MARK + '"a";2\n' + MARK + '"d";3',
    ],
)
def test_signs_in_quotation_marks_separate_nothing_and_marks_are_left_out_anywhere(text):
    rows = [row for _line, row in numbered_rows(text)]
    assert [row[1] for row in rows] == ["2", "3"][: len(rows)]
    assert MARK not in str(rows)
