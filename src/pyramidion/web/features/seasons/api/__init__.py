"""The JSON API of seasons."""
