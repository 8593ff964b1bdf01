"""Writes the contract anew (`./dev openapi`): what Litestar generates, completed by the facts that stand on the handlers."""
