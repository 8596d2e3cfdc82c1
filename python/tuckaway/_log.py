"""The logger ``tuckaway``: a line for each view, and a warning for each failure that was worked around."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from .records import View


def logged(output: Mapping[str, Any], view: View) -> View:
    """Logs the view of an output, and returns it."""
    # A program that has not imported this module has configured no handler.
    logging = sys.modules.get("logging")
    if logging is not None:
        logger = logging.getLogger("tuckaway")
        tool, decision = output["tool"], view.decision
        logger.debug("%s: %s (%s), %d bytes", tool, decision.action, decision.gate, decision.size_bytes)
        for failure in decision.failures:
            logger.warning("%s: %s", tool, failure.message)
    return view
