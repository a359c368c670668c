//===- Thresholds.h - the numbers that decide ---------------------*- C++
//-*-===//
//
// What counts as hidden, as absorbed, as too much work: each number once, with
// its reason. docs/Recognition.md has the ones that a user may meet.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RECOGNIZE_THRESHOLDS_H
#define ATTN_LIB_RECOGNIZE_THRESHOLDS_H

#include "mlir/IR/Types.h"
#include <cstddef>
#include <cstdint>

namespace mlir::attn {

/// A constant score of at most this hides its key; any other is a select in the
/// score function, since it may be outweighed by ordinary scores.
constexpr double kHidingFill = -1e3;
/// An added constant of at most this absorbs the score: s + c = c in every type
/// whenever |s| is at most kOrdinaryScore.
constexpr double kAbsorbingFill = -1e30;
constexpr double kOrdinaryScore = 1e13;
/// How near constants must be to be the same, and a factor to log2(e) to be it:
/// a few roundings of f32, or of f64 in what is computed in that.
inline double constantTolerance(Type type) {
  return type.isF64() ? 1e-12 : 1e-6;
}

/// More disjoint sets than this are no help to a lowering.
constexpr size_t kMaxSets = 8;
/// Elements of a constant mask that are looked at.
constexpr int64_t kMaxTable = int64_t(1) << 26;
/// Scores without a value (sinks) that a normaliser may have.
constexpr int64_t kMaxSinks = 4;
/// Parts that do not depend on the score are computed in its region if they are
/// this short; longer ones are read where they were computed.
constexpr unsigned kInlineOps = 24;
/// How far from the product its attention's result is looked for.
constexpr size_t kMaxRoots = 12;
/// Sums, one of another, that a sink's gradient is taken apart into.
constexpr unsigned kMaxSinkSums = 4;
/// Ops behind dP among which gradients of extras are looked for.
constexpr size_t kMaxGradientOps = 512;
/// Readings of one candidate, each with a finer factorisation of its loops.
constexpr int kMaxAttempts = 16;
/// A chain of movements this long can only be a cycle of a graph region.
constexpr size_t kMaxChain = 4096;
/// Nesting of one expression.
constexpr unsigned kMaxDepth = 512;
/// Integers beyond this are not folded: they might wrap around elsewhere. Dims
/// of unknown size are taken to be smaller (A7).
constexpr int64_t kMaxIndex = int64_t(1) << 30;

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_THRESHOLDS_H
