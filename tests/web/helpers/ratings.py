"""Helpers of the tests in `test_ratings.py`, which other tests use, too."""


def ratings_at(person, table):
    """Return the changes of a finished table, once its result is stored."""
    with person.stream("GET", f"/api/tables/{table}/stream"):
        for _ in range(200):
            found = person.get(f"/api/tables/{table}/ratings").json()
            if found:
                return found
            # The answer of any page waits for results that are being written.
            person.get("/people/me")
    raise AssertionError("The match has not been rated.")
