"""Bots at the tables, hints and analyses: who thinks where, and what people are told of it."""
