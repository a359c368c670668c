//===- Target.cpp - what the lowering needs to know of a CPU --------------===//
#include "Target.h"
#include "attn/Tile/CostQuery.h"
#include "llvm/TargetParser/Host.h"

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
  CPUTarget result{*target};
  // AVX-512 of the table has them (it is that of servers); a file's numbers and
  // `host` are compiled for this machine.
  bool isOfTable = llvm::any_of(::attn::targetTable(), [&](const auto &entry) {
    return entry.name == target->name;
  });
  result.hasExponentScale =
      target->vectorBits == 512 &&
      (isOfTable || llvm::sys::getHostCPUFeatures().lookup("avx512dq"));
  return result;
}
