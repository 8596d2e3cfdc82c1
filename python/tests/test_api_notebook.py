"""The display of views and decisions in notebooks."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from tuckaway import Decision, Failure, Policy, ToolOutput, ToolOverride, Tuckaway, View

VOID = {"br", "hr", "img", "meta"}


class Checked(HTMLParser):
    """Reads HTML whose tags are all closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] != "style":
            self.text += data + "\n"


def shown(value: Any) -> Checked:
    return Checked(value._repr_html_())


ROWS = [{"id": n, "name": f"row {n}"} for n in range(30_000)]


def test_a_view_shows_decision_sizes_and_shape() -> None:
    view = Tuckaway(policy=Policy(overrides=[ToolOverride(tools="sql_*")])).process(ROWS, tool="sql_query")
    page = shown(view)
    for part in (
        "artifact\n per_output",
        f"{view.decision.size_bytes:,} bytes",
        view.artifacts[0].id,
        "application/json",
        "floor 4,096, per output 200,000, ceiling 1,048,576 bytes",
        "array(30000) of object(2 keys)",
        "sql_*",
        "what the model sees",
    ):
        assert part in page.text, part
    assert ("b", {"class": "artifact"}) in page.tags
    opened = [attributes for tag, attributes in page.tags if tag == "details"]
    assert opened == [{"open": None}, {}], "the shape is open, the envelope is not"


def test_outputs_that_pass_are_shown_unchanged() -> None:
    page = shown(Tuckaway().process("short & <b>simple</b>", tool="tool"))
    assert "short & <b>simple</b>" in page.text
    assert "%" not in page.text
    assert [attributes for tag, attributes in page.tags if tag == "details"] == [{"open": None}]


def test_no_part_of_an_output_becomes_html() -> None:
    hostile = "</pre><script>alert('x')</script>"
    client = Tuckaway(policy=Policy(keep_all=True, overrides=[ToolOverride(tools="*</td>*")]))
    view = client.process(hostile, tool="a</td><script>", media_type="text/<script>")
    assert "script" not in {tag for tag, _ in shown(view).tags}
    looks_like_an_envelope = '{"artifact_id": "x", "shape": "<script>"}'
    assert "script" not in {tag for tag, _ in shown(client.process(looks_like_an_envelope, tool="tool")).tags}


def test_a_long_text_is_truncated() -> None:
    page = shown(Tuckaway().process("a line\n" * 10_000, tool="tool"))
    assert "50,000 more characters" in page.text
    assert len(page.text) < 30_000


def test_blocks_that_are_passed_on_are_named() -> None:
    png = bytes.fromhex("89504e470d0a1a0a") + bytes(100)
    assert (
        "blocks 0" in shown(Tuckaway().process(ToolOutput.of(png, media_type="image/png", tool="tool"))).text
    )


def test_a_decision_shows_what_failed() -> None:
    decision = Decision(
        action="truncate",
        gate="per_output",
        size_bytes=5_000_000,
        line_count=1,
        token_count=1_250_000,
        tokens_estimated=True,
        min_threshold_bytes=4_096,
        threshold_bytes=200_000,
        max_threshold_bytes=1_048_576,
        max_output_tokens=None,
        headroom_tokens=-5,
        kept_tokens=None,
        matched_override=None,
        failures=(Failure("store", "The disk is <full>.", ()),),
    )
    text = shown(decision).text
    assert "store: The disk is <full>." in text
    assert "1,250,000 tokens" in text
    assert "-5 tokens" in text
    view = View(text="cut", kept=(), artifacts=(), decision=decision)
    assert "3 bytes (0.0 %)" in shown(view).text
