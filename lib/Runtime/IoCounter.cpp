//===- IoCounter.cpp - what instrumented code moved -----------------------===//
#include "attn/Runtime/IoCounter.h"
#include "llvm/ADT/StringRef.h"
#include <atomic>

using namespace mlir::attn;

/// Numbers below the first of these have a name, the others are extras and
/// their gradients.
static constexpr int64_t firstExtra = 16, firstExtraGrad = 48;
static constexpr int64_t numOperands = 80;
/// As the ledger calls them.
static constexpr llvm::StringRef operandNames[] = {
    "Q",      "K",      "V",  "O",  "LSE", "acc", "r", "l",
    "blocks", "finish", "dQ", "dK", "dV",  "dO",  "D", "dLSE"};
static_assert(std::size(operandNames) == firstExtra);

static std::string nameOf(int64_t operand) {
  if (operand < firstExtra)
    return operandNames[operand].str();
  if (operand < firstExtraGrad)
    return "extra" + std::to_string(operand - firstExtra);
  return "dextra" + std::to_string(operand - firstExtraGrad);
}

namespace {
struct Count {
  std::atomic<int64_t> read{0}, written{0};
};
} // namespace

static Count counts[numOperands];

static void countIo(int64_t operand, int64_t direction, int64_t elements) {
  if (operand < 0 || operand >= numOperands)
    return;
  Count &count = counts[operand];
  (direction == 0 ? count.read : count.written)
      .fetch_add(elements, std::memory_order_relaxed);
}

void mlir::attn::resetIoCounts() {
  for (Count &count : counts)
    count.read = count.written = 0;
}

std::vector<IoRecord> mlir::attn::getIoCounts() {
  std::vector<IoRecord> records;
  for (int64_t i = 0; i < numOperands; ++i) {
    if (counts[i].read == 0 && counts[i].written == 0)
      continue;
    records.push_back({nameOf(i), counts[i].read, counts[i].written});
  }
  return records;
}

void mlir::attn::addIoSymbols(llvm::StringMap<void *> &symbols) {
  symbols["attn_count_io"] = reinterpret_cast<void *>(&countIo);
}
