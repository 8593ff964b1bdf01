"""Haunt books: what a side reads, as data, as Markdown and as a page.

`book` makes what a role reads from the role's own state and the books that it was told; `setup` words what was done as the haunt began;
`pages` writes either. `sheets` prints both books of a haunt that nobody plays yet.
"""
