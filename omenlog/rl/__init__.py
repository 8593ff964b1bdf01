"""Games for learners: an environment of PettingZoo, its actions and its observations. Needs the extra `omenlog[rl]`."""
