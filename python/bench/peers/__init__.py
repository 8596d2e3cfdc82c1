"""The handling of an output by each package: one module each, with a function `see` that runs a session.

The packages run their own code with their defaults; only required settings are set.
"""

import os

# The packages read these variables when they are imported. None of them should send reports or download
# models.
os.environ.update(DO_NOT_TRACK="1", HAYSTACK_TELEMETRY_ENABLED="False", LANGSMITH_TRACING="false")
os.environ.update(HF_HUB_OFFLINE="1")
