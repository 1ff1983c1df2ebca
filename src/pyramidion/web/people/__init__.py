"""Who somebody is: accounts and passkeys, seats on other devices and at one screen, invitations, the lobby."""
