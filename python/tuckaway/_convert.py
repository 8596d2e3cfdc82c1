"""Converts records to the plain values of the contract's JSON, and back.

A variant of a tagged enum is a record with the class attribute ``_tag``. Its plain form is an object with the
tag as its only member, or the tag itself if the variant has no fields. If ``_is_wrapper`` is true, the
member's value is the value of the variant's only field, not an object of its fields.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast

T = TypeVar("T")

JSON_TEXT: dict[str, bool] = {"is_json_text": True}
"""The metadata of a field that is JSON text in the contract and a parsed value in the record."""

_Reader = Callable[[Any], Any]


def to_plain(value: object) -> Any:
    """Returns the plain form of a record, or of any value made of records.

    >>> from tuckaway.conversation import Message, Text
    >>> to_plain(Message(role="user", parts=[Text("Hi")]))["parts"]
    [{'text': 'Hi'}]
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _record_to_plain(value)
    if isinstance(value, Mapping):
        return {key: to_plain(member) for key, member in cast("Mapping[str, object]", value).items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(element) for element in cast("Sequence[object]", value)]
    return value


def _record_to_plain(record: Any) -> Any:
    fields = {
        field.name: _field_to_plain(getattr(record, field.name), field)
        for field in dataclasses.fields(record)
    }
    tag = getattr(record, "_tag", None)
    if tag is None:
        return fields
    if not fields:
        return tag
    return {tag: next(iter(fields.values())) if _is_wrapper(record) else fields}


def _is_wrapper(variant: Any) -> bool:
    return getattr(variant, "_is_wrapper", False)


def _field_to_plain(value: object, field: dataclasses.Field[Any]) -> Any:
    if field.metadata.get("is_json_text"):
        return to_json(value)
    return to_plain(value)


def to_json(value: object, default: Callable[[Any], Any] | None = None, *, allow_nan: bool = True) -> str:
    """Returns a value as compact JSON text; a text is returned unchanged. ``default`` converts values that
    JSON cannot represent."""
    if isinstance(value, str):
        return value
    separators = (",", ":")
    return json.dumps(value, ensure_ascii=False, separators=separators, default=default, allow_nan=allow_nan)


def from_plain(of: type[T], plain: Any) -> T:
    """Returns the record of a type, or of any annotation that records use, from its plain form.

    >>> from tuckaway.conversation import Span
    >>> from_plain(Span, {"start": 1, "end": 3})
    Span(start=1, end=3)
    """
    return cast(T, _reader(cast(Any, of))(plain))


@cache
def _reader(annotation: Any) -> _Reader:
    """Returns a function that reads values of an annotation. It is created once for each annotation."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return _union_reader(arguments)
    if origin in (tuple, list, Sequence):
        read = _reader(arguments[0])
        return lambda plain: tuple(read(element) for element in plain)
    if dataclasses.is_dataclass(annotation):
        return _record_reader(cast("type[Any]", annotation))
    return _same


def _same(plain: Any) -> Any:
    return plain


def _union_reader(members: tuple[Any, ...]) -> _Reader:
    variants = {member._tag: _variant_reader(member) for member in members if hasattr(member, "_tag")}
    if variants:
        return lambda plain: _read_variant(variants, plain)
    some = [_reader(member) for member in members if member is not type(None)]
    # The members of a union of plain types are all read unchanged.
    read = some[0] if len(some) == 1 else _same
    return lambda plain: None if plain is None else read(plain)


def _read_variant(variants: Mapping[str, _Reader], plain: Any) -> Any:
    if plain is None:
        return None
    if isinstance(plain, str):
        return variants[plain]({})
    ((tag, value),) = plain.items()
    return variants[tag](value)


def _variant_reader(variant: Any) -> _Reader:
    read = _record_reader(variant)
    if not _is_wrapper(variant):
        return read
    (field,) = dataclasses.fields(variant)
    return lambda plain: read({field.name: plain})


def _record_reader(record: type[Any]) -> _Reader:
    # Deferred: a record may contain itself, and names are resolved when all modules are loaded.
    @cache
    def readers() -> dict[str, _Reader]:
        hints = typing.get_type_hints(record)
        return {
            field.name: json.loads if field.metadata.get("is_json_text") else _reader(hints[field.name])
            for field in dataclasses.fields(record)
        }

    def read(plain: Mapping[str, Any]) -> Any:
        known = readers()
        return record(**{name: known[name](value) for name, value in plain.items() if name in known})

    return read
