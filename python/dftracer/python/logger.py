# SPDX-License-Identifier: MIT
"""dftracer and dft_fn, by the name that they have in DFTracer."""
from .common import *  # noqa: F401,F403
from .env import *  # noqa: F401,F403
