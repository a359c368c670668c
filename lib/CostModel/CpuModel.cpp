//===- CpuModel.cpp - Predicted time on a CPU -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedule of lib/CPU: rows are lanes. S^T = K Q^T with Q packed once per
// query block, softmax over keys with a row's maximum and sum in one lane, acc
// += P V. Everything runs on one vector unit, so cycles add. The constants are
// of the unit's instructions, not of any shape; each says what it stands for.
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include <algorithm>
#include <cmath>

using namespace attn;

namespace {

/// Cycles per vector of scores: subtract, exponential, sum, store, load.
constexpr double softmaxCycles = 12;
/// Per vector of rows and key block: maximum, correction, sum.
constexpr double rowCycles = 40;
/// Per register block and accumulator vector: its load, its store.
constexpr double tileCycles = 2;
/// Per register block: loop set-up and addresses.
constexpr double tileSetupCycles = 12;
/// Per element of Q transposed and packed.
constexpr double packCycles = 0.6;
/// Per key block and query block: calls, slices, branch misses.
constexpr double blockCycles = 400;
/// Per query block: its state, its task.
constexpr double taskCycles = 2000;

struct CpuMachine {
  double lanes, issue;
  double mr, nr; ///< rows, vectors
  double l1, l2, l2BytesPerCycle, memoryBytesPerCycle;
};

} // namespace

/// Cycles of C[rows x cols] (+)= A[rows x inner] B[inner x cols] in register
/// blocks: whole rows of registers are paid for, also where the edge is ragged.
static double productCycles(const CpuMachine &m, double rows, double cols,
                            double inner, double speedup) {
  double panels = std::ceil(cols / (m.nr * m.lanes));
  double vectors = std::ceil(cols / m.lanes);
  double rowBlocks = std::ceil(rows / m.mr);
  // Rows beyond the last whole register block run in a shorter one, which still
  // waits for its operands: it costs at least as much as nr + 2 rows of FMAs.
  double whole = std::floor(rows / m.mr) * m.mr;
  double rest = rows - whole;
  double paidRows =
      whole + (rest > 0 ? std::max(rest, std::min(m.mr, 4.0)) : 0);
  double fma = paidRows * vectors * inner / (m.issue * speedup);
  double setup = rowBlocks * panels * tileSetupCycles;
  double accumulate = rows * vectors * tileCycles;
  // A panel of B that overflows L1 is streamed from L2 by every register block.
  double panelBytes = inner * m.nr * m.lanes * 4;
  double stream = panelBytes > 0.75 * m.l1
                      ? rowBlocks * panels * panelBytes / m.l2BytesPerCycle
                      : 0;
  return std::max(fma, stream) + setup + accumulate;
}

/// What a working set beyond `level` adds to a pass over `bytes`.
static double overflowCycles(double workingSet, double level, double bytes,
                             double bytesPerCycle) {
  double share = std::clamp(workingSet / level - 0.75, 0.0, 1.0);
  return share * bytes / bytesPerCycle;
}

double attn::predictCpuSeconds(const Problem &problem, const Tiling &tiling,
                               const Target &target, const MaskShape &mask) {
  Tiling t = tiling.clampedTo(problem);
  double rows = t.queryBlockSize(), keys = t.keyBlockSize();
  double k = problem.depth, d = problem.value;
  double extentM = problem.rowCount(), extentN = problem.keyCount();
  if (extentM == 0 || extentN == 0 || problem.batchSize() == 0)
    return 0;
  double type = bytesOf(problem.type);
  double wide = bytesOf(accumulateType(problem.type));
  bool backward = problem.direction == Direction::Backward;
  CpuMachine m = {
      double(target.vectorLanes(problem.type)),
      target.vectorIssue,
      double(t.cpu->mr),
      std::ceil(double(t.cpu->nr) / target.vectorLanes(problem.type)),
      double(target.l1Bytes),
      double(target.l2Bytes),
      target.l2Bandwidth / target.hertz,
      target.coreBandwidth / target.hertz};
  double speedup = problem.type == ElementType::BF16 && target.bf16Dot ? 2 : 1;

  // One key block folded into one query block.
  double rowVectors = std::ceil(rows / m.lanes), padded = rowVectors * m.lanes;
  double scoreVectors = rowVectors * keys;
  double block = productCycles(m, keys, padded, k, speedup) +
                 productCycles(m, rows, d, keys, speedup) +
                 softmaxCycles * scoreVectors + rowCycles * rowVectors +
                 blockCycles;
  if (backward)
    block += productCycles(m, keys, padded, d, speedup) +
             productCycles(m, keys, k, rows, speedup) +
             productCycles(m, rows, k, keys, speedup) + 4 * scoreVectors;
  double scoreBytes = padded * keys * wide;
  double workingSet = scoreBytes * (backward ? 2 : 1) + keys * (k + d) * type +
                      padded * (k + d) * wide;
  // Scores are written and read by each of the steps between the products.
  block += overflowCycles(workingSet, m.l2, 3 * scoreBytes,
                          m.memoryBytesPerCycle * 2);
  // Scores that leave L1 cost a pass through L2 each way.
  block +=
      overflowCycles(scoreBytes, m.l1, 2 * scoreBytes, m.l2BytesPerCycle * 2);
  double loads = keys * (k + d) * type;
  bool cached =
      extentN * (k + d) * type < double(target.lastCacheBytes) / target.cores;
  double memory =
      loads / (cached ? m.l2BytesPerCycle / 2 : m.memoryBytesPerCycle);

  double visited = mask.visitedKeys(rows, keys, extentN);
  double keyBlocks = std::max(1.0, visited / keys);
  double splits = std::min<double>(t.keySplits, std::ceil(keyBlocks));
  double queryBlocks = double(problem.batchSize()) * std::ceil(extentM / rows);
  double tasks = queryBlocks * splits;
  // A ragged last query block costs its share only.
  double evenness = extentM / (rows * std::ceil(extentM / rows));
  double task =
      std::max(block, memory) * keyBlocks / splits * evenness + taskCycles +
      rows * d / m.lanes * 4 + padded * k * packCycles +
      (splits > 1 ? rows * (d + 2) * wide / m.l2BytesPerCycle * 4 : 0);
  double rounds = std::ceil(tasks / target.cores);
  // Unequal tasks even out when each core has several.
  double average = tasks / target.cores;
  double makespan = rounds > 8 ? average : rounds;
  return makespan * task / target.hertz;
}
