"""The built-in bots by name."""

from collections.abc import Mapping

from service.bots import curious, random, steady
from service.bots.memory import Brain

BRAINS: Mapping[str, Brain] = {"steady": steady.choose, "curious": curious.choose, "random": random.choose}
