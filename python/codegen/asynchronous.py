"""Writes the asynchronous clients from the synchronous ones: `python codegen/asynchronous.py`.

A method that runs a request becomes a coroutine. Its documentation is the first paragraph of the synchronous
method, which it refers to. Everything else is the same, except for the names in `RENAMED` and the types in
`TYPES`. A test fails if the files are not what this writes.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import textwrap
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "tuckaway"

FILES = {"client.py": "aio.py", "_groups.py": "_async_groups.py"}

RENAMED = {
    "Tuckaway": "AsyncTuckaway",
    "SyncClient": "AsyncClient",
    "SyncGroup": "AsyncGroup",
    "_groups": "_async_groups",
    "OutputCache": "AsyncOutputCache",
    "Compaction": "AsyncCompaction",
    "Budgets": "AsyncBudgets",
    "Histories": "AsyncHistories",
    "Extractions": "AsyncExtractions",
    "__enter__": "__aenter__",
    "__exit__": "__aexit__",
}

TYPES = {
    "store: Store | None": "store: Store | AsyncStore | None",
    "tokens: TokenCounter | Tiktoken | None": "tokens: TokenCounter | AsyncTokenCounter | Tiktoken | None",
    "Callable[[SummaryRequest], str]": "Callable[[SummaryRequest], str | Awaitable[str]]",
    "Callable[[list[Any]], Iterable[Any]]": "Callable[[list[Any]], Iterable[Any] | Awaitable[Iterable[Any]]]",
    "model: Model | NativeModel": "model: Model | AsyncModel | NativeModel",
    "Callable[[Progress], None]": "Callable[[Progress], Awaitable[None] | None]",
    "Callable[[str], None]": "Callable[[str], Awaitable[None] | None]",
    "import Callable,": "import Awaitable, Callable,",
    "ExtractionConfig, Model, Progress": "AsyncModel, ExtractionConfig, Model, Progress",
    "from .stores import Store\n": "from .stores import AsyncStore, Store\n",
    "from .tokens import Tiktoken": "from .tokens import AsyncTokenCounter, Tiktoken",
}

DOCS = {
    "client.py": "The client for asyncio.",
    "_groups.py": "The groups of an asynchronous client's methods.",
    "Tuckaway": """`Tuckaway` for asyncio: the same methods, as coroutines.

The store, the counter, the model and ``summarize`` may be async: coroutine functions are awaited on the
event loop of the call, in the context of the caller; plain functions run in threads
(`asyncio.to_thread`), as does reading files and writing JSON. Cancelling a task ends its call.

>>> import asyncio
>>> async def count(text: str) -> int:
...     return len(text.split())
>>> async def main() -> int | None:
...     async with AsyncTuckaway(tokens=count, policy=Policy(max_output_tokens=1_000)) as tuckaway:
...         view = await tuckaway.process("word " * 5_000, tool="shell")
...         return view.decision.token_count
>>> asyncio.run(main())
5000
""",
    "Tuckaway.__init__": "Creates a client, for any event loop; see `Tuckaway`. The store may be async.",
}

AWAITED = re.compile(r"(?<!await )self\.(?:_run|_converted|close|\w+\.defaults)\(")


def main() -> None:
    """Writes the files."""
    for name, text in written().items():
        (PACKAGE / name).write_text(text, encoding="utf-8")


def written() -> dict[str, str]:
    """Returns the texts of the files."""
    return {to: asynchronous(name) for name, to in FILES.items()}


def asynchronous(name: str) -> str:
    """Returns the asynchronous form of a module."""
    source = (PACKAGE / name).read_text(encoding="utf-8")
    lines = source.splitlines()
    module = ast.parse(source)
    replace_docs(lines, module, DOCS[name])
    for kind in (node for node in module.body if isinstance(node, ast.ClassDef)):
        docs = ast.get_docstring(kind) or ""
        replace_docs(lines, kind, DOCS.get(kind.name, docs))
        for method in (node for node in kind.body if isinstance(node, ast.FunctionDef)):
            convert(lines, kind.name, method)
    text = "\n".join(renamed(line) for line in lines if line is not None) + "\n"
    for before, after in TYPES.items():
        text = text.replace(before, after)
    mark = f"# Written by `python codegen/asynchronous.py` from {name}; do not edit.\n\n"
    return formatted(mark + text)


class Docs(str):
    """A docstring, whose words are not names."""

    __slots__ = ()


def renamed(line: str) -> str:
    """Returns a line of code with the names of the asynchronous module."""
    if isinstance(line, Docs):
        return line
    for before, after in RENAMED.items():
        line = re.sub(rf"(?<!\w){before}\b", after, line)
    return line


def convert(lines: list[str | None], kind: str, method: ast.FunctionDef) -> None:
    """Makes a method a coroutine if it waits for anything."""
    body = range(method.lineno - 1, method.end_lineno or method.lineno)
    docs = ast.get_docstring(method)
    waits = method.name in ("close", "__enter__", "__exit__") or any(
        AWAITED.search(lines[n] or "") for n in body
    )
    if docs is not None and waits and not method.name.startswith("_"):
        seen = f"{kind}.{method.name}"
        replace_docs(lines, method, f"{docs.split(chr(10) * 2)[0]} See `{seen}`.")
    elif f"{kind}.{method.name}" in DOCS:
        replace_docs(lines, method, DOCS[f"{kind}.{method.name}"])
    if not waits:
        return
    first = method.lineno - 1
    lines[first] = (lines[first] or "").replace("def ", "async def ", 1)
    for n in body:
        if lines[n] is not None and not isinstance(lines[n], Docs):
            lines[n] = AWAITED.sub(lambda found: f"await {found.group()}", lines[n] or "")


def replace_docs(
    lines: list[str | None], node: ast.Module | ast.ClassDef | ast.FunctionDef, docs: str
) -> None:
    """Replaces a docstring, on the line where it begins."""
    first = node.body[0]
    indent = " " * first.col_offset
    for n in range(first.lineno - 1, first.end_lineno or first.lineno):
        lines[n] = None
    paragraphs = docs.strip().split("\n\n")
    filled = [
        textwrap.indent(each, indent)
        if each.startswith((">>>", "- "))
        else textwrap.fill(" ".join(each.split()), 107, initial_indent=indent, subsequent_indent=indent)
        for each in paragraphs
    ]
    text = "\n\n".join(filled).strip()
    end = f"\n{indent}" if paragraphs[-1].startswith(">>>") else ""
    lines[first.lineno - 1] = Docs(f'{indent}"""{text}{end}"""')


def formatted(text: str) -> str:
    """Returns a source as ruff formats and sorts it."""
    ruff = [sys.executable, "-m", "ruff"]
    name = ["--stdin-filename", str(PACKAGE / "aio.py")]
    for command in (["check", "--quiet", "--fix-only", "--select", "I", *name, "-"], ["format", *name, "-"]):
        run = subprocess.run([*ruff, *command], input=text, capture_output=True, text=True, check=True)
        text = run.stdout
    return text


if __name__ == "__main__":
    main()
