"""The seams between the parts that do not know each other, and the values they exchange. Pure."""
