"""Accounts, passwords and passkeys."""
