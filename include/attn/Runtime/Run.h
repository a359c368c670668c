//===- Run.h - compile, run, check and time one file ------------*- C++ -*-===//
//
// What attn-run does with a file, as a function, so that attn-cases and tests
// can do it too: parse, recognise, lower, compile, call, compare, measure.
//
// Two references may judge the results: arrays stored with the inputs, and
// (with `check`) the oracle, which is the same input lowered unfused by
// upstream passes (see Pipelines.h) and doubles as the baseline for timings.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_RUN_H
#define ATTN_RUNTIME_RUN_H

#include "attn/Pipelines/Pipelines.h"
#include "attn/Runtime/Findings.h"
#include "attn/Runtime/IoCounter.h"
#include "attn/Runtime/LaunchDevice.h"
#include "attn/Runtime/Ptxas.h"
#include "attn/Runtime/Results.h"
#include "attn/Runtime/Tune.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::attn {

struct RunRequest {
  std::string input;
  std::string entry;            ///< empty: main, else the only public function
  std::string executor = "cpu"; ///< one of executorNames()
  std::string args, shapes;     ///< as the options spell them
  std::string save;             ///< F.npz or F.npy
  std::string remarks;          ///< remarks to print, by category
  bool check = false;
  bool timed = false;
  unsigned timedRuns = 1;
  unsigned threads = 0; ///< 0: all cores
  bool fuse = true;     ///< false: run the oracle's road alone
  bool trace = false;
  unsigned traceRow = 0;
  bool tune = false;
  std::string tuneOut;      ///< table of tilings to go on from and to write
  unsigned tuneSeconds = 0; ///< to stop after; 0: when all is timed
  std::string gradOf; ///< arguments to differentiate, by number; empty: all
  PipelineOptions pipeline;
};

/// The exit codes of the tools.
enum class RunStatus { Agrees = 0, Disagrees = 1, Error = 2 };

struct TimingRecord {
  double min = 0, median = 0;
  unsigned runs = 0;
};

struct RunReport {
  std::string entry, target, executor;
  std::vector<AttentionRecord> attentions;
  std::vector<DeclinedRecord> declined;
  double parseMs = 0, compileMs = 0;
  bool compiled = true; ///< false: kernels came as they are
  std::optional<TimingRecord> time;
  std::optional<double> baselineMs;
  std::optional<double> gflops; ///< of the attentions' products
  std::vector<CheckRecord> checks;
  std::optional<size_t> peakExtraBytes;
  std::vector<IoRecord> io;          ///< elements by operand, with --count-io
  std::vector<LaunchRecord> kernels; ///< of one run, on a launch device
  std::optional<Assembly> assembly;  ///< of kernels, where there is a ptxas
  unsigned threads = 1;
  std::string trace;
  std::vector<TuneRecord> tunings; ///< with --tune, one for each problem

  bool ok() const;
  double maxAbsError() const;
  double maxRelError() const;
  /// The object that --json prints.
  llvm::json::Object toJson() const;
  /// The text that is printed otherwise.
  void print(llvm::raw_ostream &os) const;
};

/// Does what `request` says. Errors go to stderr, located where they can be.
RunStatus run(const RunRequest &request, RunReport &report);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_RUN_H
