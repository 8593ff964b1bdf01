"""`./dev prove`: the laws at full length, over games that no test has fixed, with progress and counts."""
