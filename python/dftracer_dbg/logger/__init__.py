# SPDX-License-Identifier: MIT
"""As dftracer.logger."""
from dftracer.logger import *  # noqa: F401,F403
