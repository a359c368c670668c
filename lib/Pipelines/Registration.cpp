//===- Registration.cpp - every dialect and pass, in one call -------------===//
#include "attn/Pipelines/Registration.h"
#include "attn/CPU/Passes.h"
#include "attn/Differentiate/Passes.h"
#include "attn/GPU/AttnGPU.h"
#include "attn/GPU/Passes.h"
#include "attn/IR/AttnDialect.h"
#include "attn/IR/Passes.h"
#include "attn/Pipelines/Passes.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Recognize/Passes.h"
#include "attn/Tile/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

void mlir::attn::registerEveryDialect(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<AttnDialect, attn_gpu::AttnGPUDialect>();
}

void mlir::attn::registerOurPasses() {
  registerAttnIRPasses();
  registerAttnRecognizePasses();
  registerAttnDifferentiatePasses();
  registerAttnTilePasses();
  registerAttnCPUPasses();
  registerAttnGPUPasses();
  registerGpuKernelLowering();
  registerAttnPipelinesPasses();
  registerPipelines();
}

void mlir::attn::registerEveryPass() {
  registerAllPasses();
  registerOurPasses();
}
