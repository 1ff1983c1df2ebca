"""Helpers of the tests in `test_runner.py`, which other tests use, too."""

LAST = {"round_limit": 2}
