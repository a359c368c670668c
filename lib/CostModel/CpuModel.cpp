//===- CpuModel.cpp - Predicted time on a CPU -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedule of lib/CPU, step by step: rows are lanes, and a query block
// against a key block is
//
//     S^T = K Q^T      K in place or widened; Q packed once per query block
//     softmax          over keys, a row's maximum and sum in one lane
//     acc += P V       V in place where a block of registers spans its columns,
//                      else packed
//
// by groups of rows whose scores stay in the first-level cache (backward: five
// products, the whole block at a time). Everything runs on one vector unit, so
// cycles add; what caches deliver overlaps with them, and shows where it takes
// longer. What each step costs is in CpuCosts.h.
//
//===----------------------------------------------------------------------===//

#include "CpuCosts.h"
#include "Model.h"
#include "attn/CostModel/RegisterBlock.h"
#include "attn/CostModel/TileTerms.h"
#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::cpu_costs;

namespace {

/// One problem and tiling, in the model's units: cycles of one core, vectors,
/// bytes.
class CpuCost {
public:
  CpuCost(const Problem &problem, const Tiling &tiling, const Target &target);

  double seconds(const MaskShape &mask) const;

private:
  /// A product C[rows x width vectors] (+)= A B over `inner` steps, taken in
  /// stretches whose B, rows of it `pitch` bytes apart, stays in the
  /// first-level cache, or all at once.
  double product(const RegisterBlock &block, double rows, double width,
                 double inner, bool inStretches = true, double pitch = 0) const;
  double steps(const RegisterBlock &block, double rows, double width,
               double inner, double chain) const;
  double softmax() const {
    return softmaxCycles + (type < wide ? roundCycles : 0) +
           (isSplit() ? splitScoreCycles : 0);
  }
  bool isSplit() const {
    return problem.direction == Direction::Forward && usesTiles() &&
           problem.type != ElementType::BF16;
  }
  /// Of an element of Q, once per query block.
  double queryCycles() const {
    return isSplit() ? splitQueryCycles : transposeCycles;
  }
  bool usesDots() const;
  bool usesTiles() const {
    return problem.direction == Direction::Forward
               ? target.usesMatrixTiles(problem.type, int64_t(rows))
               : target.usesBackwardTiles(problem.type, int64_t(rows),
                                          int64_t(keys));
  }
  double tileBlock(double keys) const;
  double tilePacking() const;
  bool readsValueInPlace() const;
  /// Of pages that are walked over again and again, those not at hand.
  static double pagesMissed(double bytes) {
    return std::clamp(bytes / pageBytes / pagesAtHand - 1, 0.0, 1.0);
  }
  double scores(double keys) const;
  double dots(double keys) const;
  double accumulate(double keys) const;
  double edges(double edge) const;
  double forwardBlock(double seen) const;
  double backwardBlock(double keys) const;
  double backwardTiles() const;
  double backwardSums() const;
  double copies(double vectors) const;
  double spilled(double keys) const;
  double waits(double seen, double all) const;
  double stateMoves(double cycles) const;
  double task(double blocks, double seen, double edge) const;

  const Problem &problem;
  const Target &target;
  Tiling tiling;
  double rows, keys, depth, value, extentM, extentN;
  double lanes, type, wide;
  double l1, l2, l2BytesPerCycle, memoryBytesPerCycle;
  double speedup; ///< of products by dot-product instructions
  double rowVectors;
  double group;     ///< rows of a forward that are folded at a time
  int64_t edgeRows; ///< the same where the mask cuts
  RegisterBlock scoreBlock, sumBlock;
};

} // namespace

