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
// Of the four units a tile keeps busy (tensor core, issue port, exponential
// unit, shared memory) the busiest sets the pace; of the others' time and of
// the tile's latencies a part shows, the less the more warps share a scheduler.
// One constant says how much: FlashAttention-2's 128 x 64 kernel at head dim
// 128 runs at 73 % of an A100's peak with two warps per scheduler.
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "attn/CostModel/Sweeps.h"
#include <algorithm>
#include <cmath>

using namespace attn;

namespace {

constexpr double schedulers = 4; ///< per multiprocessor
constexpr double warpSize = 32;
/// Instructions of a key tile beside its elements': addresses, copies, waits.
constexpr double tileInstructions = 60;
/// Cycles of a tile in which a lone warp waits: two barriers, the pipelines of
/// two products to drain, shuffles and exponentials one after the other.
constexpr double tileLatency = 500;
/// Cycles from launch to the first product, and from the last to the end.
constexpr double prologueCycles = 2500;
/// Bytes of shared memory per cycle, of a multiprocessor and of one ldmatrix.
constexpr double sharedBytesPerCycle = 128;
constexpr double ldmatrixBytes = 512;
/// A cached re-read against a read of the large memory, and the part of the
/// memory's time that computation does not hide.
constexpr double cacheSpeedup = 3;
constexpr double exposedMemory = 0.15;

/// The part of the other units' time that is not hidden behind the busiest.
/// Warps of one thread array meet at its barriers, so they are mostly in the
/// same phase and hide less of each other than warps of another array do.
double exposed(double residentBlocks, double warpsPerBlock) {
  double independent = residentBlocks * std::sqrt(warpsPerBlock / schedulers);
  return 0.5 / std::pow(independent, 0.9);
}

/// One warp's work on one key tile, in cycles of its scheduler.
struct WarpTile {
  double matrix = 0, issue = 0, exponential = 0, shared = 0;

  double busiest() const {
    return std::max({matrix, issue, exponential, shared});
  }
  double others() const {
    return matrix + issue + exponential + shared - busiest();
  }
};

} // namespace

static WarpTile warpTile(const Problem &problem, const Tiling &tiling,
                         const Target &target) {
  bool backward = problem.direction == Direction::Backward;
  // In the backward a warp has keys and walks rows; and for dQ, in a kernel of
  // its own, the other way round: seven products in all, and S once more where
  // dK and dV have a kernel each. With atomics dQ is made on the way: five.
  bool apart = backward && !holdsKeySums(problem.depth, problem.value, tiling);
  double rows = tiling.gpu->rowsPerWarp;
  double keys = backward ? tiling.queryBlockSize() : tiling.keyBlockSize();
  double k = problem.depth, d = problem.value;
  double mmaRows = std::ceil(rows / 16);
  bool oneSweep = backward && tiling.gpu->atomics;
  double sweeps = backward ? (oneSweep ? 1 : 2) + apart : 1;
  double products = backward ? (oneSweep ? 2.5 : 3.5) + 0.5 * apart : 1;
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
  if (backward)
    // Both operands of S and dP twice, and the right one of dQ, dK and dV.
    ldmatrix = (k + d) / 16 * (2 * mmaRows + 2 * keys / 16) +
               (2 * k + d) / 16 * keys / 16 +
               (apart ? k / 16 * (mmaRows + keys / 16) : 0);
  if (oneSweep)
    // S and dP once; dS and K for dQ, which four to eight warps share out.
    ldmatrix -= (k + d) / 16 * (mmaRows + keys / 16) - keys / 16 * mmaRows;
  double elementwise =
      scoresPerLane * (backward ? (oneSweep ? 6 : 9.5) + 3 * apart : 3.5);
  if (oneSweep) // additions to dQ
    elementwise += keys * k / warpSize / tiling.gpu->warps;
  double stored = keys * (k + d) * bytesOf(problem.type);
  WarpTile tile;
  tile.matrix = mma * 16 * 8 * 16 / (fmaPerCycle / schedulers);
  tile.issue =
      mma + ldmatrix * 2 + sweeps * tileInstructions +
      elementwise * std::max(1.0, warpSize * schedulers / target.lanes);
  tile.exponential =
      sweeps * scoresPerLane * warpSize * schedulers / target.exponentials;
  // Reads of this warp, and its share of the copies into shared memory.
  tile.shared = (ldmatrix * ldmatrixBytes + stored / tiling.gpu->warps) *
                schedulers / sharedBytesPerCycle;
  return tile;
}

double attn::predictGpuSeconds(const Problem &problem, const Tiling &tiling,
                               const Target &target, const MaskShape &mask,
                               const Footprint &footprint) {
  double extentM = problem.rowCount(), extentN = problem.keyCount();
  if (extentM == 0 || extentN == 0 || problem.batchSize() == 0 ||
      footprint.residentBlocks == 0)
    return 0;
  double keys = tiling.keyBlockSize();
  int64_t rows = std::min(tiling.queryBlockSize(), problem.rowCount());
  double visited = mask.visitedKeys(rows, tiling.keyBlockSize(), extentN);
  double tiles = std::max(1.0, std::ceil(visited / keys));
  double splits = std::min<double>(tiling.keySplits, tiles);
  auto count = [](llvm::ArrayRef<int64_t> extents,
                  llvm::ArrayRef<int64_t> block) {
    double product = 1;
    for (auto [extent, size] : llvm::zip_equal(extents, block))
      product *= std::ceil(double(extent) / size);
    return product;
  };
  double rowBlocks = count(problem.rows, tiling.queryBlock);
  double blocks = double(problem.batchSize()) * splits * rowBlocks;
  if (problem.direction == Direction::Backward) {
    double keyBlocks = count(problem.keys, tiling.keyBlock);
    blocks = double(problem.batchSize()) * keyBlocks;
    tiles = std::max(1.0, tiles * rowBlocks / keyBlocks);
  }

  // As many thread arrays share a multiprocessor as there are, at most.
  double resident = std::min<double>(footprint.residentBlocks,
                                     std::ceil(blocks / target.cores));
  double warps = std::max(1.0, resident * tiling.gpu->warps / schedulers);
  WarpTile tile = warpTile(problem, tiling, target);
  // Copies are issued a product ahead of their use, so a second stage only
  // helps where no other thread array fills the wait.
  bool waits = resident == 1 && tiling.gpu->stages == 1;
  double latency = tileLatency * (waits ? 1.1 : 1);
  if (problem.direction == Direction::Backward) {
    // One sweep or two; with one stage, a block's copy begins where the last
    // block ends, or behind the second barrier that dS needs.
    latency = tiling.gpu->atomics
                  ? 2 * tileLatency
                  : 2 * tileLatency * (tiling.gpu->stages == 1 ? 2 : 1);
  }
  double perTile =
      warps * (tile.busiest() + exposed(resident, tiling.gpu->warps) *
                                    (tile.others() + latency));
  double cycles = perTile * tiles / splits + prologueCycles;

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
  return std::max(compute, memory) + exposedMemory * std::min(compute, memory);
}
