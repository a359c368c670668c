//===- Pipelines.cpp - named phases from exporter IR to LLVM --------------===//
#include "attn/Pipelines/Pipelines.h"
#include "attn/CPU/Passes.h"
#include "attn/CostModel/Target.h"
#include "attn/Differentiate/Passes.h"
#include "attn/GPU/Passes.h"
#include "attn/IR/AttnDialect.h"
#include "attn/IR/Passes.h"
#include "attn/Pipelines/Passes.h"
#include "attn/Recognize/Passes.h"
#include "attn/Tile/CostQuery.h"
#include "attn/Tile/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

/// input: matchers see linalg only, in one function.
static void addInputPhase(OpPassManager &pm) {
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(), std::nullopt);
  OpPassManager &function = pm.nest<func::FuncOp>();
  TosaToArithPassOptions toArith;
  toArith.includeApplyRescale = true;
  function.addPass(createTosaToArithPass(toArith));
  function.addPass(createTosaToTensorPass());
  function.addPass(createTosaToSCFPass());
}

/// What every road to buffers needs first: elementwise arith on tensors and
/// aggregated ops have no bufferization or loop lowering of their own.
static void addBufferize(OpPassManager &pm, bool destinations) {
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

/// attn: what is an attention is one op, and carries its tiling.
static void addAttnPhase(OpPassManager &pm, const PipelineOptions &options) {
  AttnRecognizeOptions recognize;
  recognize.mustFuse = options.mustFuse;
  recognize.strictRounding = options.strictRounding;
  pm.addPass(createAttnRecognize(recognize));
  if (!options.differentiate.empty()) {
    AttnDifferentiateOptions differentiate;
    differentiate.functions.push_back(options.differentiate);
    differentiate.lseGradients = options.lseGradients;
    pm.addPass(createAttnDifferentiate(differentiate));
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
  AttnSelectTilingOptions select;
  select.tiling = options.tiling;
  select.table = options.tilingTable;
  pm.addPass(createAttnSelectTiling(select));
}

/// tiled: folds over key blocks, in loops over query blocks.
static void addTiledPhase(OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(createAttnToOnline());
  pm.addPass(createAttnTile());
  // Before anything folds the slices that it counts.
  if (options.countIo)
    pm.addPass(createAttnCountIO());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// vector: buffers, and vector code in the place of a tile's ops.
static void addVectorPhase(OpPassManager &pm, const PipelineOptions &options) {
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

/// gpu: kernels as tile programs, and host code that launches them.
static void addGpuPhase(OpPassManager &pm) {
  addBufferize(pm, /*destinations=*/false);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createAttnLowerToGPU());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// kernels: what runs on the device, in the LLVM dialect.
static void addKernelsPhase(OpPassManager &pm) { addGpuKernelLowering(pm); }

/// host: kernels are text, their launches have copies around them.
static void addHostPhase(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createAttnStageOperands());
  GpuModuleToBinaryPassOptions toBinary;
  toBinary.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(toBinary));
}

/// Buffers and structured ops to the LLVM dialect.
static void addLowerToLLVM(OpPassManager &pm, bool parallel) {
  pm.addNestedPass<func::FuncOp>(createAttnStridedCopies());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(parallel ? createForallToParallelLoopPass()
                                          : createForallToForLoopPass());
  if (parallel)
    pm.addPass(createConvertSCFToOpenMPPass());
  pm.addNestedPass<func::FuncOp>(createAttnInlineAllocaScopes());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  // aligned_alloc and not malloc with the address rounded up by integer
  // arithmetic, through which LLVM's alias analysis cannot see.
  FinalizeMemRefToLLVMConversionPassOptions memrefs;
  memrefs.useAlignedAlloc = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memrefs));
  ConvertVectorToLLVMPassOptions vectorOptions;
  vectorOptions.x86Vector = true;
  pm.addPass(createConvertVectorToLLVMPass(vectorOptions));
  pm.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  // What LLVM has no intrinsic for (erf, ...).
  pm.addPass(createConvertMathToLibmPass());
  // Calls of the launch ABI (attn/Runtime/LaunchABI.h).
  pm.addPass(createGpuToLLVMConversionPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void mlir::attn::buildOraclePipeline(OpPassManager &pm) {
  addInputPhase(pm);
  pm.addPass(createAttnDecompose());
  addBufferize(pm, /*destinations=*/false);
  addLowerToLLVM(pm, /*parallel=*/false);
}

void mlir::attn::buildCompilerPipeline(OpPassManager &pm,
                                       std::optional<Phase> from, Phase to,
                                       bool gpu,
                                       const PipelineOptions &options) {
  auto wants = [&](Phase phase) {
    return (!from || *from < phase) && phase <= to;
  };
  if (wants(Phase::Input))
    addInputPhase(pm);
  if (wants(Phase::Attn))
    addAttnPhase(pm, options);
  if (gpu) {
    if (wants(Phase::Gpu))
      addGpuPhase(pm);
    if (wants(Phase::Kernels))
      addKernelsPhase(pm);
    if (wants(Phase::Host))
      addHostPhase(pm);
  } else {
    if (wants(Phase::Tiled))
      addTiledPhase(pm, options);
    if (wants(Phase::Vector))
      addVectorPhase(pm, options);
  }
  if (wants(Phase::LLVM))
    addLowerToLLVM(pm, options.parallel);
}

LogicalResult mlir::attn::setTarget(ModuleOp module, StringRef name,
                                    unsigned cores) {
  // What the module says is checked where it is read.
  DictionaryAttr properties;
  if (name.empty()) {
    Attribute own = module->getAttr("attn.target");
    auto target = dyn_cast_or_null<TargetAttr>(own);
    if (cores == 0 || (own && !target))
      return success();
    name = target ? target.getName() : "host";
    properties = target ? target.getProperties() : nullptr;
  }
  llvm::Expected<::attn::Target> target = ::attn::findTarget(name);
  if (!target)
    return module.emitError(llvm::toString(target.takeError()));
  module->getContext()->loadDialect<AttnDialect>();
  NamedAttrList changed(properties);
  if (cores != 0 && !target->isGpu())
    changed.set("cores", IntegerAttr::get(
                             IntegerType::get(module.getContext(), 64), cores));
  if (!changed.empty())
    properties = changed.getDictionary(module.getContext());
  module->setAttr("attn.target",
                  TargetAttr::get(module.getContext(), name, properties));
  return success();
}

LogicalResult mlir::attn::runCompilerPipeline(ModuleOp module,
                                              std::optional<Phase> from,
                                              Phase to,
                                              const PipelineOptions &options) {
  if (failed(setTarget(module, options.target, options.cores)))
    return failure();
  FailureOr<::attn::Target> target = getTarget(module);
  if (failed(target))
    return failure();
  PassManager pm(module.getContext());
  buildCompilerPipeline(pm, from, to, target->isGpu(), options);
  return pm.run(module);
}

LogicalResult mlir::attn::runOraclePipeline(ModuleOp module) {
  PassManager pm(module.getContext());
  buildOraclePipeline(pm);
  return pm.run(module);
}

void mlir::attn::registerPipelines() {
  PassPipelineRegistration<>(
      "attn-oracle", "Lower an input to LLVM unfused, by upstream passes",
      [](OpPassManager &pm) { buildOraclePipeline(pm); });
}
