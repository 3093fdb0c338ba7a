"""Models that are refused, and a pattern that the message must match."""

KNOWN = []
