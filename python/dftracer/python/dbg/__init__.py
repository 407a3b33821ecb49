# SPDX-License-Identifier: MIT
"""What DFTracer has with checks of its own; here it is the same."""
from dftracer.python import *  # noqa: F401,F403
from dftracer.python import ai, dft_fn, dftracer  # noqa: F401
