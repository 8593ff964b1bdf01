"""The HTTP surface on Litestar."""
