"""The memory of a process that has an output of 100 MB, kept in Python or stored. Each variant is a separate
process."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from measures.inputs import statuses
from measures.timing import Row

_PEAK = """
def peak():
    try:
        status = open("/proc/self/status").read()
    except FileNotFoundError:
        import resource
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return used if sys.platform == "darwin" else used * 1024
    # Unlike ru_maxrss, this figure does not include the parent's memory.
    return int(status.split("VmHWM:")[1].split()[0]) * 1024
"""

_CLIENT = """
from tuckaway import DirStore, MemoryStore, Tuckaway
tuckaway = Tuckaway({store})
view = tuckaway.process({output}, tool="api")
assert view.decision.action == "artifact", view.decision
"""


def _storing(output: str, store: str) -> str:
    return _CLIENT.format(output=output, store=store)


_EMPTY = {
    "nothing": "pass",
    "import, client, a short output": "import tuckaway; tuckaway.Tuckaway().process('short', tool='ls')",
}
_WAYS = {
    "kept as bytes": "kept = path.read_bytes()",
    "kept as a str": "kept = path.read_text()",
    "json.loads() of bytes": "import json; kept = json.loads(path.read_bytes())",
    "process() of a str, MemoryStore": _storing("path.read_text()", "MemoryStore()"),
    "process() of bytes, MemoryStore": _storing("path.read_bytes()", "MemoryStore()"),
    "process() of bytes, DirStore": _storing("path.read_bytes()", "DirStore(folder)"),
    "process() of a path, DirStore": _storing("path", "DirStore(folder)"),
}


def rows(folder: Path) -> list[Row]:
    """Returns a row for each variant, and for processes without an output."""
    document = statuses(folder, 215)
    table: list[Row] = []
    with tempfile.TemporaryDirectory() as directory:
        path, store = Path(directory, "output.json"), Path(directory, "store")
        path.write_text(document.text, encoding="utf-8")
        for name, program in _EMPTY.items():
            table.append([f"peak memory: {name}", f"{_peak(program, path, store) / 2**20:.0f} MiB", ""])
        for name, program in _WAYS.items():
            used = _peak(program, path, store)
            title = f"peak memory: {name}, {document.size // 1_000_000} MB"
            table.append([title, f"{used / 2**20:.0f} MiB", f"{used / document.size:.1f} x the output"])
    return table


def _peak(program: str, path: Path, store: Path) -> int:
    places = f"path, folder = Path({str(path)!r}), Path({str(store)!r})"
    script = "\n".join(["import sys", "from pathlib import Path", places, _PEAK, program, "print(peak())"])
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return int(done.stdout)