CpuCost::CpuCost(const Problem &problem, const Tiling &given,
                 const Target &target)
    : problem(problem), target(target), tiling(given.clampedTo(problem)) {
  rows = tiling.queryBlockSize(), keys = tiling.keyBlockSize();
  depth = problem.depth, value = problem.value;
  extentM = problem.rowCount(), extentN = problem.keyCount();
  lanes = target.vectorLanes(problem.type);
  type = bytesOf(problem.type);
  wide = bytesOf(accumulateType(problem.type));
  l1 = target.l1Bytes, l2 = target.l2Bytes;
  l2BytesPerCycle = target.l2Bandwidth / target.hertz;
  memoryBytesPerCycle = target.coreBandwidth / target.hertz;
  speedup = problem.type == ElementType::BF16 && target.bf16Dot ? 2 : 1;
  rowVectors = std::ceil(rows / lanes);
  sumBlock = {tiling.cpu->mr, ceilDiv(tiling.cpu->nr, int64_t(lanes))};
  RegisterBlock usual = chooseRegisterBlock(
      target, int64_t(rows), int64_t(std::max(1.0, std::ceil(value / lanes))));
  scoreBlock = scoreRegisterBlock(target, int64_t(keys), int64_t(rowVectors),
                                  sumBlock, usual);
  if (usesTiles()) {
    scoreBlock = {32, rows > 32 ? 4 : rows > 16 ? 2 : 1};
    sumBlock = {16, 2}; // whatever the tiling says of registers
  }
  rowVectors = std::ceil(rowVectors / scoreBlock.vectors) * scoreBlock.vectors;
  group = double(rowGroup(target, int64_t(keys), int64_t(wide),
                          scoreBlock.vectors * int64_t(lanes),
                          int64_t(rowVectors * lanes)));
  edgeRows = edgeVectors(scoreBlock.vectors) * int64_t(lanes);
}

/// Cycles of `inner` steps in chains of `chain` dependent sums each. A short
/// chain does not show its latency: the core is already in the next one.
double CpuCost::steps(const RegisterBlock &block, double rows, double width,
                      double inner, double chain) const {
  double instructions =
      double(block.rows * block.vectors + block.rows + block.vectors) + 2;
  double wait =
      RegisterBlock::latency * chain / (chain + window / instructions);
  return block.stepCycles(int64_t(rows), int64_t(width), target.vectorIssue,
                          wait) *
         inner / speedup;
}

double CpuCost::product(const RegisterBlock &block, double rows, double width,
                        double inner, bool inStretches, double pitch) const {
  double columns = std::ceil(width / block.vectors);
  double tiles = std::ceil(rows / block.rows) * columns;
  double stretches = 1;
  if (inStretches) {
    double bytes = std::max(block.vectors * lanes * wide, pitch);
    stretches = std::max(
        1.0, std::ceil(inner / std::max(16.0, stretchShare * l1 / bytes)));
  }
  double cycles = steps(block, rows, width, inner, inner / stretches);
  if (double panel = inner * block.vectors * lanes * wide;
      !inStretches && panel > stretchShare * l1) {
    // Every block of registers has B come from the second level again.
    cycles = std::max(cycles, tiles * panel / l2BytesPerCycle);
  }
  // Sums are stored and loaded between stretches.
  double ends = problem.direction == Direction::Backward ? backwardEnds : 1;
  return cycles +
         ends * stretches *
             (tiles * tileCycles + rows * columns * block.vectors * sumCycles);
}

/// Few rows: their scores are sums across vectors of the depth.
bool CpuCost::usesDots() const {
  return rows <= std::max(1.0, lanes / 2) && rowVectors == 1 && depth > 0 &&
         int64_t(depth) % int64_t(lanes) == 0 && problem.keys.size() == 1;
}

/// S^T, keys x rows, from K where it is: each of its vectors is loaded, widened
/// and multiplied with those of all rows.
double CpuCost::dots(double keys) const {
  double together = std::max(1.0, std::floor(8 / rows));
  double perVector = std::max(rows / target.vectorIssue,
                              (1 + rows / together) / target.vectorIssue) +
                     (type < wide ? widenCycles : 0);
  return keys * (depth / lanes * perVector + rows * acrossCycles + sumCycles);
}

/// S^T, keys x rows. Each block of registers walks down the packed Q, whose
/// rows are all the rows of the tile long.
double CpuCost::scores(double keys) const {
  if (usesDots())
    return dots(keys);
  double missed = pagesMissed(depth * rowVectors * lanes * wide);
  double blocks = std::ceil(keys / scoreBlock.rows) *
                  std::ceil(rowVectors / scoreBlock.vectors);
  return product(scoreBlock, keys, rowVectors, depth, /*inStretches=*/false) +
         missed * pageCycles * blocks * depth;
}

