"""Clubs: members with roles, announcements, a lobby, and the seasons and tournaments that belong to them."""
