//===- Blocks.cpp - Which blocks a tiling visits --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dim that the mask does not mention only multiplies: a sum of products of
// block sizes factors into (sum of sizes = extent) or (number of blocks) per
// such dim. What is left, usually one row and one key dim, is walked query
// block by query block, with the key blocks of each as a few runs from Visible.
// The walk is linear in the query blocks and never looks at pairs of blocks.
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Blocks.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using namespace attn;

namespace {

struct Dim {
  int64_t extent = 0;
  int64_t block = 1;
  bool mentioned = false;
  bool isRow = false, isKey = false;

  int64_t blocks() const { return ceilDiv(extent, block); }
};

/// Which dims' block sizes are the factors of a sum's terms.
using Factors = llvm::SmallVector<bool, 6>;

/// A sum being taken over visited blocks: which sizes it multiplies.
struct Sum {
  Factors factors;
  Count value = 0;
};

class Walk {
public:
  Walk(const Problem &problem, const Tiling &tiling);

  /// Adds to each of `perVisit` its terms over all visited blocks and to each
  /// of `perSeen` its terms over the key blocks that some query block visits.
  void run(llvm::MutableArrayRef<Sum> perVisit,
           llvm::MutableArrayRef<Sum> perSeen);

  llvm::SmallVector<Dim, 6> dims;

  /// The sum of `factors` over all blocks of the dims that pass `in`.
  template <typename Pred> Count closed(const Factors &factors, Pred in) const {
    Count result = 1;
    for (auto [dim, factor] : llvm::zip_equal(dims, factors))
      if (in(dim))
        result *= factor ? dim.extent : dim.blocks();
    return result;
  }

private:
  void descend(unsigned next, std::vector<int64_t> &keyIndex);
  void leaf(llvm::ArrayRef<int64_t> keyIndex);
  void addSeen(llvm::MutableArrayRef<Sum> perSeen);

  Count partial(const Factors &factors) const {
    Count result = 1;
    for (auto [i, dim] : llvm::enumerate(dims))
      if (dim.mentioned && static_cast<int>(i) != lastKey && factors[i])
        result *= box[i].size();
    return result;
  }

  std::optional<Visible> mask;
  std::optional<KeyRangeFinder> finder;
  int lastKey = -1; ///< the mentioned key dim whose runs Visible finds
  Box box;
  llvm::MutableArrayRef<Sum> visits;
  /// By batch indices and indices of the other key blocks: runs along lastKey.
  std::map<std::vector<int64_t>, std::vector<std::pair<int64_t, int64_t>>> seen;
};

} // namespace

Walk::Walk(const Problem &problem, const Tiling &tiling) {
  Tiling clamped = tiling.clampedTo(problem);
  for (int64_t extent : problem.batch)
    dims.push_back({extent, 1, false, false, false});
  for (auto [extent, block] : llvm::zip_equal(problem.rows, clamped.queryBlock))
    dims.push_back({extent, block, false, true, false});
  for (auto [extent, block] : llvm::zip_equal(problem.keys, clamped.keyBlock))
    dims.push_back({extent, block, false, false, true});
  mask = problem.knownMask();
  if (!mask)
    return;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    dim.mentioned = mask->mentionsDim(i);
    box.push_back({0, dim.extent});
    if (dim.isKey)
      lastKey = i;
  }
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim.isKey && dim.mentioned)
      lastKey = i;
  // Walked even where the mask speaks of rows alone.
  dims[lastKey].mentioned = true;
  const Dim &key = dims[lastKey];
  if (key.extent > 0)
    finder.emplace(
        *mask,
        KeyBlocking{static_cast<unsigned>(lastKey), {0, key.extent}, key.block},
        problem.maskSymbols());
}

