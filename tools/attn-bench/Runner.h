//===- Runner.h - measure cases against the machine's peak ------*- C++ -*-===//
//
// A clock rate that moves (with temperature, with the width of the vectors just
// used, with what the neighbours on a virtual machine do) moves both the kernel
// and its yardstick. So the two are run in turn, a few milliseconds each, and
// of each the best is taken.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_TOOLS_BENCH_RUNNER_H
#define ATTN_TOOLS_BENCH_RUNNER_H

#include "Case.h"
#include "Peak.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace mlir::attn::bench {

struct Result {
  Case item;
  double milliseconds = 0, compileMilliseconds = 0;
  /// FLOP per second: of the products, and of the unit at best, the dot product
  /// of bf16 for bf16 where there is one.
  double rate = 0, peak = 0;
  std::string peakName;
  /// Bytes per second of K and V, and of plain reading; 0 unless `isDecode`.
  double read = 0, readPeak = 0;
  double extraBytes = 0; ///< beside operands and results
  unsigned runs = 0;
  /// The median over the runs of the rate as a share of what the unit did just
  /// before and after: the best yardstick is of moments when the clock was
  /// highest, which a long run cannot be.
  double pairedShare = 0;
  std::string tiling;

  /// Few rows: what counts is how fast K and V arrive.
  bool isDecode() const { return item.queries == 1; }
  double share() const { return isDecode() ? read / readPeak : rate / peak; }
  llvm::json::Object toJson() const;
};

class Runner {
public:
  /// `milliseconds` of measuring per case; `tiling` overrides the chosen one.
  Runner(double milliseconds, std::string tiling)
      : budget(milliseconds), tiling(std::move(tiling)) {}

  llvm::Expected<Result> measure(const Case &item);

private:
  struct Machine {
    ::attn::Target target;
    CpuSpec cpu;
    std::map<Unit, std::unique_ptr<Peak>> peaks;
  };
  llvm::Expected<Machine *> machineFor(const Case &item);
  llvm::Expected<Peak *> peakFor(Machine &machine, const Case &item);

  double budget;
  std::string tiling;
  std::map<std::string, Machine> machines;
};

} // namespace mlir::attn::bench

#endif // ATTN_TOOLS_BENCH_RUNNER_H
