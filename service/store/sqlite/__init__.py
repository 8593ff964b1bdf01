"""The store on SQLite: one file, one machine, every acknowledged commit on the disk."""
