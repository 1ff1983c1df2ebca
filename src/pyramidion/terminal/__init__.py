"""Terminal client: the same views, notation and explanations as in the browser, rendered with Rich."""
