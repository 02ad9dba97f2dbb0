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
    told, moves = 0, 0
    while not game.is_over:
        turn = game.turn("blue")
        game.step("blue", chance.choice(turn))
        moves += 1
        for event in game.events("spectator", since=told):
            told = event["number"]
            if event["depth"] != "full" and event["text"]:
                print(*event["text"], sep="\n")
    print(f"over after {moves} moves: {game.result()}, state {game.hash()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
