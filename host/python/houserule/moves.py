"""Decisions as lists to choose from: something to do, and then its parameters, one
at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .messages import Action, Plain

#: Whole numbers of a large range, and choices of a large set, are sampled.
_SAMPLES = 8


@dataclass(frozen=True)
class Move:
    """A whole decision, or one part of it."""

    #: What players read.
    text: str
    #: The decision, where it is whole.
    decision: Mapping[str, Plain] | None = None
    #: What it begins, where its parameters are asked for.
    begins: Begun | None = None
    #: The value for a parameter.
    value: Plain = None


@dataclass
class Begun:
    """Something to do, of which the parameters are being given."""

    side: str
    action: Action
    is_reaction: bool
    given: dict[str, Plain] = field(default_factory=dict)
    #: The parameter that is asked for.
    param: str = ""

    def anew(self) -> Begun:
        """The same with nothing given: a move may be made more than once."""
        return Begun(self.side, self.action, self.is_reaction)

    def so_far(self) -> dict[str, Any]:
        """What `next_param` is asked."""
        return {"side": self.side, "action": self.action["id"], "actor": self.action["actor"], "params": self.given}

    def decision(self) -> dict[str, Plain]:
        sort, name = ("react", "reaction") if self.is_reaction else ("act", "action")
        actor, params = self.action["actor"], dict(self.given)
        return {"input": sort, name: self.action["id"], "by": self.side, "actor": actor, "params": params}


def name_of(action: Action) -> str:
    """What players call it, and who would do it."""
    actor = action["actor"]
    return f"{action['title']}: {actor['label']}" if isinstance(actor, dict) else action["title"]


def values(domain: Mapping[str, Any]) -> Iterator[tuple[str, Plain]]:
    """Values of a domain: all where they are listed, else those that come to mind."""
    sort = domain["domain"]
    if sort == "choices":
        yield from ((choice["label"], choice["value"]) for choice in domain["choices"])
    elif sort == "several":
        yield from _several(domain)
    elif sort == "integer":
        low, high = domain["min"], domain["max"]
        step = max(1, (high - low) // (_SAMPLES - 1))
        yield from ((str(number), number) for number in dict.fromkeys([*range(low, high + 1, step), high]))
    elif sort == "place":
        points = [*domain["candidates"], *(point for region in domain["regions"] for point in _within(region))]
        yield from ((f"at {_inches(point)}", {"point": point}) for point in points)
    elif sort == "route":
        for way in domain["candidates"]:
            yield "by " + ", ".join(map(_inches, way)), [{"point": point} for point in way]


def _several(domain: Mapping[str, Any]) -> Iterator[tuple[str, Plain]]:
    """The first and the last of the choices, in each number that may be taken."""
    choices = domain["choices"]
    most = min(domain["max"], len(choices), domain["min"] + _SAMPLES)
    for count in range(domain["min"], most + 1):
        for pick in sorted({tuple(range(count)), tuple(range(len(choices) - count, len(choices)))}):
            chosen = [choices[at] for at in pick]
            text = ", ".join(choice["label"] for choice in chosen) or "none of them"
            yield text, [choice["value"] for choice in chosen]


def _within(region: Mapping[str, Any]) -> list[list[int]]:
    """The middle of a region, and of a disc four points around it."""
    if "disc" in region:
        (x, y), reach = region["disc"]["centre"], region["disc"]["radius"] // 2
        return [[x, y], [x + reach, y], [x - reach, y], [x, y + reach], [x, y - reach]]
    (left, low), (right, high) = region["rectangle"]["min"], region["rectangle"]["max"]
    return [[(left + right) // 2, (low + high) // 2]]


def _inches(point: list[int]) -> str:
    x, y = point
    return f"({x / 25_400:.1f}in, {y / 25_400:.1f}in)"
