"""A table: a match with people and bots, its action log, clock and seats."""
