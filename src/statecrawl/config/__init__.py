"""What a person asks for, checked: arguments become frozen dataclasses that are valid once they exist."""
