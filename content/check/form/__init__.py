"""What holds for words of any piece: fields that go together, ids, amounts, outcome tables, names that lead somewhere."""
