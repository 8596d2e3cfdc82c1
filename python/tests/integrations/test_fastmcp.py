"""`TuckawayMiddleware` in servers of FastMCP, called by its client over the protocol."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import mcp_types as mcp
import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.tools.base import ToolResult
from pydantic import BaseModel

from tuckaway import InvalidInputError, Policy, ToolOverride, Tuckaway
from tuckaway.integrations.fastmcp import TuckawayMiddleware, Viewed

from .scenario import (
    ANSWER,
    BARE,
    LOG,
    LONG_ERROR,
    ORDERS,
    PNG,
    SMALL,
    Investigation,
    is_envelope,
    is_error_envelope,
    kinds,
)


class Orders(BaseModel):
    """The result of ``get_orders``, and so its output schema."""

    orders: list[dict[str, int]]


def make(tuckaway: Any = None, **options: Any) -> FastMCP[Any]:
    """Returns a server with tools of all kinds."""
    server: FastMCP[Any] = FastMCP("scenario")
    server.add_middleware(TuckawayMiddleware(tuckaway or Tuckaway(), **options))
    add_tools(server)
    return server


def add_tools(server: FastMCP[Any]) -> None:
    """Adds the tools."""

    @server.tool
    def get_log() -> str:
        """Returns the log."""
        return LOG

    @server.tool
    def get_orders() -> Orders:
        """Returns the orders."""
        return Orders(**ORDERS)

    @server.tool
    def count() -> str:
        """Counts files."""
        return SMALL

    @server.tool
    def fail(text: str) -> str:
        """Fails."""
        raise ToolError(LONG_ERROR if text == "long" else text)

    @server.tool
    def show() -> ToolResult:
        """Shows several items."""
        image = mcp.ImageContent(type="image", data=base64.b64encode(PNG).decode(), mime_type="image/png")
        notes = mcp.TextResourceContents(uri="file:///notes.txt", mime_type="text/plain", text=LOG)
        rows = base64.b64encode(b"a,b\n" + b"1,2\n" * 60_000).decode()
        table = mcp.BlobResourceContents(uri="file:///rows.csv", mime_type="text/csv", blob=rows)
        link = mcp.ResourceLink(type="resource_link", uri="file:///more.txt", name="more")
        resources = [mcp.EmbeddedResource(type="resource", resource=each) for each in (notes, table)]
        return ToolResult(content=[image, *resources, link], meta={"trace": 7})


def with_client(server: FastMCP[Any], work: Any) -> Any:
    """Runs work with a client that is connected to a server in memory."""

    async def main() -> Any:
        async with Client(server) as client:
            return await work(client)

    return asyncio.run(main())


def call(name: str, arguments: Any = None, server: Any = None) -> Any:
    """Returns the result of one call as sent."""
    return with_client(server or make(), lambda client: client.call_tool_mcp(name, arguments or {}))


@pytest.mark.parametrize("kind", kinds())
def test_a_client_finds_facts_that_are_not_in_its_context(kind: Any) -> None:
    views: list[Viewed] = []

    async def work(client: Client[Any]) -> str:
        script, results = Investigation(), []
        while not isinstance(step := script.step(results), str):
            replies = [await client.call_tool(each.name, each.arguments) for each in step]
            results = [reply.content[0].text for reply in replies]
        assert all(is_envelope(text) for text in script.seen[0])
        return step

    assert with_client(make(kind(), on_view=views.append), work) == ANSWER
    assert [seen.tool for seen in views] == ["get_log", "get_orders"]


def test_the_tools_are_listed_with_the_artifact_tools() -> None:
    tools = {tool.name: tool for tool in with_client(make(), lambda client: client.list_tools())}
    assert {"get_log", "artifact_read", "artifact_grep", "artifact_jq"} <= set(tools)
    read = tools["artifact_read"]
    assert "artifact_id" in read.input_schema["properties"]
    assert read.annotations is not None
    assert (read.title, read.annotations.read_only_hint) == ("Artifact read", True)
    jq = tools["artifact_jq"].annotations
    assert jq is not None
    assert (jq.read_only_hint, jq.destructive_hint) == (False, False)


def test_schemas_of_results_that_may_be_replaced_are_removed() -> None:
    policy = Policy(overrides=[ToolOverride(tools="get_o*", exempt=True)])
    plain, exempt = (
        {tool.name: tool for tool in with_client(make(each), lambda client: client.list_tools())}
        for each in (Tuckaway(), Tuckaway(policy=policy))
    )
    assert all(tool.output_schema is None for tool in plain.values())
    assert plain["get_orders"].description == "Returns the orders."
    assert exempt["get_orders"].output_schema is not None
    assert exempt["get_log"].output_schema is None
    result = call("get_orders", server=make(Tuckaway(policy=policy)))
    assert result.structured_content == ORDERS


def test_structured_content_is_replaced_too() -> None:
    result = call("get_orders")
    view = result.content[0].text
    envelope = json.loads(view)
    assert envelope["size_bytes"] < 500_000
    ids = [envelope["artifact_id"]]
    assert result.structured_content == {"tuckaway": {"action": "artifact", "view": view, "artifacts": ids}}


def test_the_client_of_fastmcp_parses_a_replaced_result() -> None:
    result = with_client(make(), lambda client: client.call_tool("get_log"))
    assert result.data["tuckaway"]["action"] == "artifact"
    assert is_envelope(result.content[0].text)


def test_small_results_stay() -> None:
    plain: FastMCP[Any] = FastMCP("scenario")
    add_tools(plain)
    assert call("count") == call("count", server=plain)


def test_images_stay_and_resources_are_stored() -> None:
    tuckaway = Tuckaway()
    result = call("show", server=make(tuckaway))
    text, image = result.content
    assert [image.type, image.mime_type] == ["image", "image/png"]
    assert result.meta["trace"] == 7
    assert "art_show_" in text.text
    types = {artifact.media_type: artifact.size_bytes for artifact in tuckaway.list_artifacts()}
    assert types["text/csv"] == 4 + 4 * 60_000
    assert types["text/plain"] == len(LOG)


def test_errors_stay_errors() -> None:
    server = make(Tuckaway(policy=BARE))
    short, long = call("fail", {"text": "no disk"}, server), call("fail", {"text": "long"}, server)
    assert (short.content[0].text, short.is_error) == ("no disk", True)
    assert (is_error_envelope(long.content[0].text), long.is_error) == (True, True)


def test_mistakes_of_the_model_are_errors_that_help() -> None:
    result = call("artifact_read", {"artifact_id": "art_none"})
    assert result.is_error
    assert result.content[0].text.startswith('There is no artifact "art_none"')


def test_parallel_calls_are_answered() -> None:
    async def work(client: Client[Any]) -> Any:
        return await asyncio.gather(*(client.call_tool("get_log") for _ in range(8)))

    results = with_client(make(), work)
    assert len({json.loads(result.content[0].text)["artifact_id"] for result in results}) == 8


def test_names_of_artifact_tools_are_reserved() -> None:
    server = make()
    server.tool(lambda: SMALL, name="artifact_jq")

    async def list_tools() -> Any:
        return await server.list_tools()

    with pytest.raises(InvalidInputError, match="artifact_jq: reserved for tuckaway's own tools"):
        asyncio.run(list_tools())
