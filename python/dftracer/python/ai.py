# SPDX-License-Identifier: MIT
"""ai and its branches, by the name that the module has in DFTracer."""
from .ai_init import *  # noqa: F401,F403
