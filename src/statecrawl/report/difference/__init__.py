"""The difference between two crawls."""
