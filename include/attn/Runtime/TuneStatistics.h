//===- TuneStatistics.h - what timings say about a model --------*- C++ -*-===//
//
// Candidates are timed in rounds, each once per round, so that a slow moment of
// the machine falls on all of them. Their times are the minima over rounds.
// Times closer than the noise say nothing about a model's order, so its rank
// correlation looks only at pairs of candidates that differ by more than a
// margin. Spearman's coefficient is a sum over pairs,
//
//     rho = sum (Xi - Xj)(Yi - Yj) / sqrt(sum (Xi - Xj)^2 sum (Yi - Yj)^2)
//
// with the ranks X and Y, equal values sharing the mean of theirs (Kendall,
// Rank Correlation Methods, 1948), so leaving pairs out leaves summands out.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_TUNESTATISTICS_H
#define ATTN_RUNTIME_TUNESTATISTICS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <vector>

namespace mlir::attn {

struct RankCorrelation {
  double rho = 1; ///< 1 where no pair counts, or one side is constant
  size_t pairs = 0, countedPairs = 0;
};

/// Spearman's coefficient between `predicted` and `measured` over the pairs
/// whose measured values differ by more than `margin` times the smaller one.
RankCorrelation correlateRanks(llvm::ArrayRef<double> predicted,
                               llvm::ArrayRef<double> measured, double margin);

/// How far two minima of the same candidate lie apart: the minimum over even
/// rounds against that over odd rounds, relative; the median over candidates.
/// 0 where there are fewer than two rounds.
double noiseFloor(llvm::ArrayRef<std::vector<double>> times);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_TUNESTATISTICS_H
