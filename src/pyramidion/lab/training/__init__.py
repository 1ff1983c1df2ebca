"""Training of learned values: positions from compiled games, a fit, and acceptance by a contest (docs/bots.md)."""
