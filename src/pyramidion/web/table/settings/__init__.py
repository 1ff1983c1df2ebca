"""Table settings: their declarations, their form, and the time controls."""
