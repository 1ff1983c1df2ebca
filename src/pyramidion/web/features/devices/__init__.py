"""Playing on another device."""
