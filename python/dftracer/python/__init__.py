# SPDX-License-Identifier: MIT
"""DFTracer 2: dftracer, dft_fn and the tree ai.

    from dftracer.python import ai, dft_fn, dftracer

    @ai.pipeline.train
    def train(epochs):
        for epoch in ai.pipeline.epoch.iter(range(epochs)):
            for step, batch in enumerate(ai.dataloader.fetch.iter(loader)):
                ai.update(epoch=epoch, step=step)
                with ai.compute.forward:
                    ...
"""
# first the modules, as some have the names of objects
from . import ai, dynamo, env  # noqa: F401
from .ai_init import *  # noqa: F401,F403
from .common import *  # noqa: F401,F403
from .dynamo import Dynamo, create_backend, dynamo  # noqa: F401,F811
from .env import DFTRACER_ENABLE, DFTRACER_INIT_PRELOAD, DFTRACER_LOG_LEVEL  # noqa: F401
