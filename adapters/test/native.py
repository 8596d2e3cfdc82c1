"""A module in place of `tuckaway._native`: its engine is a module in a plugin host.

With it, the Python package and the runner of its cases work without the package's own engine, so that the
cases reach the plugin through the same code.
"""

from __future__ import annotations

import base64
import json
import sys
from types import ModuleType
from typing import Any

from hosts import FailureError, Host, Ports

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "default_policy": ("dialect",),
    "decide": ("output", "turn", "policy"),
    "process": ("output", "turn", "policy"),
    "process_turn": ("outputs", "turn", "policy"),
    "infer_shape": ("content", "max_bytes"),
    "truncate": ("content", "max_bytes"),
    "read": ("id", "range", "line_numbers", "max_bytes"),
    "grep": ("id", "query", "max_bytes"),
    "grep_all": ("query", "max_bytes"),
    "jq": ("id", "query", "max_bytes"),
    "list_artifacts": (),
    "definitions": ("tools", "dialect", "is_final_turn", "is_detailed"),
    "call": ("name", "arguments", "max_bytes"),
    "cache_view": ("text", "artifact", "config"),
    "unreferenced": ("texts",),
    "should_compact": ("usage", "config"),
    "budget_preset": ("preset", "total_window"),
    "check_budget": ("config",),
    "read_refusal": ("error",),
    "plan": ("conversation", "task", "answers", "state"),
    "detect_format": ("history",),
    "read_usage": ("usage",),
    "start_history": ("history", "memory", "task"),
    "step_history": ("history", "task", "state", "answer"),
    "extraction_config": ("context_tokens",),
    "parse_extraction_call": ("arguments",),
    "estimate_extraction": ("question", "config"),
    "start_extraction": ("question", "config"),
    "step_extraction": ("state", "event"),
}
"""The arguments of each function, in the order of the package."""


class Engine:
    """The engine of a client, in the current host."""

    host: Host

    def __init__(self, store: Any, tokens: Any = None, *_: object) -> None:
        self._ports = StorePorts(store, tokens)

    def call(self, method: str, arguments: tuple[Any, ...]) -> Any:
        """Answers a request of the package."""
        named = dict(zip(ARGUMENTS[method], arguments, strict=True))
        answer = json.loads(self.host.call(method, json.dumps(_encoded(named)).encode(), self._ports))
        if "error" in answer:
            # The package imports this module in its place.
            from tuckaway.errors import from_kind  # noqa: PLC0415

            raise from_kind(**answer["error"])
        return answer["ok"]


def _encoded(named: dict[str, Any]) -> dict[str, Any]:
    """Returns arguments in the plugin's form: content names its kind, bytes are in base64."""
    if "content" in named:
        return {**named, "content": _content(named["content"])}
    if "output" in named:
        return {**named, "output": _output(named["output"])}
    if "outputs" in named:
        return {**named, "outputs": [_output(output) for output in named["outputs"]]}
    return named


def _output(output: dict[str, Any]) -> dict[str, Any]:
    blocks = [{**block, "content": _content(block["content"])} for block in output["blocks"]]
    return {**output, "blocks": blocks}


def _content(content: Any) -> dict[str, str]:
    if isinstance(content, str):
        return {"text": content}
    return content if isinstance(content, dict) else {"bytes": base64.b64encode(content).decode()}


class StorePorts(Ports):
    """A store and a token counter of the package, for a host."""

    def __init__(self, store: Any, tokens: Any) -> None:
        self._store, self._tokens = store, tokens

    def store(self, method: str, arguments: dict[str, Any], content: bytes) -> tuple[Any, bytes]:
        """Makes a call of the store."""
        from tuckaway._convert import to_plain  # noqa: PLC0415
        from tuckaway.errors import ExpiredError, NotFoundError, QuotaExceededError  # noqa: PLC0415

        if method == "append":
            arguments = {**arguments, "data": content}
        try:
            result = getattr(self._store, method)(**arguments)
        except NotFoundError as error:
            raise FailureError("not_found") from error
        except QuotaExceededError as error:
            raise FailureError("quota_exceeded") from error
        except ExpiredError as error:
            known = None if error.tool is None else {"tool": error.tool, "expired_at": error.expired_at}
            raise FailureError({"expired": known}) from error
        except Exception as error:
            raise FailureError({"other": str(error)}) from error
        return (None, result) if method == "read" else (to_plain(result), b"")

    def tokens(self, text: str) -> int:
        """Counts the tokens of a text."""
        try:
            return int(self._tokens(text))
        except Exception as error:
            raise FailureError(str(error)) from error


def install() -> None:
    """Puts the module in the place of the package's own."""
    module: Any = ModuleType("tuckaway._native")
    module.__version__ = "0.1.0"
    module.Engine = Engine
    # The package mentions these; no case uses them.
    module.NativeStore = module.NativeModel = object
    module.default_policy = lambda dialect: Engine(None).call("default_policy", (dialect,))
    sys.modules["tuckaway._native"] = module
