# Written by `cargo xtask contract` from wit/; do not edit.

"""The queries of the contract, of the keyword arguments of a client's methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._check import U32_MAX, artifact_ids, optional_size, optional_text, size, text


def grep_query(
    pattern: str,
    *,
    fixed_string: bool = False,
    ignore_case: bool = False,
    invert: bool = False,
    before_context: int = 0,
    after_context: int = 0,
    each_match: bool = False,
    max_matches: int | None = None,
    cursor: str | None = None,
) -> dict[str, Any]:
    """Returns the query of a search.

    - ``fixed_string``: Matches the pattern as a plain string. Default: false.
    - ``ignore_case``: Ignores the case of ASCII letters. Default: false.
    - ``invert``: Selects the lines that do not match. Default: false.
    - ``before_context``: Lines to show before each match: 0 to 100. Default: 0.
    - ``after_context``: Lines to show after each match: 0 to 100. Default: 0.
    - ``each_match``: Returns every match in a line of more than 400 bytes, not only the first: the line
      then appears once for each match. Default: false.
    - ``max_matches``: Matches per page, at least 1. Default: 100.
    - ``cursor``: ``next`` of an earlier page of the same query.
    """
    return {
        "pattern": text("pattern", pattern),
        "fixed_string": bool(fixed_string),
        "ignore_case": bool(ignore_case),
        "invert": bool(invert),
        "before_context": size("before_context", before_context, U32_MAX),
        "after_context": size("after_context", after_context, U32_MAX),
        "each_match": bool(each_match),
        "max_matches": optional_size("max_matches", max_matches, U32_MAX),
        "cursor": optional_text("cursor", cursor),
    }


def jq_query(
    filter: str,
    *,
    raw: bool = False,
    compact: bool = False,
    slurp: bool = False,
    null_input: bool = False,
    max_steps: int | None = None,
    max_memory: int | None = None,
    variables: Mapping[str, str] | None = None,
    save_as: str | None = None,
    cursor: str | None = None,
) -> dict[str, Any]:
    """Returns the query of a filter.

    - ``raw``: Writes strings without quotes or escapes. Default: false.
    - ``compact``: Writes each output on one line, without indentation. Default: false.
    - ``slurp``: Runs the filter once, on an array of all documents. A filter that only iterates over
      the array (``.[] | f``, ``map(f)``, ``reduce .[] as $x (…)``, ``length``) holds one document in
      memory at a time; any other filter holds all of them. Default: false.
    - ``null_input``: Runs the filter once, on null; ``input`` and ``inputs`` return the documents. If
      false, they return the documents after the current one, as in jq, and the filter runs again on the
      next unread document. Default: false.
    - ``max_steps``: Maximum steps, about two for each term that the filter evaluates: at least 1,
      clamped to 100000000000. Default: 20000000. Each 16 bytes that are read from the artifact give a
      used step back.
    - ``max_memory``: Maximum memory in bytes for the filter and its document together: clamped to the
      range from 1 MiB to 3 GiB. Default: 1 GiB. Five eighths are for the values of a document, the rest
      is for the values that the filter builds. Usage is estimated, with the same result on every
      platform.
    - ``variables``: Other artifacts for the filter, at most 8: the names of variables, without the
      dollar sign, and artifact ids. Default: none.
    - ``save_as``: Stores all outputs as a new artifact in place of a page, one on each line, as
      ``compact`` writes them. This is the artifact's ``tool``: 1 to 64 bytes, not only white space. The
      outputs may have at most 64 MiB, which count towards ``max_memory``. Not with ``cursor`` or
      ``max_bytes``.
    - ``cursor``: ``next`` of an earlier page of the same query.
    """
    return {
        "filter": text("filter", filter),
        "raw": bool(raw),
        "compact": bool(compact),
        "slurp": bool(slurp),
        "null_input": bool(null_input),
        "max_steps": optional_size("max_steps", max_steps),
        "max_memory": optional_size("max_memory", max_memory),
        "variables": artifact_ids("variables", variables),
        "save_as": optional_text("save_as", save_as),
        "cursor": optional_text("cursor", cursor),
    }
