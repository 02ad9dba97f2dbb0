"""PettingZoo's own tests of environments, and what a seat may not see."""

from __future__ import annotations

from pathlib import Path

import pytest
from houserule import Game, Refused
from houserule.env import HouseruleEnv
from pettingzoo.test import api_test, seed_test

ROOT = Path(__file__).parents[3]
MODS = [ROOT / "mods", ROOT / "docs/examples"]


@pytest.mark.parametrize("scenario", ["drill/range", "skirmish"])
def test_api(scenario: str) -> None:
    api_test(HouseruleEnv(scenario, mods=MODS, turns=1), num_cycles=300, verbose_progress=False)


def test_seeds() -> None:
    seed_test(lambda: HouseruleEnv("drill/range", mods=MODS), num_cycles=60)


def test_what_a_side_may_not_see_is_not_in_its_observation() -> None:
    game = Game("drill/range", mods=MODS)
    deed = next(move for move in game.turn("blue") if move.is_open)
    game.step("blue", deed)
    shoot = next(move for move in game.turn("blue") if "shoot" in move.text)
    game.step("blue", shoot)
    own = {one["label"]: one["attributes"]["order"] for one in game.observe("blue")["entities"] if "order" in one["attributes"]}
    other = {one["label"]: one for one in game.observe("red")["entities"]}
    assert own["blue-1"] == "shoot"
    assert other["blue-1"]["attributes"].get("order") != "shoot"


def test_what_is_forbidden_is_refused_with_its_reason() -> None:
    game = Game("drill/range", mods=MODS)
    with pytest.raises(Refused) as refused:
        game.submit({"input": "pass", "by": "blue"})
    assert refused.value.args[0] == -32000
