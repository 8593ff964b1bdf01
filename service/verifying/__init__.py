"""Audits of games as jobs: in a process beside the service, or by workers from the queue, with progress.

Here live verifications: who may ask, what each role is told of the verdict, and where the work is done. What an audit is, `service.audit.verdict` says.
The composition root, handlers and the command line may import it; it imports `service.games`, audit, ports and identity.
"""
