"""Hotseat: several players at one screen."""
