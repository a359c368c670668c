//===- Footprint.cpp - What a tiling needs at once ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Footprint.h"
#include "attn/CostModel/RegisterBlock.h"
#include "attn/CostModel/Sweeps.h"
#include "attn/CostModel/TileTerms.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace attn;

static constexpr int64_t warpSize = 32;

const LevelUse *Footprint::find(llvm::StringRef level) const {
  const auto *it = llvm::find_if(
      levels, [&](const LevelUse &use) { return use.level == level; });
  return it == levels.end() ? nullptr : &*it;
}

int64_t Footprint::registers() const {
  const LevelUse *use = find("registers per thread");
  return use ? use->used : 0;
}

const LevelUse *Footprint::violation() const {
  for (const LevelUse &use : levels)
    if (use.hard && use.used > use.limit)
      return &use;
  return nullptr;
}

bool Footprint::fits() const {
  return llvm::all_of(levels, [](const LevelUse &use) {
    return use.streams || use.used <= use.limit;
  });
}

CpuKernel attn::registerBlock(const Target &target, ElementType type,
                              int64_t rows, int64_t columns) {
  int64_t lanes = target.vectorLanes(type);
  int64_t width = std::max<int64_t>(ceilDiv(columns, lanes), 1);
  RegisterBlock block = chooseRegisterBlock(target, rows, width);
  return {block.rows, block.vectors * lanes};
}

static Footprint cpuFootprint(const Problem &problem, const Tiling &tiling,
                              const Target &target) {
  int64_t rows = tiling.queryBlockSize(), keys = tiling.keyBlockSize();
  int64_t k = problem.depth, d = problem.value;
  int64_t type = bytesOf(problem.type);
  int64_t wide = bytesOf(accumulateType(problem.type));
  int64_t mr = tiling.cpu->mr, nr = tiling.cpu->nr;

  Footprint footprint;
  int64_t vectors = ceilDiv(nr, target.vectorLanes(problem.type));
  footprint.levels.push_back({"vector registers", mr * vectors + vectors + 1,
                              target.vectorRegisters, /*hard=*/true, ""});
  // Rows are lanes: scores and Q are padded to whole vectors of them. The panel
  // is depth x nr of packed Q.
  int64_t lanes = target.vectorLanes(problem.type);
  int64_t padded = ceilDiv(rows, lanes) * lanes;
  footprint.levels.push_back(
      {"L1", k * std::min(nr, padded) * wide + mr * (k + nr) * wide,
       target.l1Bytes, /*hard=*/false, "B", /*streams=*/true});
  int64_t scores = keys * wide * rowGroup(target, keys, wide, lanes, padded);
  int64_t operands = keys * (k + d) * type + padded * k * wide;
  int64_t accumulators = rows * d * wide;
  if (problem.direction == Direction::Forward &&
      problem.type != ElementType::BF16 &&
      target.usesMatrixTiles(problem.type, rows)) {
    // Beside K, V and the scores, their bf16 parts; those of Q in its place. A
    // matrix unit has four vectors of rows in a group, at least, and a last
    // block of fewer keys has buffers of its own.
    int64_t parts = 2 * tileTerms(problem.type).leftParts;
    int64_t group = rowGroup(target, keys, wide, 4 * lanes, padded);
    int64_t all = problem.keyCount();
    int64_t held = keys < all ? keys + all % keys : keys;
    scores = held * std::min(group, padded) * (wide + parts);
    operands += held * (k + d) * parts + padded * k * (parts - wide);
  }
  if (problem.direction == Direction::Backward) {
    // P and dP; dO beside Q; dQ, dK and dV.
    scores = 2 * padded * keys * wide;
    operands += rows * d * type;
    accumulators = rows * k * wide + keys * (k + d) * wide;
  }
  footprint.levels.push_back(
      {"L2", scores + operands + accumulators, target.l2Bytes});
  return footprint;
}

/// Registers of a thread that do not grow with the tile: addresses, loop
/// counters, the fragments of one product in flight.
static constexpr int64_t fixedRegisters = 36;

static int64_t gpuRegisters(const Problem &problem, const Tiling &tiling) {
  const GpuKernel &kernel = *tiling.gpu;
  int64_t perWarp = kernel.rowsPerWarp, keys = tiling.keyBlockSize();
  int64_t k = problem.depth, d = problem.value;
  int64_t words = bytesOf(accumulateType(problem.type)) / 4;
  // A lane owns one row in eight of its warp's: reference and sum for each.
  int64_t state = 2 * ceilDiv(perWarp, 8) * words;
  int64_t tile = ceilDiv(perWarp * (d + keys), warpSize) * words;
  if (problem.direction == Direction::Backward) {
    // dK and dV of the warp's keys, or one of them in a kernel of its own;
    // S and dP against a block of rows.
    int64_t block =
        2 * ceilDiv(perWarp * tiling.queryBlockSize(), warpSize) * words;
    tile = ceilDiv(perWarp * (k + d), warpSize) * words + block;
    if (!holdsKeySums(k, d, tiling))
      tile = ceilDiv(perWarp * std::max(k, d), warpSize) * words + block;
    state = 0;
  }
  return tile + state + fixedRegisters;
}

