"""Tournaments: players who meet at tables in rounds, and standings; knows no game, no web and no database."""
