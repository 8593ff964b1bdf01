"""What operators do to whole stores: check, audit, migrate, back up, archive, erase."""
