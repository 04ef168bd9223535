"""What was measured, for people: facts become plain dataclasses, and those become files."""
