//===- TuneStatistics.cpp - what timings say about a model ----------------===//
#include "attn/Runtime/TuneStatistics.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir::attn;

/// Ranks from 0; equal values share the mean of theirs.
static std::vector<double> ranksOf(llvm::ArrayRef<double> values) {
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t i = 0, end = 0; i < order.size(); i = end) {
    while (end < order.size() && values[order[end]] == values[order[i]])
      ++end;
    for (size_t j = i; j < end; ++j)
      ranks[order[j]] = (i + end - 1) / 2.0;
  }
  return ranks;
}

RankCorrelation mlir::attn::correlateRanks(llvm::ArrayRef<double> predicted,
                                           llvm::ArrayRef<double> measured,
                                           double margin) {
  std::vector<double> x = ranksOf(predicted), y = ranksOf(measured);
  RankCorrelation result;
  double products = 0, squaresX = 0, squaresY = 0;
  for (size_t i = 0; i < measured.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      ++result.pairs;
      double least = std::min(measured[i], measured[j]);
      if (!(std::fabs(measured[i] - measured[j]) > margin * least))
        continue;
      ++result.countedPairs;
      products += (x[i] - x[j]) * (y[i] - y[j]);
      squaresX += (x[i] - x[j]) * (x[i] - x[j]);
      squaresY += (y[i] - y[j]) * (y[i] - y[j]);
    }
  if (squaresX > 0 && squaresY > 0)
    result.rho = products / std::sqrt(squaresX * squaresY);
  return result;
}

double mlir::attn::noiseFloor(llvm::ArrayRef<std::vector<double>> times) {
  std::vector<double> spreads;
  for (const std::vector<double> &rounds : times) {
    if (rounds.size() < 2)
      continue;
    double best[2] = {INFINITY, INFINITY};
    for (auto [i, time] : llvm::enumerate(rounds))
      best[i % 2] = std::min(best[i % 2], time);
    spreads.push_back(std::fabs(best[0] - best[1]) /
                      std::min(best[0], best[1]));
  }
  if (spreads.empty())
    return 0;
  llvm::sort(spreads);
  return spreads[spreads.size() / 2];
}
