"""Words that all parts of the simulator use."""

READ, WRITE = "read", "write"


class NotJudged(Exception):
    """The simulator has no model of this."""


class Wrong(Exception):
    """The plan spoils what somebody needs."""
