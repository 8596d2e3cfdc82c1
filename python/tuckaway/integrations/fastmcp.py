"""Tuckaway in MCP servers of FastMCP:

    server = FastMCP("files")
    server.add_middleware(TuckawayMiddleware(AsyncTuckaway(policy=Policy(max_output_tokens=10_000))))

It needs the package ``fastmcp``: ``pip install 'tuckaway[fastmcp]'``.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from typing import Any, cast

from .. import Block, StoredMedia, ToolDefinition, ToolOutput, ToolOverride, View
from ._common import AnyTuckaway, OnView, Reducer, Viewed, missing, reserve_names
from ._parts import is_passed_on, json_block, media

try:
    import mcp_types as mcp
    from fastmcp.exceptions import ToolError
    from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
    from fastmcp.tools.base import InputRequiredToolResult, Tool, ToolResult
except ImportError as error:
    raise missing("fastmcp", error) from error

__all__ = ["OnView", "TuckawayMiddleware", "Viewed"]


class TuckawayMiddleware(Middleware):
    """Replaces oversized results with views, and adds the artifact tools to the server.

    A result is replaced as by the proxy (``tuckaway mcp proxy``): the view replaces all items except images
    and audio, and an object with the view replaces structured content, because some clients show the model
    only that. ``isError`` and ``_meta`` are preserved. A result that passes is the same object.

    A client checks structured content against the tool's ``outputSchema``, and would reject the view. So
    tools whose results may be replaced are listed without the schema. Tools that the policy exempts keep it.

    A call that reads a stored image or recording is answered with it, and one that reads a PDF document with
    an embedded resource.

    A server does not know how much of the model's window is used: set `Policy.max_output_tokens`. All clients
    of the server share the store. An artifact's id cannot be guessed, but anyone who has it can read the
    artifact.

    Args:
        tuckaway: stores the results, and answers the artifact tools; a `tuckaway.Tuckaway` runs in a thread
        max_bytes: maximum bytes of a reply of an artifact tool; 16,384 if None
        on_view: receives the view of each result, with the name of its tool

    Raises:
        InvalidInputError: when tools are listed, if one has the name of an artifact tool
    """

    def __init__(
        self, tuckaway: AnyTuckaway, *, max_bytes: int | None = None, on_view: OnView | None = None
    ) -> None:
        self._reducer = Reducer(tuckaway, max_bytes=max_bytes, on_view=on_view)
        self._own = [_artifact_tool(each) for each in self._reducer.definitions]

    async def on_list_tools(
        self,
        context: MiddlewareContext[mcp.ListToolsRequest],
        call_next: CallNext[mcp.ListToolsRequest, Sequence[Tool]],
    ) -> Sequence[Tool]:
        """Adds the artifact tools, and removes the output schemas that a view would not match."""
        tools = await call_next(context)
        reserve_names(self._reducer.tuckaway, (tool.name for tool in tools))
        return [
            *(
                tool if self._passes(tool.name) else tool.model_copy(update={"output_schema": None})
                for tool in tools
            ),
            *self._own,
        ]

    async def on_call_tool(
        self,
        context: MiddlewareContext[mcp.CallToolRequestParams],
        call_next: CallNext[mcp.CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        """Answers the artifact tools, and replaces the result of any other tool if it is too large."""
        name = context.message.name
        if self._reducer.tuckaway.is_artifact_tool(name):
            arguments = context.message.arguments or {}
            reply, data = await self._reducer.answer_with_file_async(name, arguments)
            if reply.media is None or data is None:
                return ToolResult(content=reply.text, is_error=reply.is_error)
            text = mcp.TextContent(type="text", text=reply.text)
            return ToolResult(content=[text, _file(reply.media, base64.b64encode(data).decode())])
        try:
            result = await call_next(context)
        except ToolError as error:
            view = await self._view(ToolOutput.of(str(error), tool=name, is_error=True))
            if view.decision.action == "inline":
                raise
            raise ToolError(view.text) from error
        # Requests for input and acknowledgements of tasks have no content.
        if isinstance(result, InputRequiredToolResult) or not isinstance(cast(object, result), ToolResult):
            return result
        view = await self._view(_output_of(name, result))
        return result if view.decision.action == "inline" else _result_with(result, view)

    async def _view(self, output: ToolOutput) -> View:
        # A server sees neither the turns of a model nor its window.
        return await self._reducer.view_async(output, None, 0, None)

    def _passes(self, name: str) -> bool:
        policy = self._reducer.tuckaway.policy
        first = next((each for each in policy.overrides if _matches(each, name)), None)
        return not policy.enabled or (first is not None and first.exempt)


def _file(media: StoredMedia, data: str) -> mcp.ContentBlock:
    """Returns a stored file, whose bytes are given as base64, as an item."""
    media_type = media.media_type
    if media.kind == "image":
        return mcp.ImageContent(type="image", data=data, mime_type=media_type)
    if media.kind == "audio":
        return mcp.AudioContent(type="audio", data=data, mime_type=media_type)
    uri = f"tuckaway://{media.artifact_id}"
    resource = mcp.BlobResourceContents(uri=uri, mime_type=media_type, blob=data)
    return mcp.EmbeddedResource(type="resource", resource=resource)


def _artifact_tool(definition: ToolDefinition) -> Tool:
    title = definition.name.replace("_", " ").capitalize()
    # A client may call a read-only tool without asking; a filter can save its outputs, in each call again.
    only_reads = "save_as" not in definition.input_schema["properties"]
    hints = mcp.ToolAnnotations(
        title=title,
        read_only_hint=only_reads,
        destructive_hint=False,
        idempotent_hint=only_reads,
        open_world_hint=False,
    )
    return Tool(
        name=definition.name,
        title=title,
        description=definition.description,
        parameters=definition.input_schema,
        annotations=hints,
    )


def _matches(override: ToolOverride, name: str) -> bool:
    pattern = re.escape(override.tools).replace(r"\*", ".*").replace(r"\?", ".")
    return re.fullmatch(pattern, name, re.DOTALL) is not None


def _output_of(tool: str, result: ToolResult) -> ToolOutput:
    """Returns a result as an output: one block for each item, so that `View.kept` has indexes of items."""
    return ToolOutput(
        tool=tool,
        is_error=result.is_error,
        blocks=[_block_of(item) for item in result.content],
        structured=result.structured_content,
    )


def _result_with(result: ToolResult, view: View) -> ToolResult:
    kept = [result.content[index] for index in view.kept]
    structured: dict[str, Any] | None = None
    if result.structured_content is not None:
        ids = [artifact.id for artifact in view.artifacts]
        structured = {"tuckaway": {"action": view.decision.action, "view": view.text, "artifacts": ids}}
    return ToolResult(
        content=[mcp.TextContent(type="text", text=view.text), *kept],
        structured_content=structured,
        meta=_without_wrapping(result.meta),
        is_error=result.is_error,
    )


def _without_wrapping(meta: dict[str, Any] | None) -> dict[str, Any] | None:
    """Removes FastMCP's note that the structured content is ``{"result": value}``, which is no longer
    true."""
    if meta is None or not isinstance(meta.get("fastmcp"), dict):
        return meta
    own: dict[str, Any] = meta["fastmcp"]
    rest = {key: value for key, value in meta.items() if key != "fastmcp"}
    left = {key: value for key, value in own.items() if key != "wrap_result"}
    return {**rest, "fastmcp": left} if left else rest or None


def _block_of(item: mcp.ContentBlock) -> Block:
    if isinstance(item, mcp.TextContent):
        return Block(item.text)
    if isinstance(item, (mcp.ImageContent, mcp.AudioContent)):
        return _encoded(item.data, item.mime_type)
    if isinstance(item, mcp.EmbeddedResource):
        resource = item.resource
        if isinstance(resource, mcp.TextResourceContents):
            return Block(resource.text, None if is_passed_on(resource.mime_type) else resource.mime_type)
        return _encoded(resource.blob, resource.mime_type)
    return json_block(item.model_dump(mode="json", by_alias=True, exclude_none=True))


def _encoded(data: str, media_type: str | None) -> Block:
    """Returns a block of base64 data. Data that is passed on unchanged is counted without entering the
    sandbox."""
    if media_type is not None and is_passed_on(media_type):
        return media(media_type)
    try:
        return Block(base64.b64decode(data, validate=True), media_type)
    except binascii.Error:
        return Block(data)
