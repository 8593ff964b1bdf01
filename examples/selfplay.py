"""Self-play in process: seat 0 looks ahead in worlds that agree with what it knows, the others choose at random.

`python examples/selfplay.py 20` plays 20 games. Needs Omenlog alone (`pip install omenlog`); docs/bots.md explains it.
"""

import random
import sys

import omenlog


def play(seed: int, worlds: int = 3, steps: int = 20, turns: int = 100) -> omenlog.Table:
    table, lot = omenlog.Table("second", seats=3, seed=seed, turn_limit=turns), random.Random(seed)
    while not table.over:
        seat = table.awaited()[0]
        actions = table.legal(seat)
        if seat == 0 and len(actions) > 1:
            actions = [max(lot.sample(actions, min(4, len(actions))), key=lambda one: worth(table, one, worlds, steps))]
        table.do(seat, lot.choice(actions))
    return table


def worth(table: omenlog.Table, action: omenlog.Action, worlds: int, steps: int) -> float:
    """How well seat 0 stands some random commands after an action, over sampled worlds."""
    found = 0.0
    for number in range(worlds):
        try:
            world, lot = table.sample(0, number), random.Random(number)
        except omenlog.Refused:  # something is half-done that seat 0 knows too little of
            return 0
        world.do(0, action)
        while not world.over and world.version < steps:
            world.do(seat := world.awaited()[0], lot.choice(world.legal(seat)))
        found += 10 * (0 in world.winners) + world.view(0).explorers[0].alive
    return found


if __name__ == "__main__":
    winners = [play(seed).winners for seed in range(int(sys.argv[1]))]
    print("games won by each seat:", *(sum(seat in won for won in winners) for seat in range(3)))
