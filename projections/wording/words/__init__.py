"""The nouns and clauses of rules: English, titles, numbers, selections, conditions."""
