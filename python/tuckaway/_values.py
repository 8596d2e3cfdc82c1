"""Values of Python as JSON: results of tools other than text and bytes."""

from __future__ import annotations

import base64
import dataclasses
import datetime
import decimal
import enum
import math
import os
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from ._convert import to_json

Default = Callable[[Any], Any]
"""Converts a value that JSON cannot represent to one that it can."""


def json_text(value: object, default: Default | None = None) -> str:
    """Returns a value as compact JSON. NaN and infinities become null, as in JavaScript.

    >>> json_text({"at": datetime.date(2026, 1, 31), "share": float("nan")})
    '{"at":"2026-01-31","share":null}'

    Errors: `TypeError` for a value of an unknown type if ``default`` does not convert it.
    """
    table = _table(value)
    if table is not None:
        return table
    convert = _converter(default)
    try:
        return to_json(value, convert, allow_nan=False)
    except (TypeError, ValueError):
        # A number that is not finite, or a key that is not a text.
        return to_json(_clean(value, convert), convert)


def _converter(default: Default | None) -> Default:
    def convert(value: Any) -> Any:
        try:
            return plain(value)
        except TypeError:
            if default is None:
                raise
            return default(value)

    return convert


def plain(value: Any) -> Any:
    """Returns a simpler form of a value of the standard library, of a data library or of a model class.

    Errors: `TypeError` for a value of another type.
    """
    for kinds, convert in _STANDARD:
        if isinstance(value, kinds):
            return convert(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return _of_library(value)


def _moment(value: Any) -> str | None:
    # pandas' NaT is a datetime that differs from itself.
    return value.isoformat() if value == value else None  # noqa: PLR0124


_STANDARD: tuple[tuple[Any, Default], ...] = (
    (enum.Enum, lambda value: value.value),
    ((datetime.datetime, datetime.date, datetime.time), _moment),
    ((decimal.Decimal, uuid.UUID, datetime.timedelta), str),
    (os.PathLike, os.fspath),
    ((bytes, bytearray, memoryview), lambda value: base64.b64encode(value).decode()),
    ((set, frozenset), lambda value: sorted(value, key=repr)),
    (Mapping, dict),
)
"""Types of the standard library, and their form in JSON."""


def _of_library(value: Any) -> Any:
    """Returns a value of Pydantic, NumPy, pandas, Polars or PyArrow in a simpler form, or an iterable as a
    list. No library is imported."""
    if isinstance(value, type):
        raise TypeError(f"it has the class {value.__name__}, not an instance")
    if callable(getattr(value, "model_dump", None)):
        return value.model_dump(mode="json")
    # pandas' NA.
    if type(value).__name__ == "NAType":
        return None
    for method in ("tolist", "to_pylist", "to_dicts", "to_list"):
        if callable(getattr(value, method, None)):
            return getattr(value, method)()
    if _is_pandas(value):
        return value.to_dict(orient="records")
    if callable(getattr(value, "__iter__", None)):
        return list(value)
    raise TypeError(f"it has an object of type {type(value).__name__}")


def _table(value: Any) -> str | None:
    """Returns a table of pandas as JSON: an array of records, with an index that is not only numbered."""
    if not _is_pandas(value):
        return None
    is_numbered = type(value.index).__name__ == "RangeIndex"
    if type(value).__name__ == "Series":
        written = value.to_json(orient="values" if is_numbered else "index", **_PANDAS)
    else:
        table = value if is_numbered else value.reset_index()
        written = table.to_json(orient="records", **_PANDAS)
    return str(written)


_PANDAS: dict[str, Any] = {"date_format": "iso", "double_precision": 15, "force_ascii": False}


def _is_pandas(value: object) -> bool:
    kind = type(value)
    return kind.__module__.partition(".")[0] == "pandas" and kind.__name__ in ("DataFrame", "Series")


def _clean(value: Any, convert: Default) -> Any:
    """Returns a value that JSON can represent: with finite numbers, and with texts as keys."""
    # Checks of types make the types of members unknown.
    whole: Any = value
    if value is None or isinstance(value, (str, bool, int)):
        return whole
    if isinstance(value, float):
        return whole if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {_key(key): _clean(member, convert) for key, member in whole.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(element, convert) for element in whole]
    return _clean(convert(whole), convert)


def _key(key: Any) -> str:
    given: Any = key
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool):
        return to_json(key)
    return str(given) if isinstance(key, (int, float, tuple)) else str(plain(given))
