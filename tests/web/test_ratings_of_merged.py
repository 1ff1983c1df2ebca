"""Ratings after any order of rated games, sign-ins, sign-outs everywhere and deletions."""

from functools import cache

import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.web.helpers.identity_changes import add, add_match, rows

from pyramidion.web.db import identity_changes
from pyramidion.web.db.schema import ACCOUNTS, METADATA, RATINGS, RESULTS, SEATS
from pyramidion.web.features.ratings.calculation import latest, rate, rebuild

NAMES = ("ana", "ben", "cem")
STEPS = st.one_of(
    st.tuples(st.just("begin"), st.permutations(NAMES), st.booleans()),
    st.tuples(st.just("finish"), st.permutations((0.0, 1.0))),
    st.tuples(st.sampled_from(["delete", "sign in", "renew"]), st.sampled_from(NAMES)),
)


class World:
    """Accounts of three names, with a browser each, which play for two at a time."""

    def __init__(self, connection):
        self.connection = connection
        self.made, self.open = 0, []
        self.holders = {}
        for name in NAMES:
            self.sign_up(name)

    def new_id(self, what):
        self.made += 1
        return f"{what}-{self.made}"

    def sign_up(self, name):
        self.holders[name] = self.new_id(name)
        add(self.connection, ACCOUNTS, id=name, holder=self.holders[name])

    def begin(self, order, rated):
        match = self.new_id("match")
        add_match(self.connection, match, rated=rated, game="pyramis")
        for seat, name in enumerate(order[:2]):
            add(self.connection, SEATS, match=match, seat=seat, kind="person", holder=self.holders[name])
        self.open.append((match, rated))

    def finish(self, payoffs):
        if not self.open:
            return
        match, rated = self.open.pop(0)
        self.made += 1
        matches = METADATA.tables["matches"]
        self.connection.execute(sa.update(matches).where(matches.c.id == match).values(finished=self.made))
        seats = rows(self.connection, SEATS, match=match)
        several = len({seat["holder"] for seat in seats}) < len(seats)
        for seat, payoff in zip(seats, payoffs, strict=True):
            person = None if several else seat["holder"]
            add(self.connection, RESULTS, match=match, seat=seat["seat"], person=person, payoff=payoff)
        assert not (rated and several), "one person sits on both seats of a rated game"
        if rated:
            rate(self.connection, match)

    def delete(self, name):
        """Delete an account and sign up anew; the browser that is left signs in to another account at once."""
        browser, other = self.new_id("browser"), NAMES[NAMES.index(name) - 1]
        identity_changes.delete(self.connection, name, browser, browser)
        before = self.known(other)
        identity_changes.merge(self.connection, browser, self.holders[other])
        assert self.known(other) == before, "a rating was swapped for another one"
        self.sign_up(name)
        assert self.known(name) == []

    def sign_in(self, name):
        guest = self.new_id("guest")
        self.begin((name, name), False)
        match, _rated = self.open[-1]
        self.connection.execute(sa.update(SEATS).where(SEATS.c.match == match, SEATS.c.seat == 0).values(holder=guest))
        before = self.known(name)
        identity_changes.merge(self.connection, guest, self.holders[name])
        assert self.known(name) == before

    def renew(self, name):
        old, new = self.holders[name], self.new_id(name)
        before = self.known(name)
        identity_changes.renew(self.connection, old, new)
        self.connection.execute(sa.update(ACCOUNTS).where(ACCOUNTS.c.id == name).values(holder=new))
        self.holders[name] = new
        assert self.known(name) == before

    def known(self, name):
        found = latest(self.connection, "pyramis", {self.holders[name]})
        return list(found.values())


@cache
def database():
    engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool)
    METADATA.create_all(engine)
    return engine


@settings(max_examples=100, deadline=None)
@given(st.lists(STEPS, max_size=25))
def test_live_and_rebuilt_ratings_agree(steps):
    with database().connect() as connection, connection.begin() as transaction:
        world = World(connection)
        for what, *more in steps:
            getattr(world, what.replace(" ", "_"))(*more)
        while world.open:
            world.finish((1.0, 0.0))
        live = rows(connection, RATINGS)
        rebuild(connection)
        assert rows(connection, RATINGS) == live
        transaction.rollback()
