//===- Pipelines.cpp - named phases from exporter IR to LLVM --------------===//
#include "attn/Pipelines/Pipelines.h"
#include "Phases.h"
#include "attn/CostModel/Target.h"
#include "attn/Differentiate/Passes.h"
#include "attn/IR/AttnDialect.h"
#include "attn/IR/Passes.h"
#include "attn/Pipelines/Passes.h"
#include "attn/Recognize/Passes.h"
#include "attn/Tile/CostQuery.h"
#include "attn/Tile/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::attn;

/// attn: what is an attention is one op, and carries its tiling.
static void addAttnPhase(OpPassManager &pm, const PipelineOptions &options) {
  AttnRecognizeOptions recognize;
  recognize.mustFuse = options.mustFuse;
  recognize.strictRounding = options.strictRounding;
  pm.addPass(createAttnRecognize(recognize));
  if (!options.differentiate.empty()) {
    AttnDifferentiateOptions differentiate;
    differentiate.functions.push_back(options.differentiate);
    differentiate.arguments.assign(options.differentiateArguments.begin(),
                                   options.differentiateArguments.end());
    differentiate.lseGradients = options.lseGradients;
    pm.addPass(createAttnDifferentiate(differentiate));
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
  AttnSelectTilingOptions select;
  select.tiling = options.tiling;
  select.table = options.tilingTable;
  select.atomics = options.atomics;
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
  if (wants(Phase::LLVM)) {
    pm.addNestedPass<func::FuncOp>(createAttnVectorizableLoops());
    addLowerToLLVM(pm, options.parallel);
  }
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
