"""For operators: migration, backup, archive, erasing, checks."""
