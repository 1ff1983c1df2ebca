"""The cast of the seasons in tests."""

CAST = ("Ada", "Blaise", "Clara", "Daniel", "Emmy", "Felix", "Grace", "Hypatia", "Ines", "Jakob")
