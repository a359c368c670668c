//===- BufferPhases.cpp - from tensors to buffers ------------------------===//
#include "Phases.h"
#include "attn/CPU/Passes.h"
#include "attn/IR/Passes.h"
#include "attn/Pipelines/Passes.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

/// What every road to buffers needs first: elementwise arith on tensors and
/// aggregated ops have no bufferization or loop lowering of their own.
void mlir::attn::addBufferize(OpPassManager &pm, bool destinations) {
  pm.addNestedPass<func::FuncOp>(createAttnDecomposeAggregates());
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  // A loop may yield another buffer than it was given; ownership-based
  // deallocation frees the one that is left behind.
  options.allowReturnAllocsFromLoops = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(createAttnReadOnlyArguments());
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  if (destinations) {
    bufferization::BufferResultsToOutParamsPassOptions results;
    results.hoistStaticAllocs = true;
    results.hoistDynamicAllocs = true;
    results.modifyPublicFunctions = true;
    pm.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  }
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
}

/// vector: buffers, and vector code in the place of a tile's ops.
void mlir::attn::addVectorPhase(OpPassManager &pm,
                                const PipelineOptions &options) {
  // A backward that attn-tile left (nothing to tile in a dim of size 0).
  AttnDecomposeOptions decompose;
  decompose.backwardOnly = true;
  pm.addPass(createAttnDecompose(decompose));
  addBufferize(pm, options.destinations);
  // Sizes of views become what the view was made with: tiles of static size.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createAttnLowerToVector());
}
