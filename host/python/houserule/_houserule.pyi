from os import PathLike
from typing import final

__all__ = ["Connection", "Server"]

@final
class Server:
    def __new__(cls, folders: list[str | PathLike[str]]) -> Server: ...
    def connect(self, *, as_host: bool = False) -> Connection: ...

@final
class Connection:
    def say(self, message: str) -> list[str]: ...
