"""Webhooks: a game's commits sent to the endpoints of subscribers, by Standard Webhooks, at least once and in order.

Here live subscriptions, signing, sending and who does it when; never what a role may see (`service.games.read` says that), nor SQL.
"""
