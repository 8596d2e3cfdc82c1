"""Calls that read a stored image, PDF document or recording, in each format."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import mcp_types as mcp
import pytest
from fastmcp import Client, FastMCP

from tuckaway import AsyncTuckaway, MemoryStore, Tuckaway
from tuckaway.integrations import anthropic, openai
from tuckaway.integrations.fastmcp import TuckawayMiddleware

from .scenario import PNG

PDF = b"%PDF-1.7\n1 0 obj\xff"
MP3 = b"ID3\x04\x00"
BYTES = "To read its bytes, pass start_byte and end_byte."
PNG_TEXT = f"The artifact is an image (image/png, {len(PNG)} bytes). {BYTES}"
PDF_TEXT = f"The artifact is a PDF document (application/pdf, 17 bytes). {BYTES}"
MP3_TEXT = f"The artifact is an audio recording (audio/mpeg, 5 bytes). {BYTES}"


def stored(content: bytes, media_type: str) -> tuple[MemoryStore, str]:
    store = MemoryStore()
    artifact = store.create("screenshot", media_type)
    store.append(artifact, content)
    store.seal(artifact, 1)
    return store, artifact


def in_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def from_messages(content: bytes, media_type: str, arguments: Any = None, caller: Any = None) -> Any:
    """Returns the content of the result in Anthropic's format."""
    store, artifact = stored(content, media_type)
    given = {"artifact_id": artifact, **(arguments or {})}
    block = {"type": "tool_use", "id": "c1", "name": "artifact_read", "input": given, "caller": caller}
    [result] = anthropic.run_tool_calls(Tuckaway(store), {"content": [block]}, {})
    assert "is_error" not in result
    return result["content"]


def from_responses(content: bytes, media_type: str) -> tuple[Any, str]:
    """Returns the output in the format of Responses, and the id of the artifact."""
    store, artifact = stored(content, media_type)
    arguments = json.dumps({"artifact_id": artifact})
    made = {"type": "function_call", "call_id": "c1", "name": "artifact_read", "arguments": arguments}
    [item] = openai.run_responses_tool_calls(Tuckaway(store), {"output": [made]}, {})
    return item["output"], artifact


def test_results_of_messages_have_images_and_documents() -> None:
    def block(kind: str, media_type: str, content: bytes) -> Any:
        source = {"type": "base64", "media_type": media_type, "data": in_base64(content)}
        return {"type": kind, "source": source}

    image = [{"type": "text", "text": PNG_TEXT}, block("image", "image/png", PNG)]
    assert from_messages(PNG, "image/png") == image
    # Providers refuse an image of another type than its declared one.
    assert from_messages(PNG, "image/jpeg") == image
    assert from_messages(PNG, "image/png", {"start_line": 1, "cursor": ""}) == image
    document = [{"type": "text", "text": PDF_TEXT}, block("document", "application/pdf", PDF)]
    assert from_messages(PDF, "application/pdf") == document
    why = "It is not played, because a result of Messages cannot contain audio."
    assert from_messages(MP3, "audio/mpeg") == f"{MP3_TEXT} {why}"


def test_bytes_of_an_image_are_text() -> None:
    part = from_messages(PNG, "image/png", {"start_byte": 1, "end_byte": 4})
    assert "PNG" in part
    assert PNG_TEXT not in part
    # A program reads text only.
    assert from_messages(PNG, "image/png", caller={"type": "code_execution_20250825"}) == PNG_TEXT
    # A reference to an image is stored as its text.
    assert "https://example.org/a.png" in from_messages(b"https://example.org/a.png", "image/png")


def test_results_of_responses_have_images_and_files() -> None:
    output, _ = from_responses(PNG, "image/png")
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{in_base64(PNG)}"}
    assert output == [{"type": "input_text", "text": PNG_TEXT}, image]
    output, artifact = from_responses(PDF, "application/pdf")
    data = f"data:application/pdf;base64,{in_base64(PDF)}"
    file = {"type": "input_file", "filename": f"{artifact}.pdf", "file_data": data}
    assert output == [{"type": "input_text", "text": PDF_TEXT}, file]
    why = "It is not played, because a result of Responses cannot contain audio."
    assert from_responses(MP3, "audio/mpeg")[0] == f"{MP3_TEXT} {why}"


def test_results_of_chat_completions_describe_an_image() -> None:
    store, artifact = stored(PNG, "image/png")
    function = {"name": "artifact_read", "arguments": json.dumps({"artifact_id": artifact})}
    message = {"tool_calls": [{"id": "c1", "type": "function", "function": function}]}
    completion = {"choices": [{"message": message}]}
    [reply] = openai.run_chat_tool_calls(Tuckaway(store), completion, {})
    why = "It is not shown, because a result of Chat Completions can only contain text."
    assert reply["content"] == f"{PNG_TEXT} {why}"


def test_a_large_image_is_only_described() -> None:
    large = PNG.ljust(3_932_161, b"\0")
    assert from_messages(large, "image/png") == (
        "The artifact is an image (image/png, 3932161 bytes). It is not shown, because a reply has files of "
        f"at most 3932160 bytes. {BYTES}"
    )
    assert len(from_messages(large[:-1], "image/png")) == 2


@pytest.mark.parametrize("kind", [Tuckaway, AsyncTuckaway])
def test_results_of_mcp_have_items(kind: Any) -> None:
    def call(content: bytes, media_type: str) -> Any:
        store, artifact = stored(content, media_type)
        server: FastMCP[Any] = FastMCP("files")
        server.add_middleware(TuckawayMiddleware(kind(store)))

        async def work() -> Any:
            async with Client(server) as client:
                return await client.call_tool_mcp("artifact_read", {"artifact_id": artifact})

        return asyncio.run(work()).content

    text, image = call(PNG, "image/png")
    assert text.text == PNG_TEXT
    assert image == mcp.ImageContent(type="image", data=in_base64(PNG), mime_type="image/png")
    text, audio = call(MP3, "audio/mpeg")
    assert (text.text, audio.type, audio.data) == (MP3_TEXT, "audio", in_base64(MP3))
    text, file = call(PDF, "application/pdf")
    assert (text.text, file.resource.blob) == (PDF_TEXT, in_base64(PDF))
