//===- Peak.h - what the machine could do at most ---------------*- C++ -*-===//
//
// The yardsticks of the tables, measured in the same run as the kernels: loops
// that do nothing but independent multiply-adds on registers (or dot products
// of bf16 pairs, or products of matrix tiles), and one that only reads. They
// are compiled as the kernels are, for the same target, so its vector width is
// what they use.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_TOOLS_BENCH_PEAK_H
#define ATTN_TOOLS_BENCH_PEAK_H

#include "attn/CostModel/Target.h"
#include "attn/Runtime/CpuSpec.h"
#include "attn/Runtime/Jit.h"

namespace mlir::attn::bench {

enum class Unit { F32, F64, BF16Dot, BF16Tiles };

class Peak {
public:
  /// A loop for `unit`; an error where the target has no such instruction.
  static llvm::Expected<std::unique_ptr<Peak>>
  create(Unit unit, const ::attn::Target &target);

  /// Runs for about `milliseconds` on `threads` threads; FLOP per second.
  llvm::Expected<double> measure(unsigned threads, double milliseconds);
  StringRef name() const;

private:
  Unit unit;
  double flopsPerRound = 0, secondsPerRound = 0;
  std::unique_ptr<CompiledModule> module;
  CompiledModule::PackedFunction function = nullptr;
};

/// True if `unit` has an instruction on this target.
bool hasUnit(Unit unit, const ::attn::Target &target, const CpuSpec &cpu);

/// A buffer larger than the caches that count, and a loop that reads it.
class ReadBandwidth {
public:
  static llvm::Expected<std::unique_ptr<ReadBandwidth>>
  create(const ::attn::Target &target, int64_t bytes);
  ~ReadBandwidth();

  /// Bytes per second of one pass.
  llvm::Expected<double> measure(unsigned threads);

private:
  int64_t elements = 0;
  float *buffer = nullptr;
  std::unique_ptr<CompiledModule> module;
  CompiledModule::PackedFunction function = nullptr;
};

/// Compiles a module's text from after attn-lower-to-vector on.
llvm::Expected<std::unique_ptr<CompiledModule>> compileLoops(StringRef text,
                                                             StringRef target);

} // namespace mlir::attn::bench

#endif // ATTN_TOOLS_BENCH_PEAK_H
