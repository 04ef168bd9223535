"""URLs: canonical form, patterns of similar URLs, and extraction from everything that a server sends. Pure."""
