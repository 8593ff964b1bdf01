"""Routes, one module for each topic."""
