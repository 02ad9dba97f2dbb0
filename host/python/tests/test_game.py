"""Games to their end, what a seat may not see or do, and what goes wrong."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from houserule import Action, Broken, Forbidden, Game, HouseruleError, Missing, Move, Refused, Seat, Unwritten
from houserule.errors import error_of

ROOT = Path(__file__).parents[3]
MODS = [ROOT / "mods", ROOT / "docs/examples"]


def named(seat: Seat, text: str) -> Move:
    return next(move for move in seat.moves() if text in move.text)


def play(game: Game, seats: dict[str, Seat], seed: int) -> None:
    chance = random.Random(seed)
    while not game.is_over:
        side = game.waiting_for()[0]
        moves = seats[side].moves()
        if moves:
            seats[side].step(chance.choice(moves))
        else:
            game.let_decide(side)


@pytest.mark.parametrize("scenario", ["skirmish", "drill/range", "hearts/table"])
def test_any_moves_come_to_an_end(scenario: str) -> None:
    hashes = []
    for _ in range(2):
        game = Game(scenario, mods=MODS, seed=3)
        play(game, {side: game.seat(side) for side in game.sides}, seed=5)
        assert game.waiting_for() == []
        assert game.result() is not None or scenario == "drill/range"
        hashes.append(game.hash())
    assert hashes[0] == hashes[1]


def test_the_example_plays_to_the_end() -> None:
    program = [sys.executable, str(ROOT / "host/python/examples/play.py"), "skirmish", str(ROOT / "mods")]
    output = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    assert "Blue: Activate" in output
    assert output.splitlines()[-1].startswith("over after ")


def test_what_a_side_may_not_see_it_is_not_told() -> None:
    game = Game("drill/range", mods=MODS)
    blue, red = game.seat("blue"), game.seat("red")
    blue.step(next(move for move in blue.moves() if move.begins))
    blue.step(named(blue, "shoot"))
    own = {one["label"]: one["attributes"].get("order") for one in blue.observe()["entities"]}
    other = {one["label"]: one for one in red.observe()["entities"]}
    assert own["blue-1"] == "shoot"
    assert "order" in other["blue-1"]["hidden"]
    assert other["blue-1"]["attributes"].get("order") is None
    assert "shoot" not in json.dumps([red.events(), red.observe(), red.standing])


def test_a_seat_is_for_its_own_side() -> None:
    game = Game("drill/range", mods=MODS)
    blue, watcher = game.seat("blue"), game.seat()
    assert watcher.viewer == "spectator"
    for asked in (
        lambda: blue.call("view", viewer="red"),
        lambda: blue.call("view", viewer="referee"),
        lambda: blue.call("legal", side="red"),
        lambda: blue.submit({"input": "done", "by": "red"}),
        lambda: blue.call("hash"),
        lambda: blue.call("save", path="anywhere"),
        lambda: watcher.submit({"input": "done", "by": "blue"}),
    ):
        with pytest.raises(Forbidden):
            asked()
    game.call("revoke_seat", number=1)
    with pytest.raises(HouseruleError):
        blue.observe()


def test_a_seat_at_several_sides_plays_each_of_them() -> None:
    hashes = []
    for is_one in (True, False):
        game = Game("skirmish", mods=MODS, seed=3)
        chance = random.Random(5)
        one = game.seat("blue", "red")
        assert one.viewer == "blue"
        seats = {side: one if is_one else game.seat(side) for side in game.sides}
        while not game.is_over:
            side = game.waiting_for()[0]
            seat = seats[side]
            seat.viewer = side
            assert seat.must_decide and seat.observe()["viewer"] == side
            moves = seat.moves()
            if moves:
                seat.step(chance.choice(moves))
            else:
                game.let_decide(side)
        assert [seats[side].events(since=0) != [] for side in game.sides] == [True, True]
        hashes.append(game.hash())
    assert hashes[0] == hashes[1]


def test_one_folder_of_mods_is_no_list() -> None:
    assert Game("skirmish", mods=ROOT / "mods", seed=3).hash() == Game("skirmish", mods=str(ROOT / "mods"), seed=3).hash()


def test_what_the_rules_forbid_is_refused_with_its_reason() -> None:
    game = Game("skirmish", mods=MODS)
    blue = game.seat("blue")
    before = game.hash()
    with pytest.raises(Refused) as refused:
        blue.submit({"input": "pass", "by": "blue"})
    assert refused.value.code == -32000
    assert refused.value.data["trouble"] == "refusal"
    assert str(refused.value)
    assert game.hash() == before
    assert any(action["refused"] for action in actions(blue))


def actions(seat: Seat) -> list[Action]:
    while seat.call("prompt")["prompt"] == "answer":
        seat.step(seat.moves()[0])
    return seat.legal()["actions"]


def test_what_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(HouseruleError, match="did you mean `skirmish`"):
        Game("skirmis", mods=MODS)
    game = Game("skirmish", mods=MODS)
    with pytest.raises(Missing):
        game.observe("green")
    with pytest.raises(HouseruleError) as unknown:
        game.call("fly")
    assert unknown.value.code == -32601
    with pytest.raises(HouseruleError) as unfit:
        game.call("view", viewer=7)
    assert unfit.value.code == -32602
    with pytest.raises(Unwritten):
        Game("skirmish", mods=MODS, journal=tmp_path)


def test_a_broken_mod_says_where(tmp_path: Path) -> None:
    mod = tmp_path / "torn"
    (mod / "rules").mkdir(parents=True)
    manifest = (ROOT / "docs/examples/drill/mod.ron").read_text()
    (mod / "mod.ron").write_text(manifest.replace('id: "drill"', 'id: "torn"').replace("drill.", "torn."))
    (mod / "rules" / "torn.luau").write_text("--!strict\nlocal x = = 2\n")
    with pytest.raises(Broken) as broken:
        Game("skirmish", mods=[ROOT / "mods", tmp_path], rules=["torn"])
    assert "torn.luau" in str(broken.value) or "mod.ron" in str(broken.value)
    assert broken.value.data["faults"][0]["code"].startswith("F")


def test_a_game_belongs_to_its_thread() -> None:
    game = Game("drill/range", mods=MODS)
    raised: list[Exception] = []

    def elsewhere() -> None:
        try:
            game.hash()
        except HouseruleError as error:
            raised.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert [str(error) for error in raised] == ["a game belongs to the thread that made it"]
    assert game.hash()


def test_a_journal_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    game = Game("skirmish", mods=MODS, seed=2, journal=journal)
    blue = game.seat("blue")
    blue.step(blue.moves()[0])
    kept = game.hash()
    del game, blue
    again = Game("drill/range", mods=MODS)
    again.call("resume", path=str(journal))
    assert again.hash() == kept


def test_a_rule_that_breaks_is_told_with_who_called_it() -> None:
    fault = {"code": "F029", "module": "duel", "file": "rules/core.luau", "line": 7, "message": "boom", "hint": None}
    within = {"rule": "duel.core.points", "clause": "duel.core.luck", "caller": "duel.core.strike"}
    error = error_of({"code": -32001, "message": "boom", "data": {"trouble": "faults", "faults": [{**fault, **within}]}})
    assert isinstance(error, Broken)
    told = "boom (in rule `duel.core.points`, for `duel.core.luck`, called by `duel.core.strike`)"
    assert str(error) == f"F029 duel, rules/core.luau:7: {told}"


def test_what_was_subscribed_to_is_told() -> None:
    game = Game("skirmish", mods=MODS)
    blue = game.seat("blue")
    blue.call("subscribe")
    blue.step(blue.moves()[0])
    assert {message["method"] for message in blue.notifications} == {"news", "prompt"}
