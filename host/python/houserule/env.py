"""A match as an environment of PettingZoo, where sides decide in turn.

    from houserule.env import HouseruleEnv
    env = HouseruleEnv("skirmish", mods=["mods"])

An action is the place of a move in `Game.turn`, as far as `action_mask` says
that it is there; what lies past the last is out of reach and logged. An
observation holds the pieces that the side may see, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from . import Game, Move, Plain, Seen

__all__ = ["HouseruleEnv"]

#: What is told of a piece: whether it is the side's own, of another, or of
#: nobody; where it stands, as a share of the table; and its numbers.
FEATURES = 12
_NUMBERS = FEATURES - 6


class HouseruleEnv(AECEnv[str, dict[str, np.ndarray], int]):
    """One agent a side. Who wins is rewarded with 1, who loses with -1."""

    metadata = {"name": "houserule_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        scenario: str,
        *,
        mods: Sequence[str | PathLike[str]],
        seed: int | None = None,
        turns: int | None = None,
        moves: int = 256,
        pieces: int = 128,
        most_steps: int = 5_000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._scenario, self._mods, self._turns = scenario, list(mods), turns
        self._moves, self._pieces, self._most_steps = moves, pieces, most_steps
        self._seed = seed
        self._open()
        self.possible_agents = list(self.game.sides)
        observation = spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (pieces, FEATURES), np.float32),
                "action_mask": spaces.Box(0, 1, (moves,), np.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(moves) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def _open(self) -> None:
        self.game = Game(self._scenario, mods=self._mods, seed=self._seed, turns=self._turns)
        self._turn: list[Move] = []
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

    def step(self, action: int) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.game.step(agent, self._turn[min(int(action), len(self._turn) - 1)])
        self._steps += 1
        self._next()
        self._accumulate_rewards()

    def _next(self) -> None:
        """Whose move it is, and what it may be; or the end."""
        waiting = self.game.waiting_for()
        if not waiting:
            return self._end()
        if self._steps >= self._most_steps:
            self.truncations = dict.fromkeys(self.agents, True)
            return
        # What one side has begun it goes on with; others wait that long.
        current = getattr(self, "agent_selection", None)
        self.agent_selection = current if current in waiting and self.game._begun else waiting[0]
        self._turn = self.game.turn(self.agent_selection)[: self._moves]
        self.infos[self.agent_selection] = {"moves": [move.text for move in self._turn]}

    def _end(self) -> None:
        winners = _winners(self.game.result(), self.possible_agents)
        for agent in self.agents:
            self.rewards[agent] = 0.0 if not winners else 1.0 if agent in winners else -1.0
        self.terminations = dict.fromkeys(self.agents, True)
        self._turn = []

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        mask = np.zeros(self._moves, np.int8)
        if agent == self.agent_selection:
            mask[: len(self._turn)] = 1
        return {"observation": self._picture(agent), "action_mask": mask}

    def _picture(self, agent: str) -> np.ndarray:
        picture = np.zeros((self._pieces, FEATURES), np.float32)
        seen = [one for one in self.game.observe(agent)["entities"] if _place(one, self.game.table)]
        for row, one in zip(picture, seen):
            row[:] = _features(one, agent, self.game.table)
        return picture

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        lines = [line for event in self.game.events("spectator") for line in event["text"]]
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
    for value in seen["attributes"].values():
        point = value.get("point") if isinstance(value, dict) else None
        if isinstance(point, list):
            x, y = point
            return min(1.0, max(-1.0, x / table[0])), min(1.0, max(-1.0, y / table[1]))  # type: ignore[operator]
    return None


def _features(seen: Seen, agent: str, table: tuple[int, int]) -> np.ndarray:
    attributes = seen["attributes"]
    side = attributes.get("side")
    whose = [side == agent, side not in (agent, None), side is None]
    place = _place(seen, table) or (0.0, 0.0)
    numbers = [_number(attributes[name]) for name in sorted(attributes)]
    known = [number for number in numbers if number is not None][:_NUMBERS]
    row = np.zeros(FEATURES, np.float32)
    row[:3], row[3:5], row[5] = whose, place, 1.0
    row[6 : 6 + len(known)] = known
    return row


def _number(value: Plain) -> float | None:
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int):
        return max(-1.0, min(1.0, value / 16))
    return None
