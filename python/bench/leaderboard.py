"""The long-context sessions of the Berkeley Function Calling Leaderboard, and its executable back ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bfcl_eval
from bfcl_eval.constants.executable_backend_config import MULTI_TURN_FUNC_DOC_FILE_MAPPING
from bfcl_eval.eval_checker.multi_turn_eval.multi_turn_utils import execute_multi_turn_func_call
from needed import Call, needed
from script import definition

_DATA = Path(bfcl_eval.__file__).parent / "data"
_NAME = "BFCL_v4_multi_turn_long_context.json"


@dataclass(frozen=True)
class Step:
    """A call of the ground truth."""

    call: Call
    result: str
    needed: list[str]
    """The values that it takes from earlier messages."""


@dataclass(frozen=True)
class Turn:
    """The user's message, and the calls that answer it."""

    said: str
    steps: list[Step]


@dataclass(frozen=True)
class Session:
    """A session of the data set, with the results of its calls."""

    tools: list[dict[str, Any]]
    """The definitions of its tools in the format of Chat Completions."""
    turns: list[Turn]


def sessions() -> Iterator[Session]:
    """Returns all sessions, in the order of the data set. Makes their calls on the back ends."""
    truths = {line["id"]: line["ground_truth"] for line in _lines(_DATA / "possible_answer" / _NAME)}
    for line in _lines(_DATA / _NAME):
        yield Session(_tools(line["involved_classes"]), _turns(line, truths[line["id"]]))


def _turns(line: dict[str, Any], truth: list[list[str]]) -> list[Turn]:
    turns: list[Turn] = []
    earlier: list[str] = []
    for messages, calls in zip(line["question"], truth, strict=True):
        said = "\n".join(message["content"] for message in messages)
        steps: list[Step] = []
        for call in map(Call.of, calls):
            results, _ = execute_multi_turn_func_call(
                [call.text],
                line["initial_config"],
                line["involved_classes"],
                "ground_truth",
                line["id"],
                long_context=True,
            )
            steps.append(Step(call, results[0], needed(call, said, "\n".join(earlier))))
            earlier.append(results[0])
        earlier.append(said)
        turns.append(Turn(said, steps))
    return turns


def _tools(classes: list[str]) -> list[dict[str, Any]]:
    files = (_DATA / "multi_turn_func_doc" / MULTI_TURN_FUNC_DOC_FILE_MAPPING[name] for name in classes)
    documents = (document for file in files for document in _lines(file))
    return [definition(tool["name"], tool["description"], tool["parameters"]) for tool in documents]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
