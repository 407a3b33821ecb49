# SPDX-License-Identifier: MIT
"""What DFTracer 1 has with checks of its own; here it is dftracer."""
