"""`compress` of headroom-ai on the messages of a request, and its tool, which returns the whole original. It
runs without the models that it would download."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

from headroom import compress
from headroom.ccr import CCR_TOOL_NAME, CCRResponseHandler, CCRToolCall, create_ccr_tool_definition
from outputs import Output
from script import FETCH, Call, Script, Seen, definitions
from server import MODEL, ModelServer


def see(_: ModelServer, output: Output, text: str) -> Seen:
    def queries(view: str) -> Generator[Call, str, None]:
        for key in dict.fromkeys(re.findall(r"(?:hash=|<<ccr:)([0-9a-f]{12,24})", view)):
            yield Call(CCR_TOOL_NAME, {"hash": key})

    def reply(call: Call) -> str:
        if call.tool == FETCH:
            return compress(_messages(output, text), model=MODEL).messages[-1]["content"]
        wanted = CCRToolCall(tool_call_id="call_1", hash_key=call.arguments["hash"])
        # The function that its proxy calls when a model calls the tool; no public function does that in a
        # custom loop.
        return CCRResponseHandler()._execute_retrieval(wanted).content

    script = Script(queries, output.answer)
    script.seen.tools = definitions([create_ccr_tool_definition("openai")])
    return script.run(reply)


def _messages(output: Output, text: str) -> list[dict[str, Any]]:
    function = {"name": FETCH, "arguments": "{}"}
    calls = [{"id": "call_0", "type": "function", "function": function}]
    return [
        {"role": "user", "content": output.question},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "call_0", "content": text},
    ]
