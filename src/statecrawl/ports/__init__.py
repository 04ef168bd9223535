"""The interfaces between packages that do not import each other, and the values they exchange. Pure."""
