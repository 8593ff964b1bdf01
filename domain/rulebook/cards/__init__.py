"""Cards: stacks, drawing, gaining and losing, piles, trade, and looking ahead."""
