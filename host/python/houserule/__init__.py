"""Games of Houserule from Python: observe, see what is legal, step.

>>> from houserule import Game
>>> game = Game("skirmish", mods="mods", seed=7, bots={"red": "greedy"})
>>> blue = game.seat("blue")         # sees and does what blue may, and no more
>>> moves = blue.moves()             # what blue must decide, as a list
>>> blue.step(moves[0])              # one of them made
True
"""

from .errors import Broken, Forbidden, HouseruleError, Missing, Refused, Stale, Unwritten
from .game import Game, Seat
from .messages import Action, Event, Legal, Plain, Seen, View
from .moves import Move

__all__ = [
    "Action",
    "Broken",
    "Event",
    "Forbidden",
    "Game",
    "HouseruleError",
    "Legal",
    "Missing",
    "Move",
    "Plain",
    "Refused",
    "Seat",
    "Seen",
    "Stale",
    "Unwritten",
    "View",
]
