"""Ratings of people and bots, and leaderboards."""
