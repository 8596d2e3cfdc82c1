"""The size of the wheel."""

from __future__ import annotations

import zipfile
from pathlib import Path

from measures.timing import Row


def rows(wheel: Path) -> list[Row]:
    """Returns the sizes of the wheel and of the installed files."""
    with zipfile.ZipFile(wheel) as archive:
        files = {each.filename: each.file_size for each in archive.infolist()}
    installed = sum(files.values())
    native = sum(size for name, size in files.items() if name.endswith((".so", ".pyd")))
    of_it = f"{native / 1e6:.1f} MB of it are the native module, with the component"
    return [
        ["wheel", f"{wheel.stat().st_size / 1e6:.1f} MB", ""],
        ["wheel, installed", f"{installed / 1e6:.1f} MB", of_it],
    ]
