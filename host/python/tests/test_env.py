"""PettingZoo's own tests of environments."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import numpy as np
import pytest
from houserule.env import HouseruleEnv
from pettingzoo.test import api_test, seed_test

ROOT = Path(__file__).parents[3]
MODS = [ROOT / "mods", ROOT / "docs/examples"]


@pytest.mark.parametrize("scenario", ["drill/range", "skirmish"])
def test_api(scenario: str) -> None:
    # What the library advises against is wrong here too, but for these: the mask
    # stands beside the observation, a piece's numbers may be below nothing, and
    # agents have the names of their sides.
    meant = ["Observation space for each agent probably", "Observation is not a NumPy array"]
    meant += ["The observation contains negative numbers", "We recommend agents to be named"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in meant:
            warnings.filterwarnings("ignore", message=message)
        api_test(HouseruleEnv(scenario, mods=MODS, turns=1), num_cycles=300, verbose_progress=False)


def test_seeds() -> None:
    seed_test(lambda: HouseruleEnv("drill/range", mods=MODS), num_cycles=60)


def test_a_game_comes_to_its_end_with_a_winner_or_none() -> None:
    env = HouseruleEnv("skirmish", mods=MODS)
    env.reset(seed=7)
    rewards = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        rewards[agent] += reward
        if termination or truncation:
            env.step(None)
            continue
        mask = observation["action_mask"]
        assert mask.sum() == len(info["moves"]) > 0
        assert env.observation_space(agent).contains(observation)
        env.step(env.action_space(agent).sample(mask))
    assert env.game.is_over
    assert sorted(rewards.values()) in ([0.0, 0.0], [-1.0, 1.0])
    assert not env.agents


def test_only_who_decides_has_actions() -> None:
    env = HouseruleEnv("skirmish", mods=MODS, seed=3)
    env.reset()
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    assert env.observe(env.agent_selection)["action_mask"].sum() > 0
    assert env.observe(other)["action_mask"].sum() == 0


def test_other_seeds_are_other_games() -> None:
    env = HouseruleEnv("skirmish", mods=MODS)
    hashes = []
    for seed in (7, 8, 7):
        env.reset(seed=seed)
        chance = random.Random(1)
        while not env.terminations[env.agent_selection]:
            actions = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            env.step(int(chance.choice(actions)))
        hashes.append(env.game.hash())
    assert hashes[0] == hashes[2] != hashes[1]
