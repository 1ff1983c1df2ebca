"""What pages call the formats, paces and steps of a tournament."""

from __future__ import annotations

from pyramidion.tournaments.state import Part
from pyramidion.translation import marked

FORMATS: dict[str, str] = {
    "swiss": marked("Swiss"),
    "robin": marked("Round robin"),
    "elimination": marked("Single elimination"),
}
PACES: tuple[tuple[int, str], ...] = (
    (0, marked("One round after the other")),
    (24, marked("A round a day")),
    (168, marked("League: a round a week")),
)
"""Hours between rounds, with what they are called."""
SEEDINGS: dict[str, str] = {
    "lot": marked("Random"),
    "rating": marked("By rating"),
}
STEPS: dict[str, str] = {
    "signup": marked("Open for sign-up."),
    "seating": marked("The tables are being opened."),
    "playing": marked("The round is being played."),
    "round": marked("The next round can begin."),
    "over": marked("The tournament is over."),
}
PARTS: dict[Part, str] = {
    "playing": marked("You are taking part."),
    "waiting": marked("You are on the waiting list."),
    "withdrawn": marked("You have withdrawn."),
    "removed": marked("The host has removed you."),
}
