"""A match as an environment of PettingZoo, where sides decide in turn.

    from houserule.env import HouseruleEnv
    env = HouseruleEnv("skirmish", mods="mods")

An action is the place of a move in `Seat.moves`, as far as `action_mask` says
that it is there. An observation holds the pieces that the side's seat sees, and
nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from .game import Game, Seat
from .messages import Plain, Seen
from .moves import Move

__all__ = ["HouseruleEnv"]

Observation = dict[str, npt.NDArray[Any]]

#: What is told of a piece: whether it is the side's own, of another, or of
#: nobody; where it stands, as a share of the table, and whether it does; and its
#: numbers, in the order of the names of its attributes.
FEATURES = 12
_NUMBERS = FEATURES - 6

#: Numbers are told in sixteenths, up to one.
_SCALE = 16

_LET_DECIDE = Move("let the engine decide")


class HouseruleEnv(AECEnv[str, Observation, int | None]):
    """One agent a side. Who wins is rewarded with 1, who loses with -1."""

    metadata = {"name": "houserule_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        scenario: str,
        *,
        mods: str | PathLike[str] | Sequence[str | PathLike[str]],
        seed: int | None = None,
        turns: int | None = None,
        rules: Sequence[str] = (),
        moves: int = 256,
        pieces: int = 128,
        most_steps: int = 5_000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._scenario, self._mods, self._turns, self._rules = scenario, mods, turns, list(rules)
        self._moves, self._pieces, self._most_steps = moves, pieces, most_steps
        self._seed = seed
        self._open()
        self.possible_agents = list(self.game.sides)
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[0]
        sees = spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (pieces, FEATURES), np.float32),
                "action_mask": spaces.Box(0, 1, (moves,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, sees)
        # A space each, since each is sampled by dice of its own.
        self.action_spaces = {agent: spaces.Discrete(moves) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def _open(self) -> None:
        self.game = Game(
            self._scenario, mods=self._mods, seed=self._seed, turns=self._turns, rules=self._rules
        )
        self._seats: dict[str, Seat] = {side: self.game.seat(side) for side in self.game.sides}
        self._listed: list[Move] = []
        self._steps = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._seed = seed
        elif self._seed is not None:
            self._seed += 1
        self._open()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._next()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must decide: None is for agents that are out of the game")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        move = self._listed[min(int(action), len(self._listed) - 1)]
        if move is _LET_DECIDE:
            self._seats[agent].let_go()
            self.game.let_decide(agent)
        else:
            self._seats[agent].step(move)
        self._steps += 1
        self._next()
        self._accumulate_rewards()

    def _next(self) -> None:
        """Whose move it is, and what it may be; or the end."""
        waiting = self.game.waiting_for()
        if not waiting:
            self._end()
        elif self._steps >= self._most_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            # What one side has begun it goes on with; others wait that long.
            begun = [side for side in waiting if self._seats[side].has_begun]
            agent = self.agent_selection = [*begun, *waiting][0]
            self._listed = (self._seats[agent].moves() or [_LET_DECIDE])[: self._moves]
            self.infos[agent] = {"moves": [move.text for move in self._listed]}

    def _end(self) -> None:
        winners = _winners(self.game.result(), self.possible_agents)
        for agent in self.agents:
            self.rewards[agent] = 0.0 if not winners else 1.0 if agent in winners else -1.0
        self.terminations = dict.fromkeys(self.agents, True)
        self._listed = []

    def observe(self, agent: str) -> Observation:
        mask = np.zeros(self._moves, np.int8)
        if agent == self.agent_selection:
            mask[: len(self._listed)] = 1
        return {"observation": self._picture(agent), "action_mask": mask}

    def _picture(self, agent: str) -> npt.NDArray[np.float32]:
        picture = np.zeros((self._pieces, FEATURES), np.float32)
        placed = [(one, _place(one, self.game.table)) for one in self._seats[agent].observe()["entities"]]
        seen = [(one, place) for one, place in placed if place is not None]
        for row, (one, place) in zip(picture, seen, strict=False):
            row[:] = _features(one, place, agent)
        return picture

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        lines = [line for event in self.game.seat().events() for line in event["text"]]
        return "\n".join(lines[-20:])

    def close(self) -> None:
        """Nothing is open."""


def _winners(result: Plain, sides: list[str]) -> set[str]:
    record = result.get("record") if isinstance(result, dict) else None
    fields = record if isinstance(record, dict) else {}
    winner = fields.get("winner", fields.get("winners"))
    named = winner if isinstance(winner, list) else [winner]
    return {side for side in sides if side in named}


def _place(seen: Seen, table: tuple[int, int]) -> tuple[float, float] | None:
    """Where a piece stands, as a share of the table."""
    for value in seen["attributes"].values():
        match value:
            case {"point": [int(x), int(y)]}:
                return _clipped(x / table[0]), _clipped(y / table[1])
    return None


def _features(seen: Seen, place: tuple[float, float], agent: str) -> npt.NDArray[np.float32]:
    attributes = seen["attributes"]
    side = attributes.get("side")
    numbers = (_number(attributes[name]) for name in sorted(attributes))
    known = [number for number in numbers if number is not None][:_NUMBERS]
    row = np.zeros(FEATURES, np.float32)
    row[:6] = [side == agent, side not in (agent, None), side is None, *place, 1.0]
    row[6 : 6 + len(known)] = known
    return row


def _number(value: Plain) -> float | None:
    if isinstance(value, bool):
        return float(value)
    return _clipped(value / _SCALE) if isinstance(value, int) else None


def _clipped(number: float) -> float:
    return max(-1.0, min(1.0, number))
