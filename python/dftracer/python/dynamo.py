# SPDX-License-Identifier: MIT
"""Operations of graphs that torch.compile() makes, each a region of the category `dynamo`. Without torch all of it can be imported."""
from .ai_common import DFTracerAI
from .common import DFTRACER_ENABLE

__all__ = ["CAT_DYNAMO", "Dynamo", "create_backend", "create_detailed_op_name", "dynamo"]

CAT_DYNAMO = "dynamo"
_OPERATIONS = ("call_module", "call_function", "call_method")


def create_detailed_op_name(node, gm):
    """The event's name: MODULE.TYPE_MODULE, function.NAME or method.NAME."""
    target = str(node.target).replace(".", "_")
    if node.op == "call_module":
        return f"{node.target}.{type(gm.get_submodule(node.target)).__name__}_{target}"
    if node.op == "call_function":
        return "function." + getattr(node.target, "__name__", str(node.target))
    return f"method.{target}" if node.op == "call_method" else f"{node.op}.{target}"


def _grad_enabled():
    import torch
    return int(torch.is_grad_enabled())


def _torch():
    try:
        import torch
    except ImportError as error:
        raise RuntimeError("PyTorch is not available") from error
    if not hasattr(torch, "compile"):
        raise RuntimeError(f"PyTorch {torch.__version__} has no torch.compile(): 2.0 is the first that does")
    return torch


class Dynamo(DFTracerAI):
    """Makes backends for torch.compile() that put a region around each operation of a graph."""

    def __init__(self, name=None, epoch=None, step=None, image_idx=None, image_size=None, enable=True):
        super().__init__(CAT_DYNAMO, name, epoch, step, image_idx, image_size, enable)

    def _begin(self, name):
        self._region(name, {"grad_enabled": _grad_enabled()}).__enter__()

    def _end(self, name):
        self._region(name).__exit__(None, None, None)

    def add_enhanced_timing_to_graph(self, gm):
        """The graph, in which calls of ours are before and behind each operation."""
        begin, end = self._begin, self._end  # torch.fx wants one object for each name
        for node in [node for node in gm.graph.nodes if node.op in _OPERATIONS]:
            name = create_detailed_op_name(node, gm)
            with gm.graph.inserting_before(node):
                gm.graph.call_function(begin, args=(name,))
            with gm.graph.inserting_after(node):
                gm.graph.call_function(end, args=(name,))
        gm.recompile()
        return gm

    def _backend(self, autograd):
        def backend(gm, example_inputs, **options):
            forward = self.add_enhanced_timing_to_graph(gm).forward
            return make_boxed_func(forward) if autograd else forward

        if not autograd:
            return backend
        from functorch.compile import make_boxed_func
        from torch._dynamo.backends.common import aot_autograd
        return aot_autograd(fw_compiler=backend)

    def compile(self, f_py=None, autograd=True):
        """A decorator of functions and modules of torch, with and without arguments."""
        if f_py is None:
            return lambda function: self.compile(function, autograd)
        if not (DFTRACER_ENABLE and self._on):
            return f_py
        return _torch().compile(f_py, backend=self._backend(autograd))

    def count_parameters(self, module):
        parameters = getattr(module, "parameters", None)
        return sum(parameter.numel() for parameter in parameters()) if parameters else None


dynamo = Dynamo()


def create_backend(name=None, epoch=None, step=None, image_idx=None, image_size=None, enable=True, autograd=True):
    """A backend for torch.compile()."""
    return Dynamo(name, epoch, step, image_idx, image_size, enable)._backend(autograd)
