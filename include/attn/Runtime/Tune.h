//===- Tune.h - every tiling of a grid, timed -------------------*- C++ -*-===//
//
// The test of the cost model: compile an attention with each tiling of
// attn/CostModel/TuningGrid.h, time them all, and see where the model's pick
// stands. What is timed is the whole entry function; attentions that pose the
// same problem get the same tiling, the others keep theirs. Tilings that
// compile to the same code are timed once.
//
// Each candidate is compiled, the pick first, and called once; then once per
// further round, in an order that starts elsewhere in each round. The pick and
// what is about as fast as the fastest then have more rounds among themselves,
// each compared with the others of its round: a pick is to be held against a
// tiling, not against the luck of one of many or a moment's faster clock.
// With a table
// (TilingTable.h) the times go to disk as they are taken, at least once a
// second, and times of the same code found there count: an interrupted tuning
// goes on where it was.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_TUNE_H
#define ATTN_RUNTIME_TUNE_H

#include "attn/Pipelines/Pipelines.h"
#include "attn/Runtime/EntryPoint.h"
#include "llvm/Support/JSON.h"

namespace mlir::attn {

struct TuneRequest {
  PipelineOptions pipeline;
  unsigned rounds = 7;
  std::string table;  ///< file to go on from and to write; empty: none
  double seconds = 0; ///< to stop after, for each problem; 0: no limit
};

struct TunedCandidate {
  std::string tiling;
  double milliseconds = 0; ///< minimum over rounds; of finalists: Tune.cpp
  double predictedMs = 0;
};

/// What tuning one problem found.
struct TuneRecord {
  std::string location, problem, machine;
  unsigned attentions = 1;                ///< that pose this problem
  std::vector<TunedCandidate> candidates; ///< fastest first
  std::string pick;
  double pickMs = 0, bestMs = 0, worstMs = 0;
  size_t programs = 0; ///< different ones among the candidates
  unsigned rounds = 0, resumedRounds = 0;
  size_t finalists = 0;    ///< programs that were timed in more rounds
  bool unfinished = false; ///< not all of these rounds were
  double noise = 0;        ///< relative
  double spearman = 0;
  size_t pairs = 0, countedPairs = 0; ///< of candidates
  size_t missing = 0;                 ///< candidates that there was no time for
  bool cutShort = false; ///< there was no time for some round of some candidate
  /// Candidates that did not compile, and why the first did not.
  size_t refused = 0;
  std::string refusal;

  /// How much slower the pick is than the best, relative.
  double loss() const { return pickMs / bestMs - 1; }
  llvm::json::Object toJson() const;
  void print(llvm::raw_ostream &os) const;
};

/// Tunes the attentions of `module`, which is at Phase::Attn and left as it is.
/// Without any attention that is an error.
llvm::Expected<std::vector<TuneRecord>>
tuneAttentions(ModuleOp module, const EntryPoint &entry,
               ArrayRef<::attn::Array> arguments, const TuneRequest &request);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_TUNE_H
