"""The people one plays with: invitations to a new game, and blocks."""
