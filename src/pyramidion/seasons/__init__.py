"""Seasons: a cast that plays episode after episode, with a ledger; knows no game, no web and no database."""
