"""Rendering: templates, assets, fragments and the rules page."""
