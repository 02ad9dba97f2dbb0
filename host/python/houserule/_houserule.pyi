class Refused(Exception):
    """What was asked was not done: the code, the message, and what is wrong as JSON."""

    args: tuple[int, str, str]

class Server:
    def __init__(self, folders: list[str]) -> None: ...
    def call(self, method: str, params: str, token: str | None = None) -> str: ...
