"""Loading: from the files of a folder to one checked `Pack`, and to the canonical bytes that a game pins.

`documents` reads YAML with the place of every node, `convert` fits it into the vocabulary, `layout` knows the files of a
pack, `packs` puts them together and runs the checks, `digest` writes the pack down. `entries` is the other way in: what
people enter of a printed haunt book.
"""
