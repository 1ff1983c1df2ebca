"""An experiment: its specification, its compiled counters, the runner, and the result."""
