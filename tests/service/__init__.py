"""The service's parts, each with real neighbors: stores, rules, folds. What a client sees is claimed in `tests.acceptance`."""
