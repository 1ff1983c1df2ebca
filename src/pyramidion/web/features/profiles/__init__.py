"""Players' results, computed from the records of finished games."""
