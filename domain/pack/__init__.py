"""Compiles a pack into the engine's tables: `pieces` reads what each piece is, `blocks` what it does, `build` puts both together."""
