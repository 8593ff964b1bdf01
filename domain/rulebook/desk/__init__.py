"""The referee's desk: disputes, rulings, amendments, taking back and rewinding."""
