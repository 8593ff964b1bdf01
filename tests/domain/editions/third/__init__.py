"""The third edition, rule by rule, as its players meet it."""
