//===- Work.cpp - Operations of an attention ------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Work.h"
#include "attn/CostModel/Blocks.h"

using namespace attn;

static Work forwardWork(const Problem &problem, bool tiled, Count scores,
                        Count rowVisits) {
  Count rows = Count(problem.batchSize()) * problem.rowCount();
  Work work;
  work.scores = scores;
  work.matrix = 2 * scores * (problem.depth + problem.value);
  // Online: running maximum, one multiply-add into the exponent, sum; and per
  // row and block a correction of acc and l. Unfused: scale, maximum, subtract,
  // sum, divide.
  work.exponential = scores + (tiled ? rowVisits : 0);
  work.other = tiled ? 4 * scores + rowVisits * (problem.value + 1) +
                           rows * problem.value
                     : 5 * scores;
  return work;
}

static Work backwardWork(const Problem &problem, bool tiled, Count scores,
                         bool twice) {
  Count rows = Count(problem.batchSize()) * problem.rowCount();
  Work work;
  work.scores = scores;
  // dV, dP (value) and dQ, dK (depth); recomputing S is one more of depth.
  work.matrix = 4 * scores * (problem.depth + problem.value);
  // P (dP - D), times the scale; and D itself.
  work.other = 3 * scores + 2 * rows * problem.value;
  if (tiled) {
    work.matrix += 2 * scores * problem.depth;
    work.exponential = scores;
    work.other += 2 * scores;
  }
  if (twice) {
    // Each sweep makes S, P and dS for itself.
    work.matrix += 2 * scores * (problem.depth + problem.value);
    work.exponential += scores;
    work.other += 5 * scores;
  }
  return work;
}

Work attn::computeWork(const Problem &problem, Accounting accounting,
                       const Tiling &tiling) {
  bool tiled = isTiled(accounting);
  Count scores =
      Count(problem.batchSize()) * problem.rowCount() * problem.keyCount();
  Count rowVisits = 0;
  if (tiled) {
    BlockCounts blocks = countBlocks(problem, tiling);
    scores = blocks.scores;
    rowVisits = blocks.rowVisits;
  }
  Work work;
  if (problem.direction != Direction::Backward)
    work = work + forwardWork(problem, tiled, scores, rowVisits);
  if (problem.direction != Direction::Forward)
    work = work + backwardWork(problem, tiled, scores,
                               accounting == Accounting::TwoSweeps);
  return work;
}
