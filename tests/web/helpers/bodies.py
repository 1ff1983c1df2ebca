"""Helpers of the tests in `test_bodies.py`, which other tests use, too."""

import json

from pyramidion.web.http.bodies import MOST_VALUES

VALUES = {
    "numbers": "[" + "1," * MOST_VALUES + "1]",
    "lists": "[" + "[]," * MOST_VALUES + "[]]",
    "objects": "[" + "{}," * MOST_VALUES + "{}]",
    "texts": json.dumps(["a,b"] * (MOST_VALUES + 1)),
    "backslashes": json.dumps(["\\"] * (MOST_VALUES + 1)),
    "keys": json.dumps(dict.fromkeys(map(str, range(MOST_VALUES + 1)))),
    "depth": "[" * (MOST_VALUES + 1),
    "an unfinished text": "[" * (MOST_VALUES + 1) + '"',
    "escapes": '"' + "\\\\" * 110_000 + '"',
}
