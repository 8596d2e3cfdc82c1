"""Methods that records have in addition to their fields."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, cast, get_args

from . import _native
from ._check import choice
from ._clip import short_repr
from ._html import decision_html, view_html
from ._rich import decision_table, view_table


class Record:
    """A record. Its `repr` truncates long texts."""

    __slots__ = ()

    def __repr__(self) -> str:
        return short_repr(self)


class DecisionExtras(Record):
    """The display of a decision in notebooks, and in terminals by Rich."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return decision_html(cast(Any, self))

    def __rich__(self) -> Any:
        return decision_table(cast(Any, self))


class ViewExtras(Record):
    """The display of a view in notebooks, and in terminals by Rich: its decision, its sizes and its text."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return view_html(cast(Any, self))

    def __rich__(self) -> Any:
        return view_table(cast(Any, self))


class ShapeExtras(Record):
    """The value of a shape."""

    __slots__ = ()

    json: str

    @property
    def value(self) -> Any:
        """The value of ``json``, parsed."""
        return json.loads(self.json)


class TokenUsageExtras(Record):
    """The total of a usage."""

    __slots__ = ()

    input_tokens: int
    output_tokens: int
    cache_creation_tokens: int
    cache_read_tokens: int

    @property
    def total_tokens(self) -> int:
        """The sum of all four.

        >>> from tuckaway.conversation import TokenUsage
        >>> TokenUsage(input_tokens=1_000, cache_read_tokens=9_000, output_tokens=500).total_tokens
        10500
        """
        return self.input_tokens + self.output_tokens + self.cache_creation_tokens + self.cache_read_tokens


class _OfDialect:
    """A default that depends on the dialect."""

    def __repr__(self) -> str:
        return "<the dialect's>"


OF_DIALECT: Any = _OfDialect()
"""Stands for the default of the policy's dialect."""


class PolicyExtras(Record):
    """The defaults of a policy.

    >>> from tuckaway import Policy
    >>> Policy().max_output_tokens is None
    True
    >>> Policy(dialect="file")
    Policy(dialect='file')
    >>> Policy(dialect="file").max_output_tokens
    10000
    """

    __slots__ = ()

    dialect: Any

    def __post_init__(self) -> None:
        for name, value in self._defaults().items():
            if getattr(self, name) is OF_DIALECT:
                object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        defaults = {**self._defaults(), "dialect": "artifact"}
        values = {name: getattr(self, name) for name in defaults}
        changed = (f"{name}={value!r}" for name, value in values.items() if value != defaults[name])
        return f"Policy({', '.join(changed)})"

    def _defaults(self) -> dict[str, Any]:
        """Returns the defaults of the dialect."""
        from ._records import Dialect  # noqa: PLC0415

        return _defaults_of(choice("dialect", self.dialect, get_args(Dialect)))


@cache
def _defaults_of(dialect: str) -> dict[str, Any]:
    """Returns the defaults of a dialect, in the order of the fields. Policies are made for each count of
    tokens."""
    return {**_native.default_policy(dialect), "overrides": ()}
