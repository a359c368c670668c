//===- Target.cpp - what the lowering needs to know of a CPU --------------===//
#include "Target.h"
#include "attn/Tile/CostQuery.h"
#include "llvm/Support/MathExtras.h"

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
  CPUTarget result;
  result.vectorBits = target->vectorBits;
  result.registers = target->vectorRegisters;
  // The instruction that is emitted is x86's, on whole 512-bit registers.
  result.bf16Dot = target->bf16Dot && target->vectorBits == 512;
  return result;
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
