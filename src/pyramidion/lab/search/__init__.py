"""Search over parameters: sweeps, tuning, and their objectives."""
