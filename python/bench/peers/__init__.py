"""What each package does with an output: one module for each, with a function `see` that runs a session.

The packages run their own code with their own defaults; only what they demand to be given is given.
"""

import os

# The packages read these when they are imported. None of them should call home or download models.
os.environ.update(DO_NOT_TRACK="1", HAYSTACK_TELEMETRY_ENABLED="False", LANGSMITH_TRACING="false")
os.environ.update(HF_HUB_OFFLINE="1")
