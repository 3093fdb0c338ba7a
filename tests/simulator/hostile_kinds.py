"""All attacks, by name: what they do in words, and the function that does it to a draft."""

import attack_places  # noqa: F401  each adds its own
import attack_times  # noqa: F401
import attack_meanings  # noqa: F401
from hostile_tools import ATTACKS

__all__ = ["ATTACKS"]