/// The products read V where it is: once, or as one column of blocks, or where
/// a block of it stays in the first-level cache (lib/CPU/Operands.cpp).
bool CpuCost::readsValueInPlace() const {
  double width = sumBlock.vectors * lanes;
  if (std::fmod(value, width) != 0 || speedup > 1)
    return false;
  if (rows <= sumBlock.rows)
    return true;
  return type == wide &&
         (width == value ||
          std::min(keys, leastStretch) * value * type <= stretchShare * l1);
}

/// C[rows x value] += P V over the keys, a group of rows at a time.
double CpuCost::accumulate(double keys) const {
  double whole = std::floor(rows / group), rest = rows - whole * group;
  double width = std::ceil(value / lanes);
  // What is read once needs no stretches.
  bool streams = usesDots() && rows <= sumBlock.rows;
  double pitch = readsValueInPlace() && !streams ? value * wide : 0;
  auto part = [&](double height) {
    return product(sumBlock, height, width, keys, /*inStretches=*/true, pitch);
  };
  double cycles = whole * part(group);
  if (rest > 0)
    cycles += part(rest);
  if (type < wide && readsValueInPlace())
    cycles += keys * width * widenCycles;
  return cycles;
}

/// Both products of a key block by the matrix unit, tiles of 16 x 16 sums and
/// steps of 32 along k. V is transposed.
double CpuCost::tileBlock(double keys) const {
  double groups = std::ceil(rows / group);
  double keySteps = std::ceil(keys / 32);
  const TileTerms &terms = tileTerms(problem.type);
  double count = double(terms.terms.size());
  double scoreSteps =
      double(TileDepth(int64_t(depth), terms).steps(terms)) / count;
  double products =
      rowVectors * keySteps * (2 * scoreSteps + std::ceil(value / 16));
  double step = isSplit() ? splitStepCycles * count : tileStepCycles;
  return products * step + groups * 2 * tileCallCycles +
         rowVectors * keys * tileMaxCycles +
         rowVectors * value * tileJoinCycles;
}

/// K and V, for all rows of a query block.
double CpuCost::tilePacking() const {
  if (isSplit())
    return keys * (depth * splitKeyCycles + value * splitValueCycles);
  return keys * value * tilePackCycles;
}

/// What the mask cuts of the keys of a query block: `edge` keys of each group
/// of few rows, with the mask's code.
double CpuCost::edges(double edge) const {
  if (edge <= 0)
    return 0;
  double groups = std::ceil(rows / edgeRows);
  double vectors = edgeRows / lanes;
  if (usesTiles())
    return tileBlock(edge) + rowVectors * edge * (softmax() + maskCycles) +
           groups * blockCycles + rowVectors * rowCycles;
  RegisterBlock block =
      chooseRegisterBlock(target, int64_t(keys), int64_t(vectors));
  return groups * (product(block, edge, vectors, depth, /*inStretches=*/false) +
                   product(sumBlock, edgeRows, std::ceil(value / lanes), edge) +
                   (softmax() + maskCycles) * vectors * edge +
                   rowCycles * vectors + blockCycles);
}

/// A key block of which the rows see `seen` keys on average.
double CpuCost::forwardBlock(double seen) const {
  if (usesTiles())
    return tileBlock(seen) + tilePacking() + softmax() * rowVectors * seen +
           rowCycles * rowVectors + std::ceil(rows / group) * blockCycles;
  double cycles = scores(seen) + accumulate(seen) +
                  softmax() * rowVectors * seen + rowCycles * rowVectors +
                  std::ceil(rows / group) * blockCycles;
  bool widened = type < wide && speedup == 1 && !usesDots();
  double copied = (widened ? std::ceil(depth / lanes) : 0) +
                  (readsValueInPlace() ? 0 : std::ceil(value / lanes));
  double state = rows * (depth + value) * wide;
  double used = state + keys * ((depth + value) * type + group * wide);
  return cycles + copies(keys * copied) +
         pagesMissed(used) * state / pageBytes * turnCycles;
}

