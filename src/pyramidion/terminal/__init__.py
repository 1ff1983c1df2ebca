"""A table in the terminal: the same views, notation and explanations as in the browser, drawn by Rich."""
