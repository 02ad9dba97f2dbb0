"""What the messages say, as far as this package reads them; the schema that
`houserule rpc --schema` prints has every member.
"""

from __future__ import annotations

from typing import Literal, TypedDict, Union

Plain = Union[None, bool, int, str, list["Plain"], dict[str, "Plain"]]
"""A value: lengths and points in micrometres, entities by number and label."""

Bot = Literal["random", "greedy"]

Wanted = Literal["act", "react", "answer", "wait", "over"]


class Seen(TypedDict):
    """An entity as a viewer sees it."""

    handle: int
    kind: str
    label: str
    attributes: dict[str, Plain]
    hidden: list[str]


class Phase(TypedDict):
    """A phase that is open."""

    id: str
    title: str


class View(TypedDict):
    """The game as a viewer may see it."""

    viewer: str
    phases: list[Phase]
    turn: str | None
    wanted: Wanted
    entities: list[Seen]
    decks: list[dict[str, Plain]]
    result: Plain
    hash: str


class Param(TypedDict):
    """A parameter of something that a side might do."""

    name: str
    title: str
    type: str


class Action(TypedDict):
    """Something that a side might do."""

    id: str
    title: str
    actor: Plain
    refused: str | None
    params: list[Param]


class Legal(TypedDict):
    """All that a side might do."""

    actions: list[Action]
    pass_refused: str | None
    done_refused: str | None
    decline: bool
    take_back: bool


class Event(TypedDict):
    """Something that happened, as a viewer may know it."""

    number: int
    kind: str
    rule: str | None
    depth: Literal["story", "volley", "full"]
    text: list[str]
    fields: dict[str, Plain]
    hidden: list[str]
    draws: list[int] | None


class Standing(TypedDict):
    """Where a match stands, as a viewer may know it."""

    decisions: int
    ask: int
    waiting_for: list[str]
    over: bool
    redoable: int


class Taken(TypedDict):
    """What became of a decision."""

    decision: int
    by: str
    text: str
    over: bool
