"""Moves: what an action, a deadline or an absent player changes, planned before it is stored."""