/// Cycles to copy `vectors` vectors. What the first level does not hold is
/// written to the second and comes back for the product.
double CpuCost::copies(double vectors) const {
  double bytes = vectors * lanes * wide;
  double beyond = std::clamp(bytes / l1 - 0.25, 0.0, exposedCopies);
  return vectors * copyCycles + beyond * 2 * bytes / l2BytesPerCycle;
}

/// A backward's block by the matrix unit: rows are lanes, sums along rows and
/// keys run over whole steps.
double CpuCost::backwardTiles() const {
  double rowSteps = std::ceil(rows / 32), keySteps = std::ceil(keys / 32);
  double depthTiles = std::ceil(depth / 16), valueTiles = std::ceil(value / 16);
  double products = 4 * rowSteps * keySteps *
                        (std::ceil(depth / 32) + std::ceil(value / 32)) +
                    2 * keySteps * rowSteps * (depthTiles + valueTiles) +
                    4 * rowSteps * keySteps * std::ceil(depth / 32);
  double parts = std::ceil(rows / tilePart) * std::ceil(keys / tilePart);
  const TileTerms &terms = tileTerms(problem.type);
  double split = double(terms.rightParts), each = split > 1 ? 2 * split : type;
  double step =
      split > 1 ? double(terms.terms.size()) * tileTermCycles : tileStepCycles;
  double points = tilePointCycles + (split - 1) * tilePartPointCycles;
  double cycles = products * step + parts * tilePartCycles +
                  std::ceil(rows / lanes) * keys * points;
  double queryBlocks = std::max(1.0, std::ceil(extentM / rows));
  double packing = split > 1
                       ? keys * (2 * depth + value) * splitBackwardPackCycles
                       : keys * depth * tilePackCycles;
  cycles += packing / (tiling.order == Order::KeyOuter ? queryBlocks : 1);
  cycles += split * rows * (depth + value) * tilePairCycles +
            rows * depth * tileAddCycles +
            keys * (depth + value) * tileSumCycles;
  // P z, dS and its pairs; Q and dO in pairs, dQ; K twice and V, dK and dV, a
  // part at a time.
  double bytes =
      rows * keys * 3 * each +
      rows * ((depth + value) * 2 * each + depth * wide) +
      keys * ((2 * depth + value) * each + (depth + value) * wide) / 2;
  cycles += std::max(0.0, bytes - tileFreeShare * l2) / 64 * tileLineCycles;
  cycles += 3 * blockCycles + backwardSums();
  return split > 1 ? splitBackwardScale * cycles : cycles;
}

/// Keys are lanes: S and dP are rows x keys, and K and V are transposed once
/// for all the query blocks that see the key block, if these are the inner
/// loop.
double CpuCost::backwardBlock(double keys) const {
  if (usesTiles())
    return backwardTiles();
  double keyVectors = std::ceil(keys / lanes);
  double depthVectors = std::ceil(depth / lanes);
  double valueVectors = std::ceil(value / lanes);
  auto blockFor = [&](double height, double width) {
    return chooseRegisterBlock(target, int64_t(height), int64_t(width));
  };
  RegisterBlock points = blockFor(rows, keyVectors);
  RegisterBlock ofKeys = blockFor(keys, depthVectors);
  RegisterBlock ofValues =
      value == depth ? ofKeys : blockFor(keys, valueVectors);
  RegisterBlock ofRows = blockFor(rows, depthVectors);
  double cycles = product(points, rows, keyVectors, depth, false) +
                  product(points, rows, keyVectors, value, false) +
                  product(ofValues, keys, valueVectors, rows) +
                  product(ofKeys, keys, depthVectors, rows) +
                  product(ofRows, rows, depthVectors, keys);
  double queryBlocks = std::max(1.0, std::ceil(extentM / rows));
  cycles += keys * (depth + value) * transposeCycles /
            (tiling.order == Order::KeyOuter ? queryBlocks : 1);
  // Narrow operands are widened; panels of rows that do not lie in the first
  // level as they are, are copied.
  double width = std::max(depth, value);
  bool apart = width > sumBlock.vectors * lanes &&
               rows * width * wide > stretchShare * l1;
  if (type < wide || apart)
    cycles += rows * (depthVectors + valueVectors) * copyCycles;
  return cycles + pointCycles * rows * keyVectors + rows * pointRowCycles +
         7 * blockCycles + backwardSums();
}

