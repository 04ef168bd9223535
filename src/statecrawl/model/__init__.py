"""The model of an application: states, events, transitions, their costs, and path searches. Pure."""
