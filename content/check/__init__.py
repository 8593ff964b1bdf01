"""The static checker: what can be wrong in a pack that has the right shape.

One module for each topic, one small function for each check; a check reads typed content and yields findings. `laws` lists those that can
find errors and runs them, `advice` those that only warn. They never read files (the loader does), decide no rule and play no game.
"""
