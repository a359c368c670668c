//===- CpuSpec.cpp - the processor that CPU code is for -------------------===//
#include "attn/Runtime/CpuSpec.h"
#include "attn/CostModel/Target.h"
#include "attn/Support/TilePermission.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace mlir::attn;
using llvm::StringRef;

namespace {
/// What LLVM calls the CPUs of the target table.
struct CpuRow {
  StringRef target, triple, cpu, features;
};
} // namespace

static constexpr CpuRow cpuTable[] = {
    {"avx512", "x86_64-unknown-linux-gnu", "x86-64-v4",
     "+avx512bf16,+avx512vnni"},
    {"sapphirerapids", "x86_64-unknown-linux-gnu", "x86-64-v4",
     "+avx512bf16,+avx512vnni,+amx-tile,+amx-bf16"},
    {"avx2", "x86_64-unknown-linux-gnu", "x86-64-v3", ""},
    {"neon", "aarch64-unknown-linux-gnu", "neoverse-v1", ""},
};

void mlir::attn::initializeTargets() {
  // LLVM's registry has no lock of its own.
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers(); // inline assembly
  });
}

static CpuSpec getHostSpec() {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return {llvm::sys::getProcessTriple(), llvm::sys::getHostCPUName().str(),
          features.getString()};
}

llvm::Expected<CpuSpec> mlir::attn::getCpuSpec(StringRef name) {
  if (name.empty() || name == "host")
    return getHostSpec();
  for (const CpuRow &row : cpuTable)
    if (row.target == name)
      return CpuSpec{row.triple.str(), row.cpu.str(), row.features.str()};
  llvm::Expected<::attn::Target> target = ::attn::findTarget(name);
  if (!target)
    return target.takeError();
  // A target file gives numbers, and of the instruction set what the lowering
  // asks it for.
  if (!target->isGpu()) {
    CpuSpec spec = getHostSpec();
    if (target->bf16Tiles)
      spec.features += ",+amx-tile,+amx-bf16";
    return spec;
  }
  std::string names = llvm::join(
      llvm::map_range(cpuTable, [](const CpuRow &row) { return row.target; }),
      ", ");
  return llvm::createStringError("expected a CPU to make objects for: host, " +
                                 names + "; got '" + name + "'");
}

llvm::Error mlir::attn::checkRunsHere(const CpuSpec &spec, StringRef target) {
  if (spec.cpu.empty())
    return llvm::Error::success();
  llvm::Triple triple(spec.triple), here(llvm::sys::getProcessTriple());
  auto refuse = [&](const llvm::Twine &needs) {
    return llvm::createStringError("target '" + target + "' needs " + needs +
                                   ", which this machine (" +
                                   llvm::sys::getHostCPUName() +
                                   ") lacks: it can be compiled for, not run");
  };
  if (triple.getArch() != here.getArch())
    return refuse("a CPU of the architecture " + triple.getArchName());
  initializeTargets();
  std::string error;
  const llvm::Target *entry = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!entry)
    return llvm::createStringError(error);
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      entry->createMCSubtargetInfo(triple, spec.cpu, spec.features));
  // The host's map has what can be asked of a CPU; the other features of a
  // subtarget are about tuning.
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  for (const llvm::SubtargetFeatureKV &feature :
       subtarget->getEnabledProcessorFeatures()) {
    auto found = host.find(feature.Key);
    if (found != host.end() && !found->second)
      return refuse("the CPU feature " + StringRef(feature.Key));
  }
  // `host` has tiles only where the system gives them.
  if (target.empty() || target == "host")
    return llvm::Error::success();
  llvm::Expected<::attn::Target> machine = ::attn::findTarget(target);
  if (!machine)
    return machine.takeError();
  if (machine->bf16Tiles && !::attn::requestTilePermission())
    return llvm::createStringError(
        "target '" + target +
        "' needs AMX tiles, which the system does not let this process use: "
        "take target avx512, or one with bf16_tiles = 0");
  return llvm::Error::success();
}