/// Cycles per block in which sums that the outer blocks do not own, dQ or dK
/// and dV, pass through the level that holds them all.
double CpuCost::backwardSums() const {
  bool keysOutside = tiling.order == Order::KeyOuter;
  double block = (keysOutside ? rows * depth : keys * (depth + value)) * wide;
  double all =
      (keysOutside ? extentM * depth : extentN * (depth + value)) * wide;
  if (all < 0.5 * l2)
    return exposedPass * 2 * block / l2BytesPerCycle;
  bool cached = all < double(target.lastCacheBytes) / target.cores;
  return exposedPass * 2 * block /
         (cached ? sharedCacheShare * l2BytesPerCycle : memoryBytesPerCycle);
}

/// Cycles in which the scores of a block go through a cache that does not hold
/// them: each step between the products reads or writes them once.
double CpuCost::spilled(double keys) const {
  if (usesTiles()) // whose steps were timed with scores in the second level
    return 0;
  bool backward = problem.direction == Direction::Backward;
  // A forward's rows of scores are an odd number of lines apart.
  double lines = std::ceil(group * wide / 64);
  double pitch = (lines + (std::fmod(lines, 2) == 0)) * 64;
  double scoreBytes = keys * (backward ? 2 * rowVectors * lanes * wide : pitch);
  double operands = keys * (depth + value) * type +
                    rowVectors * lanes * depth * wide + rows * value * wide;
  auto share = [](double used, double level, double free) {
    return std::clamp(used / level - free, 0.0, 1.0);
  };
  double passes = 3 * scoreBytes;
  if (!backward) {
    // What shows is that each block of registers walks down lines of P, of
    // which it needs a part, for each block of V's columns.
    double columns = std::ceil(value / lanes / sumBlock.vectors);
    double touches = (lanes / sumBlock.rows + 1) * columns;
    double share = usesTiles() ? type / wide : 1; // P is packed
    passes = touches * share * scoreBytes * rows / group;
  }
  double shared = sharedCacheShare * l2BytesPerCycle;
  // The products of a backward were seen to run as fast on blocks in the second
  // level. But there are five, with rows of Q, dO and dQ coming in between:
  // little of that level may be in use.
  if (backward)
    return 2 * exposedPass * share(scoreBytes + operands, l2, 0.1) * passes /
           shared;
  // Scores that do not leave room for the operands are as good as outside.
  double outside = std::min(1.0, share(scoreBytes, l1, 0.5) / scoreSpread);
  return exposedScores *
         (outside * passes / l2BytesPerCycle +
          share(scoreBytes + operands, l2, 0.5) * passes / shared);
}

/// Cycles in which a block of which the rows see `seen` keys waits for its K
/// and V. What a query block sees stays in the second level for the next one,
/// and is prefetched in time, if it fits; else it comes in lines as the
/// products walk over them.
double CpuCost::waits(double seen, double all) const {
  double perKey = (depth + value) * type;
  double shared = sharedCacheShare * l2BytesPerCycle;
  bool again = rows < extentM;
  if (again && all * perKey < residentShare * l2)
    // The first query block of a head brings them for all.
    return exposedWork * seen * perKey / memoryBytesPerCycle * rows / extentM;
  bool cached =
      again && all * perKey < double(target.lastCacheBytes) / target.cores;
  return seen * perKey / (cached ? shared : memoryBytesPerCycle);
}

/// Cycles per vector of the states that pass through memory: those of all rows
/// and parts may not stay in a core's caches, and are then touched as fresh
/// pages.
double CpuCost::stateMoves(double cycles) const {
  double states = double(problem.batchSize()) * extentM * tiling.keySplits;
  return states * (value + 2) * wide < l2 ? cycles : cycles + freshCycles;
}

