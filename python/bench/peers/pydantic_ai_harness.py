"""The capability `ToolOutputLimits` of pydantic-ai-harness: results from 10,000 characters. Its store has no
default without a workspace: files on this machine."""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from pathlib import Path

from outputs import Output
from pydantic_ai import Agent, Tool
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai_harness.tool_output_limits import LocalFileStore, ToolOutputLimits
from script import DESCRIPTION, FETCH, MAX_CALLS, Call, Script, Seen, definition, definitions, found
from server import ModelServer

_READ = "read_tool_result"


def see(_: ModelServer, output: Output, text: str) -> Seen:
    def queries(view: str) -> Generator[Call, str, None]:
        handle = found(r"stored to handle '(.+?)'\.", view)
        yield Call(_READ, {"handle": handle, "pattern": output.key})
        # A search has no line numbers, so the text after a line can only be found by reading.
        for page in range(MAX_CALLS):
            yield Call(_READ, {"handle": handle, "offset": 200 * page, "limit": 200})

    script = Script(queries, output.answer)

    # A separate model, because this package and others of this bench require different clients of OpenAI.
    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        tools = [tool for tool in info.function_tools if tool.name == _READ]
        script.seen.tools = definitions(
            definition(tool.name, tool.description, tool.parameters_json_schema) for tool in tools
        )
        parts = [part for message in messages for part in message.parts]
        call = script.next([part.model_response_str() for part in parts if isinstance(part, ToolReturnPart)])
        return ModelResponse(parts=[ToolCallPart(call.tool, call.arguments) if call else TextPart("Done.")])

    with tempfile.TemporaryDirectory() as folder:
        limits = ToolOutputLimits(store=LocalFileStore(Path(folder)))
        fetch = Tool(lambda: text, name=FETCH, description=DESCRIPTION)
        Agent(FunctionModel(model), tools=[fetch], capabilities=[limits]).run_sync(output.question)
    return script.seen
