"""Plays a game by itself: blue takes any move, red is a bot.

    python host/python/examples/play.py skirmish mods
"""

from __future__ import annotations

import random
import sys

from houserule import Game


def main(scenario: str, *mods: str) -> None:
    chance = random.Random(7)
    game = Game(scenario, mods=mods, seed=7, bots={"red": "greedy"})
    blue = game.seat("blue")
    last = parts = 0
    while not game.is_over:
        moves = blue.moves()
        if moves:
            blue.step(chance.choice(moves))
        else:
            game.let_decide("blue")
        parts += 1
        for event in blue.events(since=last):
            last = event["number"]
            if event["depth"] != "full" and event["text"]:
                print(*event["text"], sep="\n")
    decisions = blue.standing["decisions"]
    print(f"over after {decisions} decisions of blue, in {parts} parts: state {game.hash()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
