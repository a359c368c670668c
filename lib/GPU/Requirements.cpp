//===- Requirements.cpp - what kernels are written for --------------------===//
#include "Requirements.h"
#include "attn/IR/Roles.h"

using namespace mlir;
using namespace mlir::attn;

static LogicalResult checkTarget(ScoreOpInterface op,
                                 const ::attn::Target &target) {
  if (!target.isGpu())
    return op->emitOpError("expected a GPU as attn.target, got '")
           << target.name << "'";
  unsigned capability = 0;
  if (!StringRef(target.chip).starts_with("sm_") ||
      StringRef(target.chip).drop_front(3).consumeInteger(10, capability) ||
      capability < 80)
    return op->emitOpError("expected a target of sm_80 or newer (mma.sync with "
                           "f32 sums, cp.async, bf16), got ")
           << target.chip;
  return success();
}

static LogicalResult checkTypes(ScoreOpInterface op) {
  Type type = getElementTypeOrSelf(op.getQuery());
  for (Value operand : {op.getKey(), op.getValue()})
    if (getElementTypeOrSelf(operand) != type)
      return op->emitOpError(
                 "expected Q, K and V of one element type on a GPU, "
                 "got ")
             << type << " and " << getElementTypeOrSelf(operand);
  if (!type.isF16() && !type.isBF16() && !type.isF32())
    return op->emitOpError("expected Q, K and V of type f16, bf16 or f32 on a "
                           "GPU, got ")
           << type;
  if (getElementTypeOrSelf(op.getOutputOperand().get()).isF64())
    return op->emitOpError("expected O of type f16, bf16 or f32 on a GPU, got "
                           "f64");
  return success();
}

static LogicalResult checkShape(ScoreOpInterface op) {
  Roles roles = inferRoles(op);
  SmallVector<int64_t> sizes = staticSizes(op);
  for (auto [name, dims] :
       {std::pair<StringRef, ArrayRef<unsigned>>("depth", roles.depth),
        {"value", roles.value}}) {
    int64_t columns = 1;
    for (unsigned dim : dims) {
      if (ShapedType::isDynamic(sizes[dim]))
        return op->emitOpError("expected a static ")
               << name << " dim on a GPU: its elements are spread over "
               << "registers; dim " << dim << " is dynamic";
      columns *= sizes[dim];
    }
    if (columns > 256)
      return op->emitOpError("expected at most 256 elements of ")
             << name << " per head on a GPU, got " << columns;
  }
  return success();
}

static LogicalResult checkTiling(ScoreOpInterface op) {
  TilingAttr tiling = op.getTilingAttr();
  if (!tiling)
    return op->emitOpError("expected a tiling: run attn-select-tiling first");
  auto kernel = dyn_cast_or_null<GPUKernelAttr>(tiling.getKernel());
  if (!kernel)
    return op->emitOpError("expected a tiling with a #attn.gpu kernel, got ")
           << tiling;
  auto count = [](ArrayRef<int64_t> block) {
    int64_t product = 1;
    for (int64_t size : block)
      product *= size;
    return product;
  };
  // Warps have rows, in the backward keys, to themselves.
  bool backward = isa<AttentionBackwardOp>(op);
  if ((kernel.getAtomics() || kernel.getApart()) && !backward)
    return op->emitOpError("expected ")
           << (kernel.getAtomics() ? "atomics" : "apart")
           << " in the tiling of an attention_backward only, got " << kernel;
  StringRef names[] = {"query_block", "key_block"}, points[] = {"rows", "keys"};
  ArrayRef<int64_t> blocks[] = {tiling.getQueryBlock(), tiling.getKeyBlock()};
  ArrayRef<int64_t> own = blocks[backward], walked = blocks[!backward];
  int64_t wanted = kernel.getWarps() * kernel.getRowsPerWarp();
  if (!own.empty() && count(own) != wanted)
    return op->emitOpError("expected ")
           << names[backward] << " to hold warps x rows_per_warp = " << wanted
           << " " << points[backward] << ", got " << count(own);
  if (kernel.getRowsPerWarp() % 16 || (!walked.empty() && count(walked) % 16))
    return op->emitOpError("expected rows_per_warp and the ")
           << points[!backward] << " of a block to be multiples of 16, got "
           << kernel.getRowsPerWarp() << " and " << count(walked);
  return success();
}

/// What the backward has beside the operands of the forward.
static LogicalResult checkGradients(ScoreOpInterface op) {
  auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation());
  if (!backward)
    return success();
  if (getElementTypeOrSelf(backward.getOutputGrad()).isF64())
    return op->emitOpError("expected dO of type f16, bf16 or f32 on a GPU, got "
                           "f64");
  for (Value grad : backward.getGrads())
    if (getElementTypeOrSelf(grad).isF64())
      return op->emitOpError("expected gradients of type f16, bf16 or f32 on a "
                             "GPU, got f64");
  return success();
}

LogicalResult mlir::attn::checkRequirements(ScoreOpInterface op,
                                            const ::attn::Target &target) {
  return failure(failed(checkTarget(op, target)) || failed(checkTypes(op)) ||
                 failed(checkShape(op)) || failed(checkTiling(op)) ||
                 failed(checkGradients(op)));
}
