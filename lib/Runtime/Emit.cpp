//===- Emit.cpp - what compiling a module can yield -----------------------===//
#include "attn/Runtime/Emit.h"
#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/KernelBuild.h"
#include "attn/Runtime/ObjectCode.h"
#include "attn/Runtime/RemarkLog.h"
#include "attn/Tile/CostQuery.h"
#include "attn/Tile/Ledger.h"

using namespace mlir;
using namespace mlir::attn;

static constexpr Emission emissions[] = {
    {"attn", Phase::Attn, Phase::Attn, OutputKind::IR},
    {"tiled", Phase::Tiled, std::nullopt, OutputKind::IR},
    {"vector", Phase::Vector, std::nullopt, OutputKind::IR},
    {"gpu", std::nullopt, Phase::Gpu, OutputKind::IR},
    {"llvm", Phase::LLVM, Phase::Kernels, OutputKind::IR},
    {"obj", Phase::LLVM, std::nullopt, OutputKind::Object},
    {"shared", Phase::LLVM, std::nullopt, OutputKind::SharedLibrary},
    {"ptx", std::nullopt, Phase::Host, OutputKind::Ptx},
    {"cubin", std::nullopt, Phase::Host, OutputKind::Cubin},
    {"host", std::nullopt, Phase::Host, OutputKind::IR},
    {"ledger", Phase::Attn, Phase::Attn, OutputKind::Ledger},
};

std::string mlir::attn::getEmissionNames(StringRef separator) {
  return llvm::join(llvm::map_range(emissions,
                                    [](const Emission &emission) {
                                      return emission.name.str();
                                    }),
                    separator);
}

llvm::Expected<Emission> mlir::attn::findEmission(StringRef name) {
  for (const Emission &emission : emissions)
    if (emission.name == name)
      return emission;
  return llvm::createStringError("--emit: expected one of " +
                                 getEmissionNames(", ") + ", got '" + name +
                                 "'");
}

/// Makes `entry`, where one is named, the only public function. Returns the
/// names of the public ones; with `cInterface` they are callable from C.
static FailureOr<std::vector<std::string>>
exportFunctions(ModuleOp module, StringRef entry, bool cInterface) {
  if (!entry.empty()) {
    FailureOr<func::FuncOp> kept = findEntry(module, entry);
    if (failed(kept))
      return failure();
    for (auto function : module.getOps<func::FuncOp>())
      if (function != *kept)
        function.setPrivate();
  }
  std::vector<std::string> names;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    names.push_back(function.getName().str());
    if (cInterface)
      function->setAttr("llvm.emit_c_interface",
                        UnitAttr::get(module.getContext()));
  }
  return names;
}

llvm::Expected<llvm::json::Value> mlir::attn::getLedgers(ModuleOp module) {
  llvm::json::Array entries;
  WalkResult walked = module.walk([&](ScoreOpInterface op) {
    if (!choosesTiling(op))
      return WalkResult::advance();
    FailureOr<llvm::json::Object> ledger = getLedger(op);
    if (failed(ledger))
      return WalkResult::interrupt();
    (*ledger)["loc"] = formatLocation(op.getLoc());
    entries.push_back(std::move(*ledger));
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return llvm::createStringError("expected every attention to have a ledger");
  return llvm::json::Object{{"attentions", std::move(entries)}};
}

static llvm::Expected<std::string> render(ModuleOp module, OutputKind kind,
                                          ArrayRef<std::string> exported,
                                          const CpuSpec &spec) {
  switch (kind) {
  case OutputKind::Object:
    return compileToObject(module, exported, spec);
  case OutputKind::SharedLibrary:
    return compileToSharedLibrary(module, exported, spec);
  case OutputKind::Ledger: {
    llvm::Expected<llvm::json::Value> ledgers = getLedgers(module);
    if (!ledgers)
      return ledgers.takeError();
    return llvm::formatv("{0:2}\n", *ledgers).str();
  }
  case OutputKind::Ptx:
  case OutputKind::Cubin:
  case OutputKind::IR:
    break;
  }
  std::string text;
  llvm::raw_string_ostream(text) << module << '\n';
  return text;
}

/// Kernels: their text or machine code, or the host code around them.
static FailureOr<Emitted> emitKernels(ModuleOp module, const Emission &emission,
                                      StringRef entry,
                                      const PipelineOptions &options) {
  if (failed(runCompilerPipeline(module, std::nullopt, Phase::Attn, options)))
    return failure();
  FailureOr<KernelBuild> build = buildKernels(module, entry, options);
  if (failed(build))
    return failure();
  if (build->ptx.empty())
    return module.emitError("expected an attention to make kernels of, found "
                            "none; --remarks='.*' says what was declined");
  Emitted result;
  if (emission.hasManifest())
    result.manifest =
        llvm::formatv("{0:2}\n", ::attn::toJSON(build->manifest)).str();
  if (emission.kind == OutputKind::Ptx) {
    result.contents = std::move(build->ptx);
  } else if (emission.kind == OutputKind::Cubin) {
    if (!build->assembly)
      return module.emitError("--emit=cubin expects NVIDIA's assembler: ")
             << llvm::toString(findPtxas(options.ptxas).takeError());
    result.contents = std::move(build->assembly->cubin);
  } else {
    llvm::raw_string_ostream(result.contents) << module << '\n';
  }
  return result;
}

/// The phase to stop after, for the module's target.
static FailureOr<Phase> findPhase(ModuleOp module, const Emission &emission,
                                  const ::attn::Target &target) {
  std::optional<Phase> phase =
      target.isGpu() ? emission.gpuPhase : emission.cpuPhase;
  if (phase)
    return *phase;
  return module.emitError("--emit=")
         << emission.name << " expects a "
         << (target.isGpu() ? "CPU, such as host or avx512"
                            : "GPU, such as a100 or sm_80")
         << "; got target '" << target.name << "'";
}

FailureOr<Emitted> mlir::attn::emit(ModuleOp module, const Emission &emission,
                                    StringRef entry,
                                    const PipelineOptions &options) {
  if (failed(setTarget(module, options.target, options.cores)))
    return failure();
  FailureOr<::attn::Target> target = getTarget(module);
  if (failed(target))
    return failure();
  FailureOr<Phase> phase = findPhase(module, emission, *target);
  if (failed(phase))
    return failure();
  CpuSpec spec;
  if (emission.isBinary() && !target->isGpu()) {
    llvm::Expected<CpuSpec> found = getCpuSpec(options.target);
    if (!found)
      return module.emitError(llvm::toString(found.takeError()));
    spec = *found;
  }
  auto exported = exportFunctions(module, entry, emission.isBinary());
  if (failed(exported))
    return failure();
  if (*phase == Phase::Host) {
    FailureOr<func::FuncOp> function = findEntry(module, entry);
    if (failed(function))
      return failure();
    std::string name = function->getName().str();
    return emitKernels(module, emission, name, options);
  }
  if (failed(runCompilerPipeline(module, std::nullopt, *phase, options)))
    return failure();
  auto contents = render(module, emission.kind, *exported, spec);
  if (!contents)
    return module.emitError(llvm::toString(contents.takeError()));
  return Emitted{std::move(*contents), std::nullopt};
}
