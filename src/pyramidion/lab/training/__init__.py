"""Training of a policy, and acceptance by a contest (docs/bots.md)."""
