"""Seasons: cast, episodes, ledger and everything else that hosts run."""
