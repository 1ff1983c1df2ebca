"""A table: a match with people and bots, its journal, clock and seats."""
