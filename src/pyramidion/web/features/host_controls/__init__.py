"""Host controls: console, commands, transcript."""
