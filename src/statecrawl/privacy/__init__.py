"""What is secret in a text, and how it is redacted or sealed. Pure."""
