"""The display of views and decisions in notebooks: one table, in the colours of the notebook's theme."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from .records import Artifact, Decision, View

_MAX_CHARACTERS = 20_000

# Inherited colours and semi-transparent greys are readable on light and on dark backgrounds.
_STYLE = """<style>
.tuckaway { font: 13px/1.4 system-ui, sans-serif; color: inherit; max-width: 70em }
.tuckaway table { border-collapse: collapse; margin: 0 0 .5em; font: inherit; color: inherit }
.tuckaway th, .tuckaway td {
  text-align: left; vertical-align: top; padding: .15em 1em .15em 0; color: inherit; background: none;
  border: 0; border-bottom: 1px solid rgba(128, 128, 128, .25)
}
.tuckaway th { font-weight: 600; white-space: nowrap }
.tuckaway b { padding: 0 .5em; border-radius: .3em; color: #fff }
.tuckaway .inline { background: #2a7d4f }
.tuckaway .artifact { background: #2f6db5 }
.tuckaway .truncate { background: #a15c00 }
.tuckaway pre {
  margin: .3em 0; padding: .6em; max-height: 24em; overflow: auto; white-space: pre-wrap; color: inherit;
  background: rgba(128, 128, 128, .12); border-radius: .3em
}
.tuckaway summary { cursor: pointer }
</style>"""


def decision_html(decision: Decision) -> str:
    """Returns a decision as HTML."""
    return _page(_table(_decision_rows(decision)))


def view_html(view: View) -> str:
    """Returns a view as HTML: its decision, the stored artifacts, the shape, and the text that the model
    sees."""
    rows = _decision_rows(view.decision)
    size = len(view.text.encode())
    rows.append(("the model sees", f"{size:,} bytes{_share(size, view.decision.size_bytes)}"))
    rows += [("stored", _artifact_html(artifact)) for artifact in view.artifacts]
    if view.kept:
        rows.append(("passed on", f"blocks {', '.join(map(str, view.kept))}"))
    shape = _shape(view.text)
    body = _table(rows)
    if shape is not None:
        body += _details("shape", json.dumps(shape, ensure_ascii=False, indent=2), is_open=True)
    return _page(body + _details("what the model sees", view.text, is_open=shape is None))


def _decision_rows(decision: Decision) -> list[tuple[str, str]]:
    """Returns names and values; the values are HTML."""
    action = escape(decision.action)
    tokens = "" if decision.token_count is None else f", {decision.token_count:,} tokens"
    thresholds = (
        f"floor {decision.min_threshold_bytes:,}, per output {decision.threshold_bytes:,}, "
        f"ceiling {decision.max_threshold_bytes:,} bytes"
    )
    rows = [
        ("decision", f'<b class="{action}">{action}</b> {escape(decision.gate)}'),
        ("output", f"{decision.size_bytes:,} bytes, {_lines(decision.line_count)}{tokens}"),
        ("thresholds", thresholds),
    ]
    if decision.headroom_tokens is not None:
        rows.append(("headroom", f"{decision.headroom_tokens:,} tokens"))
    if decision.matched_override is not None:
        rows.append(("override", f"<code>{escape(decision.matched_override)}</code>"))
    rows += [
        ("failure", f"{escape(failure.kind)}: {escape(failure.message)}") for failure in decision.failures
    ]
    return rows


def _artifact_html(artifact: Artifact) -> str:
    return (
        f"<code>{escape(artifact.id)}</code> {artifact.size_bytes:,} bytes, {_lines(artifact.line_count)}, "
        f"{escape(artifact.media_type)}"
    )


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count:,} lines"


def _share(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.1f} %)" if part < whole else ""


def _shape(text: str) -> Any:
    """Returns the shape in an envelope; None if the text is not an envelope with a shape."""
    try:
        envelope = json.loads(text)
    except ValueError:
        return None
    if not isinstance(envelope, dict) or "artifact_id" not in envelope:
        return None
    return cast("dict[str, Any]", envelope).get("shape")


def _table(rows: list[tuple[str, str]]) -> str:
    cells = [f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows]
    return f"<table>{''.join(cells)}</table>"


def _details(title: str, text: str, *, is_open: bool) -> str:
    omitted = len(text) - _MAX_CHARACTERS
    shown = text if omitted <= 0 else f"{text[:_MAX_CHARACTERS]}\n… {omitted:,} more characters"
    opened = " open" if is_open else ""
    return f"<details{opened}><summary>{title}</summary><pre>{escape(shown)}</pre></details>"


def _page(body: str) -> str:
    return f'<div class="tuckaway">{_STYLE}{body}</div>'