void Walk::run(llvm::MutableArrayRef<Sum> perVisit,
               llvm::MutableArrayRef<Sum> perSeen) {
  if (!mask) {
    for (Sum &sum : perVisit)
      sum.value += closed(sum.factors, [](const Dim &) { return true; });
    // A key block is seen if there is a row to see it.
    bool anyRow =
        llvm::all_of(dims, [](const Dim &d) { return !d.isRow || d.extent; });
    for (Sum &sum : perSeen)
      if (anyRow)
        sum.value += closed(sum.factors, [](const Dim &d) { return !d.isRow; });
    return;
  }
  if (mask->isNone() ||
      llvm::any_of(dims, [](const Dim &d) { return d.extent == 0; }))
    return;
  visits = perVisit;
  std::vector<int64_t> keyIndex;
  descend(0, keyIndex);
  for (Sum &sum : perVisit)
    sum.value *= closed(sum.factors, [](const Dim &d) { return !d.mentioned; });
  addSeen(perSeen);
}

void Walk::descend(unsigned next, std::vector<int64_t> &keyIndex) {
  while (next < dims.size() &&
         (!dims[next].mentioned || static_cast<int>(next) == lastKey))
    ++next;
  if (next == dims.size())
    return leaf(keyIndex);
  const Dim &dim = dims[next];
  for (int64_t begin = 0; begin < dim.extent; begin += dim.block) {
    box[next] = {begin, std::min(begin + dim.block, dim.extent)};
    if (!dim.isRow)
      keyIndex.push_back(begin);
    descend(next + 1, keyIndex);
    if (!dim.isRow)
      keyIndex.pop_back();
  }
}

void Walk::leaf(llvm::ArrayRef<int64_t> keyIndex) {
  const Dim &key = dims[lastKey];
  Count blocks = 0, elements = 0;
  auto &runs = seen[keyIndex.vec()];
  for (const KeyRange &range : finder->find(box)) {
    blocks += ceilDiv(range.end - range.begin, key.block);
    elements += range.end - range.begin;
    // Query blocks in order mostly extend the last run.
    if (!runs.empty() && range.begin >= runs.back().first &&
        range.begin <= runs.back().second)
      runs.back().second = std::max(runs.back().second, range.end);
    else
      runs.emplace_back(range.begin, range.end);
  }
  for (Sum &sum : visits)
    sum.value +=
        partial(sum.factors) * (sum.factors[lastKey] ? elements : blocks);
}

void Walk::addSeen(llvm::MutableArrayRef<Sum> perSeen) {
  const Dim &key = dims[lastKey];
  for (Sum &sum : perSeen) {
    Count total = 0;
    for (auto &[index, runs] : seen) {
      std::sort(runs.begin(), runs.end());
      int64_t covered = 0;
      Count blocks = 0, elements = 0;
      for (auto [begin, end] : runs) {
        begin = std::max(begin, covered);
        if (begin >= end)
          continue;
        covered = end;
        blocks += ceilDiv(end - begin, key.block);
        elements += end - begin;
      }
      Count term = sum.factors[lastKey] ? elements : blocks;
      unsigned at = 0;
      for (auto [i, dim] : llvm::enumerate(dims)) {
        if (dim.isRow || !dim.mentioned || static_cast<int>(i) == lastKey)
          continue;
        int64_t begin = index[at++];
        if (sum.factors[i])
          term *= std::min(dim.block, dim.extent - begin);
      }
      total += term;
    }
    sum.value += total * closed(sum.factors, [](const Dim &d) {
                   return !d.isRow && !d.mentioned;
                 });
  }
}

