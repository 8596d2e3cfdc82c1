"""The native module: the component in wasmtime, its stores, counters and models. Private."""

from collections.abc import Callable
from typing import Any, final

__all__ = [
    "Engine",
    "NativeModel",
    "NativeStore",
    "Reply",
    "Running",
    "__version__",
    "count_tokens",
    "default_policy",
    "estimate",
    "mint",
]

__version__: str

def estimate(text: str) -> int: ...
def count_tokens(encoding: str, text: str) -> int: ...
def default_policy(dialect: str) -> dict[str, Any]: ...
def mint(tool: str) -> str: ...

@final
class NativeStore:
    def __new__(
        cls,
        at: str,
        *,
        max_bytes: int | None = None,
        max_age: float | None = None,
        endpoint: str | None = None,
        options: dict[str, str] | None = None,
    ) -> NativeStore: ...
    def create(self, tool: str, media_type: str) -> str: ...
    def append(self, id: str, data: bytes) -> None: ...
    def seal(self, id: str, line_count: int) -> dict[str, Any]: ...
    def stat(self, id: str) -> dict[str, Any]: ...
    def read(self, id: str, offset: int, length: int) -> bytes: ...
    def list_artifacts(self) -> list[dict[str, Any]]: ...
    def delete(self, id: str) -> None: ...
    def session(self, name: str) -> NativeStore: ...
    def sessions(self) -> list[str]: ...
    def remove_session(self, name: str) -> None: ...
    def collect_garbage(self) -> dict[str, Any]: ...

@final
class NativeModel:
    def __new__(
        cls,
        protocol: str,
        model: str,
        *,
        base_url: str,
        api_key: str | None = None,
    ) -> NativeModel: ...

@final
class Reply:
    def result(self, value: Any) -> None: ...
    def error(self, exception: BaseException) -> None: ...

@final
class Running:
    def cancel(self) -> None: ...

@final
class Engine:
    def __new__(
        cls,
        store: object,
        tokens: object = None,
        memory_limit: int | None = None,
        deadline: float | None = None,
    ) -> Engine: ...
    def call(self, method: str, arguments: tuple[Any, ...]) -> Any: ...
    def start(
        self,
        method: str,
        arguments: tuple[Any, ...],
        dispatch: Callable[[Callable[..., Any], tuple[Any, ...], Reply], None],
        done: Callable[[Any, BaseException | None], None],
    ) -> Running: ...
