"""The version of the package."""

from __future__ import annotations

from . import _native

__version__: str = _native.__version__
