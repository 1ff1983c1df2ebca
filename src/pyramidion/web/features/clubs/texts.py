"""What pages call the roles in a club, and the ways to join it."""

from __future__ import annotations

from pyramidion.translation import marked

ROLES: dict[str, str] = {
    "owner": marked("Owner"),
    "officer": marked("Officer"),
    "member": marked("Member"),
    "asked": marked("Asks to join"),
}
DOORS: dict[str, str] = {
    "open": marked("Everyone can join"),
    "request": marked("People ask to join"),
    "link": marked("By invitation link"),
    "private": marked("Private, by invitation link"),
}
