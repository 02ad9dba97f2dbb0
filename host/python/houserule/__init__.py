"""Games of Houserule from Python: observe, see what is legal, step.

>>> from houserule import Game
>>> game = Game("skirmish", mods=["mods"], seed=7)
>>> turn = game.turn("blue")        # what blue must decide, as a list of moves
>>> game.step("blue", turn[0])      # and one of them made
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any, Literal, TypedDict, Union

from ._houserule import Refused, Server

__all__ = ["Deed", "Game", "Legal", "Move", "Refused", "Seen", "View"]

Plain = Union[None, bool, int, str, list["Plain"], dict[str, "Plain"]]
"""A value as it crosses the line: lengths and points in micrometres, entities by number and label."""

Bot = Literal["random", "greedy"]


class Seen(TypedDict):
    """An entity as a viewer sees it."""

    handle: int
    kind: str
    label: str
    attributes: dict[str, Plain]
    hidden: list[str]


class View(TypedDict):
    """The game as a viewer may see it."""

    viewer: str
    phases: list[dict[str, str]]
    turn: str | None
    wanted: Literal["act", "react", "answer", "wait", "over"]
    entities: list[Seen]
    decks: list[dict[str, Plain]]
    result: Plain
    hash: str


class Deed(TypedDict):
    """Something that a side might do."""

    id: str
    title: str
    actor: Plain
    refused: str | None
    params: list[dict[str, str]]


class Legal(TypedDict):
    """All that a side might do."""

    deeds: list[Deed]
    pass_refused: str | None
    done_refused: str | None
    decline: bool
    take_back: bool


@dataclass(frozen=True)
class Move:
    """A whole decision, or the first part of one."""

    text: str
    input: Mapping[str, Plain]
    #: Parameters that are still to be given, one at a time.
    is_open: bool = False


@dataclass
class _Begun:
    """A deed whose parameters are being given."""

    side: str
    deed: Deed
    is_reaction: bool
    given: dict[str, Plain] = field(default_factory=dict)
    param: str = ""

    def input(self) -> dict[str, Plain]:
        sort, name = ("react", "reaction") if self.is_reaction else ("act", "action")
        return {"input": sort, name: self.deed["id"], "by": self.side, "actor": self.deed["actor"], "params": dict(self.given)}


class Game:
    """A match. It belongs to the thread that made it."""

    def __init__(
        self,
        scenario: str,
        *,
        mods: Sequence[str | PathLike[str]],
        seed: int | None = None,
        turns: int | None = None,
        bots: Mapping[str, Bot] | None = None,
        rules: Sequence[str] = (),
        without: Sequence[str] = (),
        options: Mapping[str, str] | None = None,
        journal: str | PathLike[str] | None = None,
    ) -> None:
        self._server = Server([fspath(folder) for folder in mods])
        start: dict[str, Any] = {
            "scenario": scenario,
            "bots": dict(bots or {}),
            "with": list(rules),
            "without": list(without),
            "options": dict(options or {}),
        }
        start.update({key: value for key, value in {"seed": seed, "turns": turns}.items() if value is not None})
        if journal is not None:
            start["journal"] = fspath(journal)
        self.call("start", **start)
        self._begun: _Begun | None = None
        self._hopeless: set[str] = set()
        about = self.call("about", viewer="spectator")
        #: The sides, in order.
        self.sides: list[str] = [side["id"] for side in about["sides"]]
        #: Width and depth of the table, in micrometres.
        self.table: tuple[int, int] = tuple(about["table"])
        self._bots()

    def call(self, method: str, **params: Any) -> Any:
        """Any method of the host, as the book lists them."""
        return json.loads(self._server.call(method, json.dumps(params)))

    # Looking.

    def observe(self, viewer: str) -> View:
        """The game as a side, `spectator` or `referee` may see it."""
        view: View = self.call("view", viewer=viewer)
        return view

    def legal(self, side: str, *, allowed: bool = False) -> Legal:
        """All that a side might do now, with the reason why not."""
        legal: Legal = self.call("legal", side=side, allowed=allowed)
        return legal

    def waiting_for(self) -> list[str]:
        """The sides that must decide; none once the game is over."""
        sides: list[str] = self.call("standing", viewer="referee")["waiting_for"]
        return sides

    @property
    def is_over(self) -> bool:
        return bool(self.call("standing", viewer="referee")["over"])

    def result(self) -> Plain:
        """What the rules say of the end; nothing before it."""
        return self.observe("referee")["result"]

    def events(self, viewer: str, since: int = 0) -> list[dict[str, Any]]:
        """What has happened, as a viewer may know it."""
        events: list[dict[str, Any]] = self.call("news", viewer=viewer, since=since)["events"]
        return events

    def hash(self) -> str:
        """Games with equal hashes are equal."""
        text: str = self.call("hash")
        return text

    # Deciding.

    def submit(self, decision: Mapping[str, Plain]) -> None:
        """A whole decision, as the book writes it; then bots decide, if they must.

        Raises Refused when the rules do not allow it.
        """
        self.call("submit", input=dict(decision))
        self._begun = None
        self._hopeless.clear()
        self._bots()

    def turn(self, side: str) -> list[Move]:
        """The moves of a side: what it may decide now, or the next part of what it has begun.

        There is at least one as long as the side must decide.
        """
        if side not in self.waiting_for():
            return []
        if self._begun is not None and self._begun.side == side:
            return list(self._parts(self._begun))
        prompt = self.call("prompt", viewer=side)
        if prompt["prompt"] == "answer":
            moves = list(self._answers(side, prompt["question"]))
        else:
            moves = list(self._deeds(side, prompt["prompt"] == "react"))
        return moves or [Move("let the engine decide", {"input": "bot", "by": side})]

    def step(self, side: str, move: Move) -> None:
        """Makes a move of `turn`."""
        if move.input["input"] == "bot":
            return self._let_decide(side)
        if not move.is_open:
            return self._whole(side, move)
        if self._begun is None:
            self._begun = self._begin(side, move)
        else:
            self._begun.given[self._begun.param] = move.input["value"]
        self._go_on(side, self._begun)

    def _whole(self, side: str, move: Move) -> None:
        try:
            self.submit(move.input)
        except Refused:
            self._hopeless.add(move.text)

    def _begin(self, side: str, move: Move) -> _Begun:
        deed: Deed = move.input["deed"]  # type: ignore[assignment]
        return _Begun(side, deed, bool(move.input["is_reaction"]))

    def _go_on(self, side: str, begun: _Begun) -> None:
        """Submits what is complete; lets go of what leads nowhere."""
        try:
            following = self._next(begun)
            if following is None:
                return self.submit(begun.input())
            if not list(self._parts(begun)):
                raise Refused(0, "there is nothing to choose", "null")
        except Refused:
            self._begun = None
            self._hopeless.add(_name(begun.deed))

    def _next(self, begun: _Begun) -> dict[str, Any] | None:
        asked = {"side": begun.side, "action": begun.deed["id"], "actor": begun.deed["actor"], "params": begun.given}
        following: dict[str, Any] | None = self.call("next_param", **asked)
        begun.param = following["name"] if following else ""
        return following

    def _parts(self, begun: _Begun) -> Iterator[Move]:
        following = self._next(begun)
        for text, value in _values(following["domain"] if following else {"domain": "none"}):
            yield Move(text, {"input": "part", "value": value}, is_open=True)

    def _deeds(self, side: str, is_reaction: bool) -> Iterator[Move]:
        legal = self.legal(side, allowed=True)
        for deed in legal["deeds"]:
            if deed["refused"] is None and _name(deed) not in self._hopeless:
                begun: Any = {"input": "begin", "deed": deed, "is_reaction": is_reaction}
                yield Move(_name(deed), begun, is_open=True)
        stops = [("pass", legal["pass_refused"] is None), ("done", legal["done_refused"] is None), ("decline", legal["decline"])]
        for stop, may in stops:
            if may and stop not in self._hopeless and (stop == "decline") == is_reaction:
                yield Move(stop, {"input": stop, "by": side})

    def _answers(self, side: str, question: dict[str, Any]) -> Iterator[Move]:
        domain = next(asked["domain"] for asked in question["asked"] if asked["side"] == side)
        for text, value in _values(domain):
            if text not in self._hopeless:
                yield Move(text, {"input": "answer", "by": side, "question": question["id"], "value": value})

    def _let_decide(self, side: str) -> None:
        """What nobody can decide by lists, such as a way that no rule suggests."""
        self.call("set_bot", side=side, bot="random")
        self.call("bot_turn")
        self.call("set_bot", side=side, bot=None)
        self._begun = None
        self._hopeless.clear()
        self._bots()

    def _bots(self) -> None:
        self.call("bots")


def _name(deed: Deed) -> str:
    actor = deed["actor"]
    return f"{deed['title']}: {actor['label']}" if isinstance(actor, dict) else deed["title"]


#: Whole numbers and points of a region are sampled: so many of them.
_SAMPLES = 8


def _values(domain: Mapping[str, Any]) -> Iterator[tuple[str, Plain]]:
    """Values of a domain: all where they are listed, else those that come to mind."""
    sort = domain["domain"]
    if sort == "choices":
        yield from ((choice["label"], choice["value"]) for choice in domain["choices"])
    elif sort == "several":
        yield from _several(domain)
    elif sort == "integer":
        low, high = domain["min"], domain["max"]
        step = max(1, (high - low) // (_SAMPLES - 1))
        yield from ((str(n), n) for n in dict.fromkeys([*range(low, high + 1, step), high]) if low <= n <= high)
    elif sort == "place":
        points = [*domain["candidates"], *(point for region in domain["regions"] for point in _within(region))]
        yield from ((f"at {x}, {y}", {"point": [x, y]}) for x, y in points)
    elif sort == "route":
        for way in domain["candidates"]:
            yield f"by {way}", [{"point": point} for point in way]


def _several(domain: Mapping[str, Any]) -> Iterator[tuple[str, Plain]]:
    """The first and the last of them, in each number that may be chosen."""
    choices, most = domain["choices"], min(domain["max"], len(domain["choices"]), _SAMPLES)
    for count in range(domain["min"], most + 1):
        picks = {tuple(range(count)), tuple(range(len(choices) - count, len(choices)))}
        for pick in sorted(picks):
            chosen = [choices[at] for at in pick]
            yield ", ".join(choice["label"] for choice in chosen) or "none of them", [choice["value"] for choice in chosen]


def _within(region: Mapping[str, Any]) -> list[list[int]]:
    if "disc" in region:
        (x, y), reach = region["disc"]["centre"], region["disc"]["radius"] // 2
        return [[x, y], [x + reach, y], [x - reach, y], [x, y + reach], [x, y - reach]]
    (left, low), (right, high) = region["rectangle"]["min"], region["rectangle"]["max"]
    return [[(left + right) // 2, (low + high) // 2]]
