//===- Select.cpp - Tilings for a problem, best first ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Select.h"
#include "Model.h"
#include "attn/CostModel/RegisterBlock.h"
#include "attn/CostModel/Sweeps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attn;

double MaskShape::visitedKeys(int64_t rows, int64_t keys, double extent) const {
  double rounded = double(keys - std::gcd(rows, keys));
  return share * std::min(extent, visibleKeys +
                                      edges * (double(rows - 1) + rounded) / 2);
}

double MaskShape::edgeKeys(int64_t rows, int64_t keys, double extent) const {
  double rounded = double(keys - std::gcd(rows, keys));
  return std::min(visitedKeys(rows, keys, extent),
                  share * edges * (double(rows) + rounded));
}

/// Looks at a few rows evenly spread over the last row dim, at the middle of
/// all other dims, along the last key dim.
MaskShape attn::sampleMask(const Problem &problem) {
  MaskShape shape;
  double keys = problem.keyCount();
  shape.visibleKeys = keys;
  if (problem.blocks)
    shape.share = problem.blocks->seenShare();
  std::optional<Visible> mask = problem.knownMask();
  if (!mask || problem.rowCount() == 0 || keys == 0)
    return shape;
  shape.visibleKeys = 0;
  if (mask->isNone())
    return shape;
  Box box;
  for (int64_t extent : problem.maskExtents()) {
    if (extent == 0)
      return shape;
    box.push_back({extent / 2, extent / 2 + 1});
  }
  unsigned rowDim = problem.batch.size() + problem.rows.size() - 1;
  unsigned keyDim = box.size() - 1;
  int64_t rowExtent = problem.rows.back(), keyExtent = problem.keys.back();
  KeyRangeFinder finder(*mask, {keyDim, {0, keyExtent}, 1},
                        problem.maskSymbols());
  constexpr int64_t samples = 8;
  for (int64_t i = 0; i < samples; ++i) {
    int64_t row = static_cast<int64_t>(
        (static_cast<__int128>(2 * i + 1) * rowExtent) / (2 * samples));
    box[rowDim] = {row, row + 1};
    int64_t previous = 0;
    for (const KeyRange &range : finder.find(box)) {
      shape.visibleKeys += range.end - range.begin;
      shape.edges += range.begin != previous;
      shape.edges += range.end != keyExtent;
      previous = range.end;
    }
  }
  shape.visibleKeys *= keys / keyExtent / samples;
  shape.edges /= samples;
  return shape;
}

/// The same for a GPU, whose blocks hold exactly `size` rows, a power of two,
/// with rows beyond the extents left idle.
static llvm::SmallVector<int64_t, 2>
fillExactly(llvm::ArrayRef<int64_t> extents, int64_t size) {
  llvm::SmallVector<int64_t, 2> block(extents.size(), 1);
  for (size_t i = extents.size(); i-- > 0;) {
    int64_t wanted = llvm::PowerOf2Ceil(std::max<int64_t>(extents[i], 1));
    block[i] = i == 0 ? size : std::min(size, wanted);
    size /= block[i];
  }
  // What is left over no dim has rows for: give it to the last.
  if (extents.size() > 1 && block[0] > extents[0]) {
    int64_t wanted = llvm::PowerOf2Ceil(std::max<int64_t>(extents[0], 1));
    if (block[0] > wanted) {
      block.back() *= block[0] / wanted;
      block[0] = wanted;
    }
  }
  return block;
}

Order attn::orderFor(const Problem &problem) {
  return problem.direction == Direction::Backward ? Order::KeyOuter
                                                  : Order::QueryOuter;
}

/// The parts of a backward's keys have a dQ each; together they take no more.
static constexpr int64_t mostPartBytes = int64_t(12) << 20;

