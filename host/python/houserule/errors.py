"""What can go wrong, a class for each way."""

from __future__ import annotations

from typing import Any

__all__ = ["Broken", "Forbidden", "HouseruleError", "Missing", "Refused", "Stale", "Unwritten"]


class HouseruleError(Exception):
    """What was asked was not done.

    `data` is what the engine tells of it: the reason with its clause, or the
    faults with file, line, what was expected and found, and a hint.
    """

    def __init__(self, message: str, code: int = 0, data: Any = None) -> None:
        super().__init__(_in_full(message, data))
        self.code = code
        self.data = data


class Refused(HouseruleError):
    """The rules do not allow it; the message is the reason, for the player."""


class Broken(HouseruleError):
    """A mod or a file is broken; the match is as it was."""


class Stale(HouseruleError):
    """The side must decide something else by now."""


class Missing(HouseruleError):
    """Something was named that is not there, or no match is in play."""


class Unwritten(HouseruleError):
    """A journal or a save could not be written; nothing was done."""


class Forbidden(HouseruleError):
    """It is not for this seat, or its token opens none."""


_BY_CODE: dict[int, type[HouseruleError]] = {
    -32000: Refused,
    -32001: Broken,
    -32002: Stale,
    -32003: Missing,
    -32004: Missing,
    -32005: Unwritten,
    -32007: Forbidden,
    -32008: Forbidden,
}


#: In what a rule broke, as the program tells it.
_WITHIN = (("in rule", "rule"), ("for", "clause"), ("called by", "caller"))


def error_of(error: dict[str, Any]) -> HouseruleError:
    """The exception for the `error` of a reply."""
    made = _BY_CODE.get(error["code"], HouseruleError)
    return made(error["message"], error["code"], error.get("data"))


def _in_full(message: str, data: Any) -> str:
    """The message; in its place each fault, with where it is and what may help."""
    faults = data.get("faults", []) if isinstance(data, dict) else []
    is_listed = any(fault["message"] == message for fault in faults)
    lines = [line for fault in faults for line in _fault(fault)]
    return "\n".join(lines if is_listed else [message, *lines])


def _fault(fault: dict[str, Any]) -> list[str]:
    place = ":".join(str(fault[part]) for part in ("file", "line") if fault.get(part) is not None)
    where = ", ".join(part for part in (fault.get("module"), place) if part)
    within = ", ".join(f"{word} `{fault[part]}`" for word, part in _WITHIN if fault.get(part))
    message = f"{fault['message']} ({within})" if within else fault["message"]
    lines = [f"{fault['code']} {where}: {message}" if where else f"{fault['code']} {message}"]
    return [*lines, f"  hint: {fault['hint']}"] if fault.get("hint") else lines
