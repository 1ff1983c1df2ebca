"""Notifications: browser, e-mail and webhooks."""
