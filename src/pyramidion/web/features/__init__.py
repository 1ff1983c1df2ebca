"""Features besides playing itself, one folder each."""
