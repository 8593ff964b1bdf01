"""What every chapter builds on: rolls, traits, limits, triggers, adjustments, and who is spared."""
