"""attn.torch.backend: what torch.compile captures, through torch-mlir.

AOTAutograd makes the graphs functional and splits training into forward and
backward; torch-mlir imports each as linalg on tensors; attn.compile recognises
the attentions in it and compiles the whole.
"""
import copy
import warnings

import torch
from torch._decomp import get_decompositions
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.aot_autograd import make_boxed_func

from . import compile as compile_mlir

_aten = torch.ops.aten
# Attention that torch would call as one op, taken apart so that it can be seen. In
# training it stays whole: its gradient needs a log-sum-exp that the parts do not give.
_DECOMPOSED = [_aten._scaled_dot_product_flash_attention_for_cpu]
_DTYPES = {
    "i1": torch.bool,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
}


def _keep_tensors(graph_module):
    """Leaves only tensors among the outputs; returns their places and the count."""
    node = next(n for n in graph_module.graph.nodes if n.op == "output")
    outputs = list(node.args[0])
    places = [i for i, output in enumerate(outputs) if output is not None]
    node.args = (tuple(outputs[i] for i in places),)
    graph_module.recompile()
    return places, len(outputs)


def _compile(graph_module, inputs):
    """The graph as a function on a list of tensors."""
    from torch_mlir import fx

    if any(not isinstance(value, torch.Tensor) for value in inputs):
        raise NotImplementedError("sizes as inputs: use torch.compile(..., dynamic=False)")
    places, count = _keep_tensors(graph_module)
    module = fx.stateless_fx_import(
        graph_module, output_type="linalg-on-tensors", model_name="main"
    )
    program = compile_mlir(module, threads=torch.get_num_threads())
    specs = [(shape, _DTYPES[name]) for name, shape in program.results]

    def call(*arguments):
        results = tuple(torch.empty(shape, dtype=dtype) for shape, dtype in specs)
        program(
            *(argument.detach() for argument in arguments),
            out=results,
            threads=torch.get_num_threads(),
        )
        outputs = [None] * count
        for place, result in zip(places, results):
            outputs[place] = result
        return outputs

    call.program = program
    return call


def _compile_or_warn(graph_module, inputs):
    try:
        return make_boxed_func(_compile(copy.deepcopy(graph_module), inputs))
    except Exception as error:  # noqa: BLE001: whatever torch-mlir raises
        text = str(error).strip().split("\n")[0]
        warnings.warn(
            f"attn: a graph is run by torch itself: {type(error).__name__}: {text}",
            stacklevel=2,
        )
        return make_boxed_func(graph_module.forward)


def backend(graph_module, inputs):
    """For torch.compile(model, backend=attn.torch.backend, dynamic=False).

    Made for inference (torch.no_grad()): in training, attention that a model calls
    as one op is torch's; attn.torch.attention has a gradient of its own. A graph
    that torch-mlir or the compiler does not take is run by torch, with a warning
    that says why.
    """
    trains = torch.is_grad_enabled() and any(
        isinstance(value, torch.Tensor) and value.requires_grad
        for value in [*inputs, *graph_module.parameters()]
    )
    compiler = aot_autograd(
        fw_compiler=_compile_or_warn,
        decompositions={} if trains else get_decompositions(_DECOMPOSED),
    )
    return compiler(graph_module, inputs)