/// 1, and as many parts as give every core a task, if the query blocks do not.
/// A backward's tasks are batch elements.
static llvm::SmallVector<int64_t, 3>
splitCandidates(const Problem &problem, const Tiling &tiling, int64_t slots) {
  llvm::SmallVector<int64_t, 3> splits = {1};
  bool backward = problem.direction == Direction::Backward;
  int64_t tasks = problem.batchSize();
  if (!backward)
    for (auto [extent, block] :
         llvm::zip_equal(problem.rows, tiling.queryBlock))
      tasks = mulSaturating(tasks, ceilDiv(extent, block));
  int64_t keyBlocks = tiling.keyBlockCount(problem);
  if (tasks < 1 || tasks >= slots)
    return splits;
  int64_t copy =
      mulSaturating(mulSaturating(problem.batchSize(), problem.rowCount()),
                    problem.depth * bytesOf(accumulateType(problem.type)));
  for (int64_t parts : {ceilDiv(slots, tasks), 2 * ceilDiv(slots, tasks)}) {
    if (backward && mulSaturating(parts, copy) > mostPartBytes)
      continue;
    if (parts > 1 && parts <= keyBlocks)
      splits.push_back(parts);
  }
  if (!backward && splits.size() == 1 && keyBlocks > 1)
    splits.push_back(keyBlocks);
  return splits;
}

/// `size` elements as a block of the last dims: whole trailing dims first.
template <typename Vector>
static Vector fillBlock(llvm::ArrayRef<int64_t> extents, int64_t size) {
  Vector block(extents.size(), 1);
  for (size_t i = extents.size(); i-- > 0 && size > 1;) {
    block[i] = std::clamp<int64_t>(extents[i], 1, size);
    size /= block[i];
  }
  return block;
}

Tiling attn::cpuTiling(const Problem &problem, const Target &target,
                       int64_t rows, int64_t keys) {
  Tiling tiling;
  tiling.queryBlock =
      fillBlock<llvm::SmallVector<int64_t, 2>>(problem.rows, rows);
  tiling.keyBlock =
      fillBlock<llvm::SmallVector<int64_t, 1>>(problem.keys, keys);
  tiling.order = orderFor(problem);
  tiling = tiling.clampedTo(problem);
  tiling.cpu = registerBlock(target, problem.type, tiling.queryBlockSize(),
                             problem.value);
  return tiling;
}

// Rows are lanes of vectors, so multiples of all common vector lengths.
static constexpr int64_t cpuRows[] = {16, 32, 48, 64, 96, 128, 192, 256, 512};
static constexpr int64_t cpuKeys[] = {16, 32, 64, 128, 256, 384, 512};
/// A backward's dK and dV contract over rows: of more, Q and dO do not lie in
/// the first level.
static constexpr int64_t mostBackwardRows = 64;
/// Its five products go over blocks of keys: larger ones lose in the second
/// level what their fewer ends save (1 to 2 % in 64 x 256, 3 to 6 % in 256 x
/// 256), unless dQ does not stay there: it passes by once for each key block
/// (1x4x2048x128 gains 2 to 3 % in 64 x 256, 1x1x4096x64 nothing).
static int64_t mostBackwardKeys(const Problem &problem, const Target &target) {
  double sums = double(problem.rowCount()) * double(problem.depth) *
                bytesOf(accumulateType(problem.type));
  return sums < 0.5 * double(target.l2Bytes) ? 128 : 256;
}
/// By a matrix unit blocks are longer: what is packed and added for each is a
/// larger part. Of more rows than these, P and dS pass through the second level
/// (3 to 12 % lost in 256 x 256).
static constexpr int64_t mostTileRows = 128;
/// In bf16 parts there are three times as many bytes (1x4x2048x128: 1.09 times
/// as long in 64 x 384 as in 64 x 256, 1.04 in 128 x 256, 1.22 in 128 x 512).
static constexpr int64_t mostSplitRows = 64, mostSplitKeys = 256;

/// Is a block of a backward larger than what is offered?
static bool isTooLarge(const Problem &problem, const Target &target,
                       int64_t rows, int64_t keys) {
  if (!target.usesBackwardTiles(problem.type, rows, keys))
    return rows > mostBackwardRows || keys > mostBackwardKeys(problem, target);
  if (problem.type == ElementType::BF16)
    return rows > mostTileRows;
  return rows > mostSplitRows || keys > mostSplitKeys;
}

