"""What can happen, and hardly as its author means it: deeds for nothing, help for the other side, growth that never starts. All of it only warns."""
