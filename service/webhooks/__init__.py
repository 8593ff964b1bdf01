"""Webhooks: a game's commits sent to the endpoints of subscribers, by Standard Webhooks, at least once and in order.

Here live subscriptions, signing, sending and who does it when; never what a role may see (`service.games.read` says that), nor SQL.

A subscription is one record: for which token, where to, its keys, a *cursor* (the last commit that is done with), a lease, and letters (messages
out of line). Every change is one compare-and-set. Cursor and log are the truth; all else is a hint. A subscription is bound to the token's
digest, so whoever gets the seat later does not inherit it. Times of deliveries are the machine's, and in no log.
"""
