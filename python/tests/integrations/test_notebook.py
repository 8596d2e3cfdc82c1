"""The notebook in ``examples`` runs, and shows the same as when it was written.

``TUCKAWAY_BLESS=1`` writes the outputs of this run into the notebook: review the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "quickstart.ipynb"


@pytest.fixture(scope="module")
def executed() -> Any:
    """The notebook after a run."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in code_cells(notebook):
        cell.outputs = []
    resources = {"metadata": {"path": str(NOTEBOOK.parent)}}
    NotebookClient(notebook, timeout=120, resources=resources, record_timing=False).execute()
    notebook.metadata.language_info = {"name": "python"}
    if os.environ.get("TUCKAWAY_BLESS") == "1":
        nbformat.write(notebook, NOTEBOOK)
    return notebook


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell: Any) -> list[dict[str, str]]:
    """Returns the output of a cell by type, without the parts that differ in each run."""
    outputs = [dict(output.get("data") or {"text/plain": output.text}) for output in cell.outputs]
    return [{kind: always_the_same(text) for kind, text in output.items()} for output in outputs]


def always_the_same(text: str) -> str:
    text = re.sub(r"(art_read_lockfile|art_get_lockfile)_\w{10}", r"\1_…", text)
    return re.sub(r"created_at=\d+", "created_at=…", text)


def test_the_notebook_shows_the_same_outputs(executed: Any) -> None:
    written = nbformat.read(NOTEBOOK, as_version=4)
    for before, after in zip(code_cells(written), code_cells(executed), strict=True):
        assert shown(after) == shown(before), f"In the cell\n{before.source}\n{__doc__}"


def test_the_notebook_was_run(executed: Any) -> None:
    cells = code_cells(executed)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(cell.outputs for cell in cells)
    [html] = [output.data["text/html"] for output in cells[1].outputs]
    assert "art_read_lockfile_" in html
    assert 'These have an install script: "node_modules/bun, ' in cells[-1].outputs[0].text
