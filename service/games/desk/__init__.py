"""The referee's desk, and what is kept beside the log.

What orders *do* is a commit by `auto`, a deadline that ran out one by `clock`; both are decided from the state alone, so an audit decides them
again. The attendant that carries them out keeps nothing of its own: deadlines follow from the times of the commits, orders from the store.
"""
