"""For authors: the checker's report, schemas for editors, a first haunt, and what playtests measured.

Here lives what is written from content; what a pack means is said in the vocabulary, what is wrong in it by the checks.
"""
