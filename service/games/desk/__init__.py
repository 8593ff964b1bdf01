"""The referee's desk, and what lies beside the log."""
