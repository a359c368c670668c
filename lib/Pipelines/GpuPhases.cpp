//===- GpuPhases.cpp - from buffers to kernels ---------------------------===//
#include "Phases.h"
#include "attn/GPU/Passes.h"
#include "attn/Pipelines/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

// Of upstream's header the one pass: the rest of it takes seconds to read.
namespace mlir {
#define GEN_PASS_DECL_GPUMODULETOBINARYPASS
#include "mlir/Dialect/GPU/Transforms/Passes.h.inc"
} // namespace mlir

using namespace mlir;
using namespace mlir::attn;

/// gpu: kernels as tile programs, and host code that launches them.
void mlir::attn::addGpuPhase(OpPassManager &pm) {
  addBufferize(pm, /*destinations=*/false);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createAttnLowerToGPU());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// kernels: what runs on the device, in the LLVM dialect.
void mlir::attn::addKernelsPhase(OpPassManager &pm) {
  addGpuKernelLowering(pm);
}

/// host: kernels are text, their launches have copies around them.
void mlir::attn::addHostPhase(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createAttnStageOperands());
  GpuModuleToBinaryPassOptions toBinary;
  toBinary.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(toBinary));
}