/// Do the scores that a forward's rows are folded by at least, those of a block
/// of registers, fit the first-level cache? Where not, 4 % were lost.
static bool scoresFit(const Problem &problem, const Target &target,
                      const Tiling &tiling) {
  // A matrix unit's come from the second level without loss, and it gains more
  // by long blocks.
  if (target.usesMatrixTiles(problem.type, tiling.queryBlockSize()))
    return true;
  int64_t lanes = target.vectorLanes(problem.type);
  int64_t rowVectors = ceilDiv(tiling.queryBlockSize(), lanes);
  RegisterBlock block =
      chooseRegisterBlock(target, tiling.keyBlockSize(), rowVectors);
  return block.vectors * lanes * tiling.keyBlockSize() *
             bytesOf(accumulateType(problem.type)) <=
         target.l1Bytes;
}

static std::vector<Tiling> cpuCandidates(const Problem &problem,
                                         const Target &target) {
  std::vector<Tiling> candidates;
  for (int64_t rows : cpuRows)
    for (int64_t keys : cpuKeys) {
      if (problem.direction == Direction::Backward &&
          isTooLarge(problem, target, rows, keys))
        continue;
      // Clamping makes neighbours equal: the smallest that is clamped stays.
      Tiling tiling = cpuTiling(problem, target, rows, keys);
      if (problem.direction == Direction::Forward && keys > cpuKeys[0] &&
          !scoresFit(problem, target, tiling))
        continue;
      bool seen = llvm::any_of(candidates, [&](const Tiling &other) {
        return other.queryBlock == tiling.queryBlock &&
               other.keyBlock == tiling.keyBlock;
      });
      if (seen)
        continue;
      for (int64_t parts : splitCandidates(problem, tiling, target.cores)) {
        tiling.keySplits = parts;
        candidates.push_back(tiling);
      }
      if (problem.direction == Direction::Backward) {
        tiling.keySplits = 1;
        tiling.order = Order::QueryOuter;
        candidates.push_back(tiling);
      }
    }
  return candidates;
}

static constexpr int64_t gpuWarps[] = {4, 8};
static constexpr int64_t gpuRowsPerWarp[] = {16, 32};
static constexpr int64_t gpuKeys[] = {32, 64, 96, 128};
/// Of the forward, where all of these spill: fewer registers for scores, and
/// for addresses of copies.
static constexpr int64_t gpuSpareWarps[] = {4, 2};
static constexpr int64_t gpuSpareRowsPerWarp[] = {16};
static constexpr int64_t gpuSpareKeys[] = {16};
/// Of the backward. Two warps and 16 rows are for heads whose keys fill a
/// thread array's memory.
static constexpr int64_t gpuBackwardWarps[] = {4, 8, 2};
static constexpr int64_t gpuBackwardRows[] = {32, 64, 128, 16};
static constexpr int64_t gpuStages[] = {1, 2};
/// More rows leave one thread array on a multiprocessor and, at the diagonal of
/// a mask, more of a tile hidden.
static constexpr int64_t gpuMaxRows = 128;

using Fill = llvm::SmallVector<int64_t, 2>(llvm::ArrayRef<int64_t>, int64_t);

/// Rows of the last dim only.
static llvm::SmallVector<int64_t, 2> fillLast(llvm::ArrayRef<int64_t> extents,
                                              int64_t size) {
  llvm::SmallVector<int64_t, 2> block(extents.size(), 1);
  block.back() = size;
  return block;
}

/// Rows of the first dims, as many as they have.
static llvm::SmallVector<int64_t, 2> fillFirst(llvm::ArrayRef<int64_t> extents,
                                               int64_t size) {
  llvm::SmallVector<int64_t, 2> block(extents.size(), 1);
  for (auto [i, extent] : llvm::enumerate(extents)) {
    int64_t wanted = llvm::PowerOf2Ceil(std::max<int64_t>(extent, 1));
    block[i] = i + 1 == extents.size() ? size : std::min(size, wanted);
    size /= block[i];
  }
  return block;
}

