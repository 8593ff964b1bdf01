"""Golden games: readable files that tell what happens in a game, and what each role sees of it.

`games/*.yaml` are the files, `GAMES.md` lists them by the rules that they show, `python -m tests.golden` writes and checks both.
`skeletons.json` holds what a change of words leaves as it is. `hashes.json` and `events/` belong to `tests.laws.golden` and
`tests.laws.golden_events`.
"""
