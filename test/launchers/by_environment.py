#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""by_environment.py N CMD...: starts N processes as launchers of deep-learning jobs do: who they are is told by the environment alone."""
import os
import subprocess
import sys

count, command = int(sys.argv[1]), sys.argv[2:]
children = []
for rank in range(count):
    told = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": count, "LOCAL_WORLD_SIZE": count, "GROUP_RANK": 0,
            "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": 29500, "TORCHELASTIC_RUN_ID": "none"}
    environment = dict(os.environ, **{name: str(value) for name, value in told.items()})
    children.append(subprocess.Popen(command, env=environment))
sys.exit(max(abs(child.wait()) for child in children))
