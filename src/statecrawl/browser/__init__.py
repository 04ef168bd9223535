"""A real Chromium over the DevTools protocol, and the agent inside its pages."""
