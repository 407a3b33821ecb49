# SPDX-License-Identifier: MIT
"""trace_handler, by the name that the module has in DFTracer."""
from . import trace_handler  # noqa: F401