/// In the backward warps have keys to themselves, and walk blocks of rows.
static std::vector<Tiling> gpuBackwardCandidates(const Problem &problem,
                                                 Fill *fill = fillExactly) {
  std::vector<Tiling> candidates;
  for (int64_t warps : gpuBackwardWarps)
    for (int64_t perWarp : gpuRowsPerWarp)
      for (int64_t rows : gpuBackwardRows)
        for (int64_t stages : gpuStages) {
          bool large = problem.depth + problem.value > 256;
          if (warps * perWarp > gpuMaxRows ||
              (!large && fill == fillExactly && warps < 4))
            continue;
          Tiling tiling;
          tiling.queryBlock = fill(problem.rows, rows);
          tiling.keyBlock = fillExactly(problem.keys, warps * perWarp);
          tiling.order = orderFor(problem);
          tiling.gpu = GpuKernel{warps, perWarp, stages, problem.atomics};
          candidates.push_back(tiling);
        }
  return candidates;
}

static std::vector<Tiling> gpuForwardCandidates(const Problem &problem,
                                                const Target &target,
                                                llvm::ArrayRef<int64_t> warps,
                                                llvm::ArrayRef<int64_t> rows,
                                                llvm::ArrayRef<int64_t> keys) {
  std::vector<Tiling> candidates;
  for (int64_t numWarps : warps)
    for (int64_t perWarp : rows)
      for (int64_t block : keys)
        for (int64_t stages : gpuStages) {
          if (numWarps * perWarp > gpuMaxRows)
            continue;
          Tiling tiling;
          tiling.queryBlock = fillExactly(problem.rows, numWarps * perWarp);
          tiling.keyBlock.assign(problem.keys.size(), 1);
          tiling.keyBlock.back() = block;
          tiling.order = orderFor(problem);
          tiling.gpu = GpuKernel{numWarps, perWarp, stages, false};
          for (int64_t parts : splitCandidates(problem, tiling, target.cores)) {
            tiling.keySplits = parts;
            candidates.push_back(tiling);
          }
        }
  return candidates;
}

static std::vector<Tiling> gpuCandidates(const Problem &problem,
                                         const Target &target) {
  if (problem.direction == Direction::Backward)
    return gpuBackwardCandidates(problem);
  return gpuForwardCandidates(problem, target, gpuWarps, gpuRowsPerWarp,
                              gpuKeys);
}

std::vector<Tiling> attn::selectionGrid(const Problem &problem,
                                        const Target &target) {
  return target.isGpu() ? gpuCandidates(problem, target)
                        : cpuCandidates(problem, target);
}

static double predict(const Problem &problem, const Tiling &tiling,
                      const Target &target, const MaskShape &mask,
                      const Footprint &footprint) {
  return target.isGpu()
             ? predictGpuSeconds(problem, tiling, target, mask, footprint)
             : predictCpuSeconds(problem, tiling, target, mask);
}

double attn::predictSeconds(const Problem &problem, const Tiling &tiling,
                            const Target &target) {
  return predict(problem, tiling, target, sampleMask(problem),
                 computeFootprint(problem, tiling, target));
}

/// Of what cannot launch, that which misses by the least factor.
static llvm::Error nothingFits(llvm::ArrayRef<RankedTiling> refused,
                               const Target &target) {
  const RankedTiling *nearest = nullptr;
  double least = 0;
  for (const RankedTiling &entry : refused) {
    double worst = 0;
    for (const LevelUse &use : entry.footprint.levels)
      if (use.hard)
        worst =
            std::max(worst, double(use.used) / std::max<int64_t>(use.limit, 1));
    if (nearest && worst >= least)
      continue;
    nearest = &entry;
    least = worst;
  }
  const LevelUse *use = nearest->footprint.violation();
  return llvm::createStringError(
      "no tiling fits target %s: the nearest, %s, needs %lld%s of %s, there "
      "are "
      "%lld",
      target.name.c_str(), toString(nearest->tiling).c_str(),
      static_cast<long long>(use->used), use->unit.empty() ? "" : " bytes",
      use->level.c_str(), static_cast<long long>(use->limit));
}

