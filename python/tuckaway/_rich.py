"""The display of views and decisions in terminals, for programs that print with Rich."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._records import Decision, View

_MAX_LINES = 40


def decision_table(decision: Decision) -> Any:
    """Returns a decision as a table of Rich."""
    return _table(_rows(decision))


def view_table(view: View) -> Any:
    """Returns a view as a table of Rich: its decision, the stored artifacts, and the text that the model
    sees."""
    rows = _rows(view.decision)
    rows += [
        ("stored", f"{each.id}, {each.size_bytes:,} bytes, {each.media_type}") for each in view.artifacts
    ]
    lines = view.text.splitlines()
    omitted = len(lines) - _MAX_LINES
    shown = lines if omitted <= 0 else [*lines[:_MAX_LINES], f"… {omitted:,} more lines"]
    return _table([*rows, ("the model sees", "\n".join(shown))])


def _rows(decision: Decision) -> list[tuple[str, str]]:
    tokens = "" if decision.token_count is None else f", {decision.token_count:,} tokens"
    rows = [
        ("decision", f"{decision.action} ({decision.gate})"),
        ("output", f"{decision.size_bytes:,} bytes, {decision.line_count:,} lines{tokens}"),
    ]
    return rows + [("failure", f"{failure.kind}: {failure.message}") for failure in decision.failures]


def _table(rows: list[tuple[str, str]]) -> Any:
    # Only Rich calls this, so it is installed.
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(show_header=False)
    for name, value in rows:
        # The texts of tools are not markup.
        table.add_row(name, Text(value))
    return table
