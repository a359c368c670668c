//===- Target.cpp - what the lowering needs to know of a CPU --------------===//
#include "Target.h"
#include "attn/IR/AttnDialect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
struct NamedTarget {
  StringLiteral name;
  CPUTarget target;
};
} // namespace

static const NamedTarget namedTargets[] = {
    {"avx512", {512, 32, false}},
    {"avx2", {256, 16, false}},
    {"neon", {128, 32, false}},
};

CPUTarget CPUTarget::host() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  CPUTarget target;
  if (llvm::Triple(llvm::sys::getProcessTriple()).isAArch64())
    target.registers = 32;
  if (features.lookup("avx2") && features.lookup("fma"))
    target.vectorBits = 256;
  if (features.lookup("avx512f") && features.lookup("avx512vl") &&
      features.lookup("avx512bw") && features.lookup("avx512dq")) {
    target.vectorBits = 512;
    target.registers = 32;
    target.bf16Dot = features.lookup("avx512bf16");
  }
  return target;
}

FailureOr<CPUTarget> CPUTarget::get(ModuleOp module) {
  auto attr = module->getAttrOfType<TargetAttr>("attn.target");
  if (!attr || attr.getName() == "host")
    return host();
  for (const NamedTarget &named : namedTargets)
    if (attr.getName() == named.name)
      return named.target;
  return module.emitError("attn-lower-to-vector: expected attn.target to name "
                          "a CPU (host, avx512, avx2 or neon), got ")
         << attr;
}

RegisterBlock RegisterBlock::choose(const CPUTarget &target, int64_t width) {
  // Beside rows x vectors accumulators, a row of B and one element of A are in
  // registers. Rows beyond 12 gain nothing.
  auto rowsFor = [&](int64_t vectors) {
    return std::min<int64_t>(12, (target.registers - vectors - 1) / vectors);
  };
  RegisterBlock best{rowsFor(1), 1};
  double bestCost = 0;
  for (int64_t vectors = 1; rowsFor(vectors) >= 1; ++vectors) {
    int64_t rows = rowsFor(vectors);
    // Two multiplications and two loads can start in a cycle, and about eight
    // multiplications must be in flight.
    double work = double(llvm::divideCeil(width, vectors)) * vectors;
    double loads = double(rows + vectors) / double(rows * vectors);
    double latency = 8.0 / std::min<double>(8.0, double(rows * vectors));
    double cost = work * latency * (1.0 + 0.25 * loads);
    if (bestCost == 0 || cost < bestCost) {
      best = {rows, vectors};
      bestCost = cost;
    }
  }
  return best;
}
