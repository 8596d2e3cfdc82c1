"""Code that both clients share: from arguments to a request of the native module, and from its result to
records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast, get_args

from ._check import (
    U32_MAX,
    U64_MAX,
    choice,
    invalid,
    kind_of,
    optional_size,
    size,
    text,
)
from ._content import object_text, plain_output
from ._convert import from_plain, to_plain
from ._dialects import TOOL_NAMES
from ._log import logged
from ._values import Default
from .records import (
    AllMatches,
    Artifact,
    Decision,
    Dialect,
    Matches,
    Outputs,
    Page,
    Policy,
    Shape,
    StoredMedia,
    Tool,
    ToolDefinition,
    ToolOutput,
    ToolReply,
    View,
)

T = TypeVar("T")

OutputLike = Any
"""An output, as the methods of clients accept it: a `ToolOutput`, or its `Content`."""

Bounds = tuple[int | None, int | None]
"""Both ends of a range; None is the first or the last possible one."""


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """A call of the native module, and how its result is read."""

    method: str
    arguments: tuple[Any, ...]
    read: Callable[[Any], T]


def record(of: type[T]) -> Callable[[Any], T]:
    """Reads a record."""
    return lambda plain: from_plain(of, plain)


def records(of: type[T]) -> Callable[[Any], list[T]]:
    """Reads a list of records."""
    return lambda plain: [from_plain(of, element) for element in plain]


def as_is(plain: Any) -> Any:
    """Reads a plain value."""
    return plain


def one_output(
    output: OutputLike,
    *,
    tool: str | None,
    is_error: bool,
    media_type: str | None,
    structured: str | Mapping[str, Any] | None,
    default: Default | None,
) -> dict[str, Any]:
    """Returns the plain form of an output, which may be only its content."""
    if not isinstance(output, ToolOutput):
        if tool is None:
            raise invalid("tool", "is missing; pass the name under which the model called the tool.")
        whole = ToolOutput.of(
            output, tool=tool, is_error=is_error, media_type=media_type, structured=structured
        )
        return plain_output(whole, default)
    given = {"tool": tool, "is_error": is_error or None, "media_type": media_type, "structured": structured}
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise invalid(names, "cannot be passed with a ToolOutput, which has its own; omit them.")
    return plain_output(output, default)


class Requests:
    """Creates requests. Holds the client's settings for all calls."""

    def __init__(self, context_window: int, tools: Iterable[Tool], policy: Policy | None) -> None:
        self.context_window = size("context_window", context_window)
        self.tools: tuple[Tool, ...] = tool_names(tools)
        self.policy = Policy() if policy is None else _checked_policy(policy)
        self._plain_policy = to_plain(self.policy)

    def turn(
        self, used_tokens: int, context_window: int | None, tools: Iterable[Tool] | None
    ) -> dict[str, Any]:
        """Returns the state of the conversation when an output arrives."""
        window = self.context_window if context_window is None else size("context_window", context_window)
        return {
            "context_window": window,
            "used_tokens": size("used_tokens", used_tokens),
            "tools": list(self.tools if tools is None else tool_names(tools)),
        }

    def _policy(self, policy: Policy | None) -> dict[str, Any]:
        plain: dict[str, Any] = self._plain_policy if policy is None else to_plain(_checked_policy(policy))
        return plain

    def process(self, output: dict[str, Any], turn: dict[str, Any], policy: Policy | None) -> Request[View]:
        read = record(View)
        arguments = (output, turn, self._policy(policy))
        return Request("process", arguments, lambda plain: logged(output, read(plain)))

    def decide(
        self, output: dict[str, Any], turn: dict[str, Any], policy: Policy | None
    ) -> Request[Decision]:
        return Request("decide", (output, turn, self._policy(policy)), record(Decision))

    def process_turn(
        self, outputs: list[dict[str, Any]], turn: dict[str, Any], policy: Policy | None
    ) -> Request[list[View]]:
        read = records(View)

        def logged_views(plain: Any) -> list[View]:
            return [logged(output, view) for output, view in zip(outputs, read(plain), strict=True)]

        return Request("process_turn", (outputs, turn, self._policy(policy)), logged_views)

    def default_policy(self, dialect: Dialect) -> Request[Policy]:
        return Request("default_policy", (_dialect(dialect),), record(Policy))

    def infer_shape(self, content: str | bytes, max_bytes: int | None) -> Request[Shape]:
        return Request("infer_shape", (content, _max_bytes(max_bytes)), record(Shape))

    def truncate(self, content: str | bytes, max_bytes: int) -> Request[str]:
        return Request("truncate", (content, size("max_bytes", max_bytes)), as_is)

    def read(
        self, id: str, range: dict[str, Any], line_numbers: bool, max_bytes: int | None
    ) -> Request[Page]:
        return Request(
            "read", (text("id", id), range, bool(line_numbers), _max_bytes(max_bytes)), record(Page)
        )

    def grep(self, id: str, query: dict[str, Any], max_bytes: int | None) -> Request[Matches]:
        return Request("grep", (text("id", id), query, _max_bytes(max_bytes)), record(Matches))

    def grep_all(self, query: dict[str, Any], max_bytes: int | None) -> Request[AllMatches]:
        return Request("grep_all", (query, _max_bytes(max_bytes)), record(AllMatches))

    def jq(self, id: str, query: dict[str, Any], max_bytes: int | None) -> Request[Outputs]:
        return Request("jq", (text("id", id), query, _max_bytes(max_bytes)), record(Outputs))

    def list_artifacts(self) -> Request[list[Artifact]]:
        return Request("list_artifacts", (), records(Artifact))

    def definitions(
        self, dialect: Dialect | None, tools: Iterable[Tool] | None, is_final_turn: bool, is_detailed: bool
    ) -> Request[list[ToolDefinition]]:
        names = self.tools if tools is None else tool_names(tools)
        spoken = self.policy.dialect if dialect is None else _dialect(dialect)
        flags = (bool(is_final_turn), bool(is_detailed))
        return Request("definitions", (list(names), spoken, *flags), records(ToolDefinition))

    def call_tool(
        self, name: str, arguments: str | Mapping[str, Any], max_bytes: int | None
    ) -> Request[ToolReply]:
        written = text("arguments", object_text("arguments", arguments))
        return Request("call", (text("name", name), written, _max_bytes(max_bytes)), record(ToolReply))

    def media_bytes(self, media: StoredMedia) -> Request[bytes]:
        if not isinstance(cast("object", media), StoredMedia):
            raise invalid("media", f"is {kind_of(media)}; pass ToolReply.media, unless it is None.")
        return Request("media_bytes", (to_plain(media),), as_is)

    def is_artifact_tool(self, name: str) -> bool:
        return name in TOOL_NAMES[self.policy.dialect]