BlockCounts attn::countBlocks(const Problem &problem, const Tiling &tiling) {
  Walk walk(problem, tiling);
  auto factorsOf = [&](auto pred) {
    Factors factors;
    for (const Dim &dim : walk.dims)
      factors.push_back(pred(dim));
    return factors;
  };
  auto isRow = [](const Dim &d) { return d.isRow; };
  auto isKey = [](const Dim &d) { return d.isKey; };
  auto none = [](const Dim &) { return false; };

  llvm::SmallVector<Sum, 4> perVisit = {
      {factorsOf(none)},
      {factorsOf(isRow)},
      {factorsOf(isKey)},
      {factorsOf([&](const Dim &d) { return isRow(d) || isKey(d); })}};
  llvm::SmallVector<Sum, 2> perSeen;
  for (const Extra &extra : problem.extras) {
    Factors factors(problem.batch.size(), false);
    llvm::append_range(factors, extra.rows);
    llvm::append_range(factors, extra.keys);
    perVisit.push_back({factors});
    perSeen.push_back({factors});
  }
  walk.run(perVisit, perSeen);

  BlockCounts counts;
  Factors noFactors = factorsOf(none);
  counts.queryBlocks =
      walk.closed(noFactors, [](const Dim &d) { return !d.isKey; });
  counts.keyBlocks =
      walk.closed(noFactors, [](const Dim &d) { return !d.isRow; });
  counts.total = walk.closed(noFactors, [](const Dim &) { return true; });
  counts.visited = perVisit[0].value;
  counts.rowVisits = perVisit[1].value;
  counts.keyVisits = perVisit[2].value;
  counts.scores = perVisit[3].value;
  for (auto [i, extra] : llvm::enumerate(problem.extras))
    counts.extras.push_back({perVisit[4 + i].value,
                             walk.closed(perVisit[4 + i].factors,
                                         [](const Dim &d) { return !d.isKey; }),
                             perSeen[i].value});
  return counts;
}

llvm::Expected<std::vector<std::string>>
attn::drawBlocks(const Problem &problem, const Tiling &tiling, int64_t most) {
  Tiling t = tiling.clampedTo(problem);
  int64_t rows = problem.rows.back(), keys = problem.keys.back();
  int64_t br = t.queryBlock.back(), bc = t.keyBlock.back();
  if (ceilDiv(rows, br) > most || ceilDiv(keys, bc) > most)
    return llvm::createStringError(
        "expected at most %lld x %lld blocks to draw, got %lld x %lld: use "
        "larger blocks",
        static_cast<long long>(most), static_cast<long long>(most),
        static_cast<long long>(ceilDiv(rows, br)),
        static_cast<long long>(ceilDiv(keys, bc)));
  unsigned keyDim = problem.maskExtents().size() - 1;
  unsigned rowDim = problem.batch.size() + problem.rows.size() - 1;
  Box box(keyDim + 1, {0, 1});
  Visible mask = problem.knownMask().value_or(
      Visible::all(keyDim + 1, problem.maskExtents().size()));
  std::vector<std::string> lines;
  for (int64_t row = 0; row < rows; row += br) {
    box[rowDim] = {row, std::min(row + br, rows)};
    std::string line(ceilDiv(keys, bc), '.');
    for (const KeyRange &run :
         mask.keyRanges(box, {keyDim, {0, keys}, bc}, problem.maskSymbols()))
      for (int64_t key = run.begin; key < run.end; key += bc)
        line[key / bc] = run.kind == BlockKind::Full ? '#' : '+';
    lines.push_back(std::move(line));
  }
  return lines;
}

Count attn::countVisiblePairs(const Problem &problem) {
  std::optional<Visible> mask = problem.knownMask();
  Count pairs = 1;
  if (!mask) {
    for (int64_t extent : problem.maskExtents())
      pairs *= extent;
    return pairs;
  }
  // Dims that the mask does not mention multiply, so that the 64 bits in which
  // Visible counts hold one head rather than all of them.
  Box box;
  for (auto [i, extent] : llvm::enumerate(problem.maskExtents())) {
    bool mentioned = mask->mentionsDim(i);
    box.push_back({0, mentioned ? extent : std::min<int64_t>(extent, 1)});
    if (!mentioned)
      pairs *= extent;
  }
  return pairs * mask->count(box, problem.maskSymbols());
}
