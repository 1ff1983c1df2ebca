"""Puzzles: positions in which one action is clearly better, to be solved in the browser."""
