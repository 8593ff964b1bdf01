"""The HTTP surface on Litestar: one module for each topic.

Here lives what turns requests into calls and results into answers; never a decision about a game or who may know what.
Imported by `service.app` and `service.openapi` only.
"""
