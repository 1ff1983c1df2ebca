"""Tournaments: sign-up, rounds, matches, standings."""
