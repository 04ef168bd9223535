"""The application's model: states, events, transitions, what they cost and how to get about in them. Pure."""
