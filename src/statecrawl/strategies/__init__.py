"""What to try next: one module per strategy, all over the same searches, and the offline bounds. Pure."""