def read_range(
    lines: Bounds | None, last_lines: int | None, bytes: Bounds | None, cursor: str | None
) -> dict[str, Any]:
    """Returns the part to read: by default all lines."""
    given = {"lines": lines, "last_lines": last_lines, "bytes": bytes, "cursor": cursor}
    names = [name for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise invalid(names, "are different parts; pass one of them.")
    if last_lines is not None:
        return {"last_lines": size("last_lines", last_lines)}
    if cursor is not None:
        return {"cursor": text("cursor", cursor)}
    if bytes is not None:
        return {"bytes": _bounds("bytes", bytes, 0)}
    return {"lines": _bounds("lines", lines or (None, None), 1)}


def _bounds(name: str, bounds: Bounds, first: int) -> dict[str, int]:
    try:
        start, end = bounds
    except (TypeError, ValueError) as error:
        raise invalid(name, f"is {bounds!r}; pass both ends, such as ({first}, 100).") from error
    return {
        "start": first if start is None else size(name, start),
        "end": U64_MAX if end is None else size(name, end),
    }


def _max_bytes(max_bytes: int | None) -> int | None:
    return optional_size("max_bytes", max_bytes, U32_MAX)


def _checked_policy(policy: object) -> Policy:
    if not isinstance(policy, Policy):
        raise invalid("policy", f"is {kind_of(policy)}; pass a Policy(…).")
    return policy


def _dialect(dialect: str) -> Dialect:
    return cast("Dialect", choice("dialect", dialect, TOOL_NAMES))


def tool_names(tools: object) -> tuple[Tool, ...]:
    """Returns the artifact tools that a model can call."""
    if isinstance(tools, str) or not isinstance(tools, Iterable):
        raise invalid("tools", f"is {tools!r}; pass some of {_tool_choices()}, such as ('read', 'grep').")
    names = tuple(cast("Iterable[Tool]", tools))
    for name in names:
        if name not in get_args(Tool):
            raise invalid("tools", f"has {name!r}; pass some of {_tool_choices()}.")
    return names


def _tool_choices() -> str:
    return ", ".join(repr(name) for name in get_args(Tool))
