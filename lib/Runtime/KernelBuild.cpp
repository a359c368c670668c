//===- KernelBuild.cpp - PTX and cubin of a module's kernels --------------===//
#include "attn/Runtime/KernelBuild.h"
#include "attn/GPU/KernelABI.h"
#include "attn/IR/AttnDialect.h"
#include "attn/Runtime/Emit.h"
#include "attn/Runtime/LaunchSites.h"
#include "attn/Tile/CostQuery.h"
#include "attn/Tile/NextTiling.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::attn;
namespace json = llvm::json;

/// Tilings that are tried for kernels that spill.
static constexpr unsigned kMostAttempts = 64;
/// And of those with dK and dV apart, if all of these do.
static constexpr unsigned kMostApartAttempts = 16;

namespace {
/// One way through the compiler, with the tilings as they are.
struct Attempt {
  OwningOpRef<ModuleOp> module; ///< at Phase::Host
  KernelBuild build;
  /// Where the attention of a kernel is written.
  llvm::StringMap<Location> origins;

  std::vector<KernelResources> findSpills() const {
    std::vector<KernelResources> spilling;
    if (build.assembly)
      llvm::copy_if(build.assembly->kernels, std::back_inserter(spilling),
                    [](const KernelResources &k) { return k.spills(); });
    return spilling;
  }
  unsigned spilledBytes() const {
    unsigned bytes = 0;
    for (const KernelResources &kernel : findSpills())
      bytes += kernel.spillStoreBytes + kernel.spillLoadBytes;
    return bytes;
  }
};

class KernelBuilder {
public:
  KernelBuilder(ModuleOp module, StringRef entry,
                const PipelineOptions &options)
      : module(module), entry(entry), options(options) {}

  FailureOr<KernelBuild> build();

private:
  LogicalResult findAssembler();
  FailureOr<Attempt> attempt();
  FailureOr<bool> takeNextTilings(const Attempt &last, bool toApart);
  LogicalResult judgeSpills(const Attempt &result);
  json::Object report(const Attempt &result);

  ModuleOp module; ///< at Phase::Attn; tilings change
  StringRef entry;
  const PipelineOptions &options;
  ::attn::Target target;
  std::string ptxas, notChecked;
};
} // namespace

LogicalResult KernelBuilder::findAssembler() {
  llvm::Expected<std::string> found = findPtxas(options.ptxas);
  if (found) {
    ptxas = *found;
    return success();
  }
  notChecked = llvm::toString(found.takeError());
  if (!options.ptxas.empty() && options.ptxas != "none")
    return module.emitError(notChecked);
  return success();
}

/// The text of the kernels; null if there are none.
static StringAttr findPtx(ModuleOp module) {
  auto binary = module.lookupSymbol<gpu::BinaryOp>(attn_gpu::kKernelModuleName);
  if (!binary)
    return nullptr;
  return cast<gpu::ObjectAttr>(binary.getObjects()[0]).getObject();
}

FailureOr<Attempt> KernelBuilder::attempt() {
  Attempt result;
  result.module = OwningOpRef<ModuleOp>(module.clone());
  ModuleOp copy = *result.module;
  if (failed(runCompilerPipeline(copy, Phase::Attn, Phase::Gpu, options)))
    return failure();
  copy.walk([&](gpu::GPUFuncOp kernel) {
    result.origins.try_emplace(kernel.getName(), kernel.getLoc());
  });
  result.build.attentions = findAttentions(module);
  result.build.operands = findKernelOperands(copy);
  llvm::Expected<::attn::LaunchManifest> manifest = buildManifest(copy, entry);
  std::string noLaunches;
  if (manifest)
    result.build.manifest = std::move(*manifest);
  else
    noLaunches = llvm::toString(manifest.takeError());
  if (failed(runCompilerPipeline(copy, Phase::Gpu, Phase::Host, options)))
    return failure();
  if (StringAttr ptx = findPtx(copy))
    result.build.ptx = ptx.getValue().rtrim('\0').str();
  if (!ptxas.empty() && !result.build.ptx.empty()) {
    llvm::Expected<Assembly> assembly =
        assemble(result.build.ptx, target.chip, ptxas);
    if (!assembly)
      return module.emitError(llvm::toString(assembly.takeError()));
    result.build.assembly = std::move(*assembly);
  }
  json::Object described = report(result);
  if (!noLaunches.empty())
    described["launches"] = "none: " + noLaunches;
  result.build.manifest.report = std::move(described);
  return result;
}

