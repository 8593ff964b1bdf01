"""What every chapter stands on: rolls, traits, limits, triggers, adjustments, and who is spared."""
