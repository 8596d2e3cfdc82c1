"""Makes the Python package and the runner of its cases importable, over the modules of this folder."""

import sys
from pathlib import Path

import native

PYTHON = Path(__file__).parents[2] / "python"

sys.path[:0] = [str(PYTHON), str(PYTHON / "tests")]
native.install()
