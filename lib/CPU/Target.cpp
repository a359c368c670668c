//===- Target.cpp - what the lowering needs to know of a CPU --------------===//
#include "Target.h"
#include "attn/Tile/CostQuery.h"

using namespace mlir;
using namespace mlir::attn;

FailureOr<CPUTarget> CPUTarget::get(ModuleOp module) {
  FailureOr<::attn::Target> target = getTarget(module);
  if (failed(target))
    return failure();
  if (target->isGpu())
    return module.emitError("attn-lower-to-vector: expected attn.target to be "
                            "a CPU, got the GPU '")
           << target->name << "'";
  return CPUTarget{*target};
}
