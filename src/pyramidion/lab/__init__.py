"""Many games at once: speed, experiments and reports."""
