"""The lab in the browser: edit cards, play many games in a worker process, and compare."""