/// Cycles of a query block that visits `blocks` key blocks, of which its rows
/// see `seen` keys, `edge` of them where the mask cuts.
double CpuCost::task(double blocks, double seen, double edge) const {
  bool backward = problem.direction == Direction::Backward;
  double block =
      backward ? backwardBlock(keys) : forwardBlock((seen - edge) / blocks);
  // Without reuse the memory sets the pace.
  double wait = waits(backward ? keys : seen / blocks, seen);
  double ahead = 0;
  if (usesDots() && !backward)
    ahead = std::min(1.0, aheadKeys / keys);
  double exposed = exposedWork + ahead * (exposedAhead - exposedWork);
  double perBlock = spilled(seen / blocks);
  if (rows < extentM)
    perBlock += block + wait;
  else
    perBlock += std::max(block, wait) + exposed * std::min(block, wait) +
                2 * (1 - ahead) * streamCycles;
  double stateVectors = rows * std::ceil((value + 2) / lanes);
  double masked = backward ? edge * rowVectors * maskCycles : edges(edge);
  double cycles = perBlock * blocks + masked + taskCycles;
  // Every query block brings its state to each key block, if only to find that
  // it sees nothing of it.
  if (tiling.order == Order::KeyOuter && !backward)
    cycles += std::ceil(extentN / keys) *
              (stateVectors * stateMoves(stateCycles) + taskCycles +
               rowVectors * lanes * depth * queryCycles());
  if (backward) // each part starts its dQ at 0, and they are summed
    cycles += tiling.keySplits * rows * std::ceil(depth / lanes) * stateCycles;
  else if (tiling.keySplits > 1)
    cycles += tiling.keySplits *
              (stateVectors * stateMoves(mergeCycles) + taskCycles +
               rowVectors * lanes * depth * queryCycles());
  return cycles + stateVectors * stateCycles +
         rowVectors * lanes * depth * queryCycles();
}

double CpuCost::seconds(const MaskShape &mask) const {
  if (extentM == 0 || extentN == 0 || problem.batchSize() == 0)
    return 0;
  int64_t br = tiling.queryBlockSize(), bc = tiling.keyBlockSize();
  double seen = mask.visitedKeys(br, bc, extentN);
  double keyBlocks = std::max(1.0, seen / keys);
  if (isSplit()) // a ragged one has its own calls and steps
    keyBlocks = std::ceil(keyBlocks);
  double edge = mask.edgeKeys(br, bc, extentN);
  bool limits = problem.keys.size() == 1 && !problem.replacesHidden;
  if (problem.direction == Direction::Forward && limits) {
    // Of a block that the mask cuts, a group takes what all its rows see as it
    // is, and the rest by fewer rows.
    double open = mask.visitedKeys(int64_t(group), /*keys=*/1, extentN) -
                  mask.edgeKeys(int64_t(group), /*keys=*/1, extentN);
    seen = mask.visitedKeys(edgeRows, /*keys=*/1, extentN);
    edge = std::clamp(seen - open, 0.0, seen);
  }
  // A ragged last query block is rounded up to the score product's vectors.
  double blocks = std::ceil(extentM / rows);
  double last = extentM - rows * (blocks - 1),
         step = scoreBlock.vectors * lanes;
  double paid =
      blocks - 1 + std::ceil(last / step) * step / (rowVectors * lanes);
  double splits = tiling.keySplits;
  // Tasks are query blocks; of a backward, which sums over them, all of them.
  double perTask =
      problem.direction == Direction::Backward && blocks > 1 ? blocks : 1;
  double average =
      double(problem.batchSize()) * blocks / perTask * splits / target.cores;
  // Unequal tasks even out when each core has several.
  double makespan = std::ceil(average) > 8 ? average : std::ceil(average);
  return makespan * perTask * task(keyBlocks, seen, edge) * (paid / blocks) /
         splits / target.hertz;
}

double attn::predictCpuSeconds(const Problem &problem, const Tiling &tiling,
                               const Target &target, const MaskShape &mask) {
  return CpuCost(problem, tiling, target).seconds(mask);
}
