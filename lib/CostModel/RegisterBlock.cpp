//===- RegisterBlock.cpp - What a CPU product holds in registers ----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/RegisterBlock.h"
#include "attn/Support/Expr.h"
#include <algorithm>
#include <utility>

using namespace attn;

/// Of a cycle, what a load costs beside the multiplications that it starts
/// with.
static constexpr double loadCycles = 0.1;
/// More rows gain nothing: the loads of B are amortised.
static constexpr int64_t mostRows = 12;
/// Of the first-level cache, what the scores of a group of rows may fill; the
/// rest is for Q, K and V.
static constexpr double scoreShare = 0.5;
/// Where the height is not known: divisible by all block heights.
static constexpr int64_t manyRows = 27720;

/// The height of the blocks for what is left of whole ones; 1: there are none
/// between these and single rows.
static int64_t partOf(int64_t rows) { return rows >= 6 ? rows / 3 : rows / 2; }

llvm::SmallVector<int64_t, 4> RegisterBlock::heights() const {
  llvm::SmallVector<int64_t, 4> result{rows};
  int64_t part = partOf(rows);
  if (rows >= 6 && rows % 3 == 0)
    result.push_back(2 * part);
  if (part > 1)
    result.push_back(part);
  if (rows > 1)
    result.push_back(1);
  return result;
}

double RegisterBlock::stepCycles(int64_t height, int64_t width, double issue,
                                 double wait) const {
  double cycles = 0;
  // As counts() has it, but without vectors: a selection asks thousands of
  // times.
  auto blocksOf = [&](int64_t block, int64_t count) {
    double sums = double(block * vectors), loads = double(block + vectors);
    cycles +=
        double(count) * (std::max(wait, sums / issue) + loadCycles * loads);
    height -= count * block;
  };
  int64_t part = partOf(rows);
  if (rows >= 6 && rows % 3 == 0) {
    int64_t thirds = height / part, second = thirds * 2 % 3;
    second = std::min(second, thirds / 2);
    blocksOf(2 * part, second);
  }
  blocksOf(rows, height / rows);
  if (part > 1 && height > 0)
    blocksOf(part, height / part);
  if (height > 0)
    blocksOf(1, height);
  return cycles * double(ceilDiv(width, vectors));
}

/// No fewer cycles than a step takes in blocks of this kind: each sum is added
/// to once, and no block is higher than the first.
static double leastStepCycles(const RegisterBlock &block, int64_t height,
                              int64_t columns, double issue) {
  int64_t blocks = (height + block.rows - 1) / block.rows;
  double sums = double(height * block.vectors) / issue;
  return double(columns) *
         (sums + loadCycles * double(height + blocks * block.vectors));
}

RegisterBlock attn::chooseRegisterBlock(const Target &target, int64_t height,
                                        int64_t width,
                                        std::optional<RegisterBlock> most) {
  if (height <= 0)
    height = manyRows;
  RegisterBlock best;
  double bestCycles = best.stepCycles(height, width, target.vectorIssue);
  // Beside the sums, a row of B and one element of A are in registers. Of the
  // widths that need as many blocks for a row, only the least is worth a look.
  int64_t widest = std::min(most ? most->vectors : target.vectorRegisters,
                            std::max<int64_t>(width, 1));
  int64_t lastColumns = 0;
  for (int64_t vectors = 1;
       vectors <= widest && 2 * vectors + 1 <= target.vectorRegisters;
       ++vectors) {
    int64_t columns = (width + vectors - 1) / vectors;
    if (columns == std::exchange(lastColumns, columns))
      continue;
    int64_t sums = target.vectorRegisters - vectors - 1;
    if (most)
      sums = std::min(sums, most->rows * most->vectors);
    for (int64_t rows = std::min({sums / vectors, mostRows, height}); rows >= 1;
         --rows) {
      RegisterBlock block{rows, vectors};
      if (leastStepCycles(block, height, columns, target.vectorIssue) >=
          bestCycles)
        continue;
      double cycles = block.stepCycles(height, width, target.vectorIssue);
      if (cycles < bestCycles) {
        best = block;
        bestCycles = cycles;
      }
    }
  }
  return best;
}

RegisterBlock attn::scoreRegisterBlock(const Target &target, int64_t height,
                                       int64_t width, RegisterBlock sums,
                                       RegisterBlock usual) {
  if (sums == usual)
    return chooseRegisterBlock(target, height, width);
  return chooseRegisterBlock(target, height, width, sums);
}

int64_t attn::rowGroup(const Target &target, int64_t keys, int64_t bytes,
                       int64_t step, int64_t rows) {
  double perStep = double(std::max<int64_t>(keys, 1)) * double(step * bytes);
  auto steps = int64_t(scoreShare * double(target.l1Bytes) / perStep);
  return std::max(step, std::min(steps * step, rows / step * step));
}
