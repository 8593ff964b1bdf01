"""`./dev bench`: what the engine and the service do in a second, beside a peer in the same run, written to BENCHMARKS.md.

Here live contestants (what is measured), rows (what is compared, and the aim) and the report; never a claim about a rule.
The peers `catanatron` and `eventsourcing` are imported here and nowhere else; nothing imports this package.
"""
