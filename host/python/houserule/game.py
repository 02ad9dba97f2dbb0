"""A match, and the seats at its table."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, cast

from ._houserule import Connection, Server
from .errors import HouseruleError, Refused, error_of
from .messages import Bot, Event, Legal, Plain, Standing, Taken, View
from .moves import Begun, Move, name_of, values

__all__ = ["Game", "Seat"]


class _Line:
    """A connection, on which methods are called by name."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self._thread = threading.get_ident()
        #: What was told unasked, after `subscribe` or `follow`.
        self.notifications: list[dict[str, Any]] = []

    def call(self, method: str, **params: Any) -> Any:
        """Any method of JSON-RPC that this seat may say; raises HouseruleError."""
        if threading.get_ident() != self._thread:
            raise HouseruleError("a game belongs to the thread that made it")
        request = {"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params}
        *notifications, reply = map(json.loads, self._connection.say(json.dumps(request)))
        self.notifications.extend(notifications)
        if "error" in reply:
            raise error_of(reply["error"])
        return reply["result"]


class Seat(_Line):
    """One side of a match, or its spectator: sees and does what that seat may.

    The engine knows it by its token: what is for another seat is Forbidden.
    """

    def __init__(self, connection: Connection, token: str, decided: Callable[[], None]) -> None:
        super().__init__(connection)
        self._viewer: str = self.call("hello", token=token)["viewer"]
        self._decided = decided
        self._begun: Begun | None = None
        #: What came to nothing since the last decision.
        self._vain: set[str] = set()

    @property
    def viewer(self) -> str:
        """The side that it looks and decides as, or `spectator`.

        A seat at several sides is that of another one once this is its name.
        """
        return self._viewer

    @viewer.setter
    def viewer(self, side: str) -> None:
        if side != self._viewer:
            self._viewer = side
            self.let_go()
            self._vain.clear()

    def observe(self) -> View:
        """The game as this seat sees it."""
        return cast(View, self.call("view", viewer=self.viewer))

    def events(self, since: int = 0) -> list[Event]:
        """What has happened since an event, as this seat may know it."""
        return cast("list[Event]", self.call("news", viewer=self.viewer, timeline=0, since=since)["events"])

    @property
    def standing(self) -> Standing:
        """Where the match stands, as this seat may know it."""
        return cast(Standing, self.call("standing", viewer=self.viewer))

    @property
    def must_decide(self) -> bool:
        """Whether the match waits for this seat."""
        return self.viewer in self.standing["waiting_for"]

    def legal(self, *, allowed: bool = False) -> Legal:
        """All that the side might do, with the reason why not; or what it may."""
        return cast(Legal, self.call("legal", side=self.viewer, allowed=allowed))

    def submit(self, decision: Mapping[str, Plain]) -> Taken:
        """Takes a whole decision, as the book writes it; then bots decide.

        Raises Refused where the rules do not allow it.
        """
        taken = cast(Taken, self.call("submit", input=dict(decision)))
        self._begun = None
        self._vain.clear()
        self._decided()
        return taken

    # Decisions as lists to choose from.

    @property
    def has_begun(self) -> bool:
        """Whether the parameters of something are being given."""
        return self._begun is not None

    def moves(self) -> list[Move]:
        """What the side may decide now, or the next part of what it has begun.

        None of them where the match does not wait for it, and where no list can
        be made: then `let_decide`.
        """
        if not self.must_decide:
            return []
        if self._begun is not None:
            return list(self._parts(self._begun))
        prompt = self.call("prompt", viewer=self.viewer)
        if prompt["prompt"] == "answer":
            return list(self._answers(prompt["question"]))
        return list(self._actions(prompt["prompt"] == "react"))

    def step(self, move: Move) -> bool:
        """Makes one of the `moves`; whether it stands.

        What turns out to lead nowhere does not stand, and is listed no more.
        """
        if move.decision is not None:
            return self._stands(move.text, lambda: self.submit(move.decision or {}))
        if move.begins is not None:
            self._begun = move.begins.anew()
        elif self._begun is not None:
            self._begun.given[self._begun.param] = move.value
        begun = self._begun
        return begun is not None and self._stands(name_of(begun.action), lambda: self._go_on(begun))

    def let_go(self) -> None:
        """Forgets what was begun; nothing of it was decided."""
        self._begun = None

    def _stands(self, text: str, done: Callable[[], object]) -> bool:
        try:
            done()
        except Refused:
            self._begun = None
            self._vain.add(text)
            return False
        return True

    def _go_on(self, begun: Begun) -> None:
        """Submits what is complete; lets go of what leads nowhere."""
        if self._next(begun) is None:
            self.submit(begun.decision())
        elif not list(self._parts(begun)):
            raise Refused("there is nothing to choose")

    def _next(self, begun: Begun) -> dict[str, Any] | None:
        following: dict[str, Any] | None = self.call("next_param", **begun.so_far())
        begun.param = following["name"] if following else ""
        return following

    def _parts(self, begun: Begun) -> Iterator[Move]:
        following = self._next(begun)
        for text, value in values(following["domain"]) if following else ():
            yield Move(text, value=value)

    def _actions(self, is_reaction: bool) -> Iterator[Move]:
        legal = self.legal(allowed=True)
        for action in legal["actions"]:
            if name_of(action) not in self._vain:
                yield Move(name_of(action), begins=Begun(self.viewer, action, is_reaction))
        may = {"decline": legal["decline"] and is_reaction}
        if not is_reaction:
            may = {"pass": legal["pass_refused"] is None, "done": legal["done_refused"] is None}
        for stop, is_legal in may.items():
            if is_legal and stop not in self._vain:
                yield Move(stop, decision={"input": stop, "by": self.viewer})

    def _answers(self, question: dict[str, Any]) -> Iterator[Move]:
        domain = next(asked["domain"] for asked in question["asked"] if asked["side"] == self.viewer)
        for text, value in values(domain):
            if text not in self._vain:
                decision = {"input": "answer", "by": self.viewer, "question": question["id"], "value": value}
                yield Move(text, decision=decision)


class Game(_Line):
    """A match, held by whoever started it: the host, who may look as anybody.

    It belongs to the thread that made it; programs that play many use processes.
    """

    def __init__(
        self,
        scenario: str,
        *,
        mods: str | PathLike[str] | Sequence[str | PathLike[str]],
        seed: int | None = None,
        turns: int | None = None,
        bots: Mapping[str, Bot] | None = None,
        rules: Sequence[str] = (),
        without: Sequence[str] = (),
        options: Mapping[str, str] | None = None,
        journal: str | PathLike[str] | None = None,
    ) -> None:
        self._server = Server(_folders(mods))
        super().__init__(self._server.connect(as_host=True))
        given = {"seed": seed, "turns": turns, "journal": None if journal is None else str(journal)}
        self.call(
            "start",
            scenario=scenario,
            bots=dict(bots or {}),
            **{"with": list(rules)},
            without=list(without),
            options=dict(options or {}),
            **{name: value for name, value in given.items() if value is not None},
        )
        about = self.call("about", viewer="referee")
        #: The sides, in order.
        self.sides: list[str] = [side["id"] for side in about["sides"]]
        #: Width and depth of the table, in micrometres.
        self.table: tuple[int, int] = (about["table"][0], about["table"][1])
        self._let_bots_decide()

    def seat(self, *sides: str) -> Seat:
        """A seat at a side, or at several; at none, that of a spectator.

        At several it looks and decides as the first, until its `viewer` is another.
        """
        seat: dict[str, Any] = {"seat": "sides", "sides": list(sides)} if sides else {"seat": "spectator"}
        token = self.call("give_seat", **seat)["token"]
        return Seat(self._server.connect(), token, self._let_bots_decide)

    def observe(self, viewer: str) -> View:
        """The game as a side, `spectator` or `referee` may see it."""
        return cast(View, self.call("view", viewer=viewer))

    def waiting_for(self) -> list[str]:
        """The sides that must decide; none once the game is over."""
        return cast(Standing, self.call("standing", viewer="referee"))["waiting_for"]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return cast(Standing, self.call("standing", viewer="referee"))["over"]

    def result(self) -> Plain:
        """What the rules say of the end; nothing before it."""
        return self.observe("referee")["result"]

    def hash(self) -> str:
        """Games with equal hashes are equal."""
        return cast(str, self.call("hash"))

    def let_decide(self, side: str, bot: Bot = "random") -> None:
        """Lets a bot make one decision for a side."""
        self.call("set_bot", side=side, bot=bot)
        try:
            self.call("bot_turn")
        finally:
            self.call("set_bot", side=side, bot=None)
        self._let_bots_decide()

    def _let_bots_decide(self) -> None:
        """One decision at a time, so that Ctrl-C is heard between them."""
        while self.call("bot_turn") is not None:
            pass


def _folders(mods: str | PathLike[str] | Sequence[str | PathLike[str]]) -> list[str | PathLike[str]]:
    """One folder is no list of folders with names of one letter."""
    return [mods] if isinstance(mods, (str, PathLike)) else list(mods)