static llvm::Expected<std::vector<RankedTiling>> rank(const Problem &problem,
                                                      const Target &target,
                                                      std::vector<Tiling> grid,
                                                      size_t top) {
  std::vector<RankedTiling> ranked, refused;
  MaskShape mask = sampleMask(problem);
  bool anyFits = false;
  for (Tiling &tiling : grid) {
    Footprint footprint = computeFootprint(problem, tiling, target);
    auto &list = footprint.violation() ? refused : ranked;
    anyFits |= footprint.fits();
    list.push_back({std::move(tiling), std::move(footprint), 0});
  }
  if (ranked.empty())
    return nothingFits(refused, target);
  if (anyFits)
    llvm::erase_if(ranked, [](const RankedTiling &entry) {
      return !entry.footprint.fits();
    });
  // Order of the grid first, so that ties are broken by it.
  llvm::SmallVector<std::pair<double, size_t>, 128> order;
  for (auto [i, entry] : llvm::enumerate(ranked)) {
    entry.seconds =
        predict(problem, entry.tiling, target, mask, entry.footprint);
    order.emplace_back(entry.seconds, i);
  }
  llvm::sort(order);
  std::vector<RankedTiling> best;
  for (auto [seconds, i] : order)
    if (best.size() < std::max<size_t>(top, 1))
      best.push_back(std::move(ranked[i]));
  return best;
}

llvm::Expected<std::vector<RankedTiling>>
attn::rankTilings(const Problem &problem, const Target &target, size_t top) {
  if (llvm::Error error = problem.check())
    return error;
  return rank(problem, target, selectionGrid(problem, target), top);
}

/// Adds the grid's tilings, the best first; those that cannot launch are left
/// out.
static void appendRanked(std::vector<RankedTiling> &list,
                         const Problem &problem, const Target &target,
                         std::vector<Tiling> grid) {
  if (grid.empty())
    return;
  llvm::Expected<std::vector<RankedTiling>> ranked =
      rank(problem, target, std::move(grid), SIZE_MAX);
  if (ranked)
    llvm::append_range(list, *ranked);
  else
    llvm::consumeError(ranked.takeError());
}

std::vector<RankedTiling> attn::rankSpareTilings(const Problem &problem,
                                                 const Target &target) {
  std::vector<RankedTiling> spare;
  if (!target.isGpu())
    return spare;
  auto append = [&](const Problem &problem, std::vector<Tiling> grid) {
    appendRanked(spare, problem, target, std::move(grid));
  };
  if (problem.direction == Direction::Forward) {
    append(problem, gpuForwardCandidates(problem, target, gpuSpareWarps,
                                         gpuSpareRowsPerWarp, gpuSpareKeys));
    return spare;
  }
  Problem ordered = problem;
  ordered.atomics = false;
  if (problem.atomics)
    append(ordered, gpuBackwardCandidates(ordered));
  for (Fill *fill : {fillLast, fillFirst}) {
    append(problem, gpuBackwardCandidates(problem, fill));
    if (problem.atomics)
      append(ordered, gpuBackwardCandidates(ordered, fill));
  }
  return spare;
}

std::vector<RankedTiling> attn::rankApartTilings(const Problem &problem,
                                                 const Target &target) {
  std::vector<RankedTiling> apart;
  if (!target.isGpu() || problem.direction != Direction::Backward)
    return apart;
  auto append = [&](const Problem &problem) {
    std::vector<Tiling> grid;
    for (Fill *fill : {fillExactly, fillLast, fillFirst})
      for (Tiling &tiling : gpuBackwardCandidates(problem, fill)) {
        // The others are apart by themselves.
        if (!holdsKeySums(problem.depth, problem.value, tiling))
          continue;
        tiling.gpu->apart = true;
        grid.push_back(std::move(tiling));
      }
    appendRanked(apart, problem, target, std::move(grid));
  };
  append(problem);
  if (problem.atomics) {
    Problem ordered = problem;
    ordered.atomics = false;
    append(ordered);
  }
  std::vector<std::pair<int64_t, size_t>> order;
  for (auto [i, entry] : llvm::enumerate(apart))
    order.emplace_back(entry.footprint.registers(), i);
  llvm::sort(order);
  std::vector<RankedTiling> sorted;
  for (auto [registers, i] : order)
    sorted.push_back(std::move(apart[i]));
  return sorted;
}