json::Object KernelBuilder::report(const Attempt &result) {
  json::Object object{{"target", target.name}, {"chip", target.chip}};
  if (result.build.assembly) {
    object["ptxas"] = ptxas;
    json::Array kernels;
    for (const KernelResources &kernel : result.build.assembly->kernels)
      kernels.push_back(kernel.toJson());
    object["kernels"] = std::move(kernels);
  } else {
    object["not_checked"] =
        "registers, spills and shared memory: " + notChecked;
  }
  llvm::Expected<json::Value> ledgers = getLedgers(module);
  if (ledgers)
    object["attentions"] = *ledgers->getAsObject()->get("attentions");
  else
    llvm::consumeError(ledgers.takeError());
  return object;
}

/// Gives attentions whose kernels spill other tilings; false if there are none.
FailureOr<bool> KernelBuilder::takeNextTilings(const Attempt &last,
                                               bool toApart) {
  SmallVector<Location> spilling; // of several kernels of one attention: once
  for (const KernelResources &kernel : last.findSpills()) {
    auto origin = last.origins.find(kernel.kernel);
    if (origin != last.origins.end())
      spilling.push_back(origin->second);
  }
  SmallVector<ScoreOpInterface> ops;
  module.walk([&](ScoreOpInterface op) {
    if (choosesTiling(op) && llvm::is_contained(spilling, op->getLoc()))
      ops.push_back(op);
  });
  bool changed = false;
  for (ScoreOpInterface op : ops) {
    FailureOr<bool> taken = takeNextTiling(op, toApart);
    if (failed(taken))
      return failure();
    changed |= *taken;
  }
  return changed;
}

LogicalResult KernelBuilder::judgeSpills(const Attempt &result) {
  for (const KernelResources &kernel : result.findSpills()) {
    auto origin = result.origins.find(kernel.kernel);
    Location loc =
        origin == result.origins.end() ? module.getLoc() : origin->second;
    InFlightDiagnostic diagnostic =
        options.strict ? emitError(loc) : emitWarning(loc);
    diagnostic << "expected kernel '" << kernel.kernel << "' to keep to "
               << target.registersPerThread << " registers on " << target.chip
               << ", got " << kernel.spillStoreBytes
               << " bytes spilled, and no tiling without";
    if (options.strict)
      return failure();
  }
  return success();
}

FailureOr<KernelBuild> KernelBuilder::build() {
  FailureOr<::attn::Target> found = getTarget(module);
  if (failed(found) || failed(findAssembler()))
    return failure();
  target = *found;
  FailureOr<Attempt> result = attempt();
  if (failed(result))
    return failure();
  // Given by hand, a tiling stays.
  unsigned attempts =
      options.tiling.empty() ? kMostAttempts + kMostApartAttempts : 1;
  std::optional<Attempt> last; // where it is not `result`
  for (unsigned i = 1; i < attempts && result->spilledBytes() > 0; ++i) {
    FailureOr<bool> changed =
        takeNextTilings(last ? *last : *result, i >= kMostAttempts);
    if (failed(changed))
      return failure();
    if (!*changed)
      break;
    FailureOr<Attempt> other = attempt();
    if (failed(other))
      return failure();
    if (other->spilledBytes() < result->spilledBytes()) {
      result = std::move(other);
      last.reset();
    } else {
      last = std::move(*other);
    }
  }
  if (failed(judgeSpills(*result)))
    return failure();
  module->setAttrs((*result->module)->getAttrDictionary());
  module.getBodyRegion().takeBody(result->module->getBodyRegion());
  return std::move(result->build);
}

FailureOr<KernelBuild>
mlir::attn::buildKernels(ModuleOp module, StringRef entry,
                         const PipelineOptions &options) {
  return KernelBuilder(module, entry, options).build();
}
