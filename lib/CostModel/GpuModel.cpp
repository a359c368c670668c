//===- GpuModel.cpp - Predicted time on a GPU -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedule of lib/GPU, counted per warp and key tile: mma.sync m16n8k16,
// ldmatrix x4, one FMA and one exponential per score, row sums per lane, P
// packed in registers, no rescale on the common path.
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include <algorithm>
#include <cmath>

using namespace attn;

namespace {

constexpr double schedulers = 4; ///< per multiprocessor
constexpr double warpSize = 32;
/// Instructions of a key tile beside its elements': addresses, copies, waits.
constexpr double tileInstructions = 60;
/// Cycles a warp stands at the two barriers of a tile when alone.
constexpr double barrierCycles = 120;
/// Cycles from launch to the first product, and from the last to the end.
constexpr double prologueCycles = 2500;
/// A cached re-read against a read of the large memory.
constexpr double cacheSpeedup = 3;

/// One warp's work on one key tile, in cycles of its scheduler.
struct WarpTile {
  double matrix = 0, issue = 0, exponential = 0;
};

} // namespace

static WarpTile warpTile(const Problem &problem, const Tiling &tiling,
                         const Target &target) {
  double rows = tiling.gpu->rowsPerWarp, keys = tiling.keyBlockSize();
  double k = problem.depth, d = problem.value;
  double mmaRows = std::ceil(rows / 16);
  bool backward = problem.direction == Direction::Backward;
  double products = backward ? 2.5 : 1;
  double mma = products * mmaRows *
               (std::ceil(keys / 8) * std::ceil(k / 16) +
                std::ceil(d / 8) * std::ceil(keys / 16));
  double fmaPerCycle =
      target.matrixRate(problem.type) / 2 / target.cores / target.hertz;
  double scoresPerLane = rows * keys / warpSize;
  // K and V once per warp, two fragments a load; Q again for every tile.
  double ldmatrix = products * ((keys / 8) * std::ceil(k / 16) / 2 +
                                (d / 8) * std::ceil(keys / 16) / 2) +
                    mmaRows * std::ceil(k / 16);
  double elementwise = scoresPerLane * (backward ? 6 : 3.5);
  WarpTile tile;
  tile.matrix = mma * 16 * 8 * 16 / (fmaPerCycle / schedulers);
  tile.issue =
      mma + ldmatrix * 2 + tileInstructions +
      elementwise * std::max(1.0, warpSize * schedulers / target.lanes);
  tile.exponential =
      scoresPerLane * warpSize * schedulers / target.exponentials;
  return tile;
}

double attn::predictGpuSeconds(const Problem &problem, const Tiling &tiling,
                               const Target &target, const MaskShape &mask,
                               const Footprint &footprint) {
  double extentM = problem.rowCount(), extentN = problem.keyCount();
  if (extentM == 0 || extentN == 0 || problem.batchSize() == 0 ||
      footprint.residentBlocks == 0)
    return 0;
  double rows = tiling.queryBlockSize(), keys = tiling.keyBlockSize();
  double visited = mask.visitedKeys(std::min(rows, extentM), keys, extentN);
  double tiles = std::max(1.0, std::ceil(visited / keys));
  double splits = std::min<double>(tiling.keySplits, tiles);
  double blocks = double(problem.batchSize()) * splits;
  for (size_t i = 0; i < problem.rows.size(); ++i)
    blocks *= std::ceil(double(problem.rows[i]) / tiling.queryBlock[i]);

  // As many thread arrays share a multiprocessor as there are, at most.
  double resident = std::min<double>(footprint.residentBlocks,
                                     std::ceil(blocks / target.cores));
  double warps = std::max(1.0, resident * tiling.gpu->warps / schedulers);
  WarpTile tile = warpTile(problem, tiling, target);
  double alone = tile.matrix + tile.issue + tile.exponential +
                 barrierCycles / tiling.gpu->stages;
  double busiest = std::max({tile.matrix, tile.issue, tile.exponential});
  // Two warps hide each other's other units; barriers of one thread array stop
  // all of its warps, so only other arrays hide those.
  double overlapped = std::max(warps * busiest, alone);
  double stall = resident > 1 ? barrierCycles / resident / 4
                              : barrierCycles / tiling.gpu->stages;
  double cycles = (overlapped + stall) * tiles / splits + prologueCycles;

  double waves = blocks / (target.cores * resident);
  double makespan = waves > 4 ? waves : std::ceil(waves);
  double compute = makespan * cycles / target.hertz;
  double type = bytesOf(problem.type);
  double once = double(problem.batchSize()) * (extentM + extentN) *
                (problem.depth + problem.value) * type;
  double reread =
      blocks / splits * visited * (problem.depth + problem.value) * type;
  double memory = once / target.memoryBandwidth +
                  reread / (cacheSpeedup * target.memoryBandwidth);
  return std::max(compute, memory);
}