static int64_t gpuShared(const Problem &problem, const Tiling &tiling) {
  int64_t rows = tiling.gpu->warps * tiling.gpu->rowsPerWarp;
  int64_t keys = tiling.keyBlockSize(), stages = tiling.gpu->stages;
  int64_t k = problem.depth, d = problem.value;
  int64_t type = bytesOf(problem.type);
  if (problem.direction == Direction::Backward)
    // K and V stay, Q and dO move; or, for dQ, the other way round. With
    // atomics all warps have the block's dS.
    return ((rows + stages * tiling.queryBlockSize()) * (k + d) +
            (tiling.gpu->atomics ? rows * tiling.queryBlockSize() : 0)) *
           type;
  return (rows * k + stages * keys * (k + d)) * type;
}

static Footprint gpuFootprint(const Problem &problem, const Tiling &tiling,
                              const Target &target) {
  Footprint footprint;
  int64_t threads = tiling.gpu->warps * warpSize;
  int64_t registers = gpuRegisters(problem, tiling);
  int64_t shared = gpuShared(problem, tiling);
  // The register file is handed out in units of 8 per thread.
  int64_t allocated = ceilDiv(registers, 8) * 8 * threads;
  footprint.levels.push_back({"registers per thread", registers,
                              target.registersPerThread, /*hard=*/true, ""});
  footprint.levels.push_back(
      {"registers", allocated, target.registersPerCore, /*hard=*/true, ""});
  footprint.levels.push_back(
      {"shared memory", shared, target.sharedPerBlock, /*hard=*/true});
  footprint.levels.push_back(
      {"threads", threads, target.threadsPerBlock, /*hard=*/true, ""});

  std::pair<const char *, int64_t> limits[] = {
      {"shared memory",
       target.sharedPerCore / (shared + target.sharedReserved)},
      {"registers", target.registersPerCore / allocated},
      {"threads", target.threadsPerCore / threads},
      {"blocks", target.blocksPerCore}};
  const auto *least = llvm::min_element(
      limits, [](auto &a, auto &b) { return a.second < b.second; });
  footprint.residentBlocks = least->second;
  footprint.residentLimit = least->first;
  return footprint;
}

Footprint attn::computeFootprint(const Problem &problem, const Tiling &tiling,
                                 const Target &target) {
  return target.isGpu() ? gpuFootprint(problem, tiling, target)
                        : cpuFootprint(problem, tiling, target);
}

/// Of scratch memory a thread gets at most so much. What is chosen fits a
/// cache; blocks given by hand for extents that are not known may ask for
/// anything.
static constexpr double mostScratchBytes = 1 << 30;

/// Packed operands, sums and scores of a block, in floating point: products of
/// absurd sizes have to have a value.
static llvm::Error checkScratch(const Problem &problem, const Tiling &tiling,
                                const Target &target) {
  auto sizeOf = [](llvm::ArrayRef<int64_t> block) {
    double size = 1;
    for (int64_t extent : block)
      size *= double(extent);
    return size;
  };
  double rows = sizeOf(tiling.queryBlock), keys = sizeOf(tiling.keyBlock);
  double elements =
      (rows + keys) * (double(problem.depth) + double(problem.value));
  bool backward = problem.direction == Direction::Backward;
  elements += keys * (backward ? 2 * rows : std::min(rows, 64.0));
  double bytes = elements * bytesOf(accumulateType(problem.type));
  if (bytes <= mostScratchBytes)
    return llvm::Error::success();
  return llvm::createStringError(
      "tiling does not fit %s: a query_block of %.0f rows and a key_block of "
      "%.0f keys need %.0f bytes of scratch memory for each thread, at most "
      "%.0f are used",
      target.name.c_str(), rows, keys, bytes, mostScratchBytes);
}

llvm::Error attn::checkFits(const Problem &problem, const Tiling &tiling,
                            const Target &target) {
  bool hasKernel = target.isGpu() ? tiling.gpu.has_value() && !tiling.cpu
                                  : tiling.cpu.has_value() && !tiling.gpu;
  if (!hasKernel)
    return llvm::createStringError("expected a %s kernel for target %s",
                                   target.isGpu() ? "gpu" : "cpu",
                                   target.name.c_str());
  if (target.isGpu()) {
    bool backward = problem.direction == Direction::Backward;
    int64_t wanted = tiling.gpu->warps * tiling.gpu->rowsPerWarp;
    int64_t got = ownBlockSize(problem, tiling);
    if (wanted != got)
      return llvm::createStringError(
          "expected %s to hold warps x rows_per_warp = %lld %s, got %lld",
          backward ? "key_block" : "query_block",
          static_cast<long long>(wanted), backward ? "keys" : "rows",
          static_cast<long long>(got));
  }
  if (!target.isGpu())
    if (llvm::Error error = checkScratch(problem, tiling, target))
      return error;
  Footprint footprint = computeFootprint(problem, tiling, target);
  const LevelUse *use = footprint.violation();
  if (!use)
    return llvm::Error::success();
  return llvm::createStringError(
      "tiling does not fit %s: it needs %lld%s of %s, there are %lld",
      target.name.c_str(), static_cast<long long>(use->used),
      use->unit.empty() ? "" : " bytes", use->level.c_str(),
      static_cast<long long>(use->limit));
}
