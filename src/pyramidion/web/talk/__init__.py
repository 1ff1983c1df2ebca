"""What people tell each other, and what they are told while they do not look: chat, notes, messages."""
