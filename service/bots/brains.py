"""The built-in bots by name."""

from collections.abc import Mapping

from service.bots import random, steady
from service.bots.memory import Brain

BRAINS: Mapping[str, Brain] = {"steady": steady.choose, "random": random.choose}
