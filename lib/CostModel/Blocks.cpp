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
  /// Over the blocks that a block-sparse mask hides as well.
  bool beforePattern = false;
  Count value = 0;
};

class Walk {
public:
  Walk(const Problem &problem, const Tiling &tiling);

  /// Adds to each of `sums` its terms over all visited blocks.
  void run(llvm::MutableArrayRef<Sum> sums);

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
  void descend(unsigned next);
  void leaf();

  Count partial(const Factors &factors) const {
    Count result = 1;
    for (auto [i, dim] : llvm::enumerate(dims))
      if (dim.mentioned && static_cast<int>(i) != lastKey && factors[i])
        result *= box[i].size();
    return result;
  }

  const Problem &problem;
  std::optional<Visible> mask;
  std::optional<KeyRangeFinder> finder;
  const BlockPattern *pattern = nullptr; ///< that blocks are skipped by
  int lastKey = -1; ///< the mentioned key dim whose runs Visible finds
  Box box;
  llvm::MutableArrayRef<Sum> sums;
};

} // namespace

/// The block-sparse mask by which tiles are skipped: they lie in one element
/// each. Null: there is none that is known.
static const BlockPattern *skippingPattern(const Problem &problem,
                                           llvm::ArrayRef<Dim> dims) {
  if (!problem.blocks || problem.blocks->seen.empty())
    return nullptr;
  bool nested = llvm::all_of(problem.blocks->terms, [&](auto term) {
    return dims[term.dim].block <= term.divisor &&
           term.divisor % dims[term.dim].block == 0;
  });
  return nested ? &*problem.blocks : nullptr;
}

/// The element of the mask at the first point of a box, `key` along `keyDim`.
static bool isSeen(const Problem &problem, const Box &box, unsigned keyDim,
                   int64_t key) {
  int64_t at = 0;
  for (const BlockPattern::Term &term : problem.blocks->terms) {
    int64_t index = term.dim == keyDim ? key : box[term.dim].begin;
    at = at * problem.blocksAlong(term) + index / term.divisor;
  }
  return problem.blocks->seen[at];
}

static llvm::SmallVector<Dim, 6> dimsOf(const Problem &problem,
                                        const Tiling &tiling) {
  llvm::SmallVector<Dim, 6> dims;
  Tiling clamped = tiling.clampedTo(problem);
  for (int64_t extent : problem.batch)
    dims.push_back({extent, 1, false, false, false});
  for (auto [extent, block] : llvm::zip_equal(problem.rows, clamped.queryBlock))
    dims.push_back({extent, block, false, true, false});
  for (auto [extent, block] : llvm::zip_equal(problem.keys, clamped.keyBlock))
    dims.push_back({extent, block, false, false, true});
  return dims;
}

Walk::Walk(const Problem &problem, const Tiling &tiling)
    : dims(dimsOf(problem, tiling)), problem(problem) {
  mask = problem.knownMask();
  pattern = skippingPattern(problem, dims);
  if (!mask && !pattern)
    return;
  if (!mask)
    mask = Visible::all(dims.size(), problem.maskSymbols().size());
  for (auto [i, dim] : llvm::enumerate(dims)) {
    dim.mentioned = mask->mentionsDim(i);
    if (pattern)
      dim.mentioned |= llvm::any_of(
          pattern->terms, [i = i](auto term) { return term.dim == i; });
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

void Walk::run(llvm::MutableArrayRef<Sum> given) {
  sums = given;
  if (!mask) {
    for (Sum &sum : sums)
      sum.value += closed(sum.factors, [](const Dim &) { return true; });
    return;
  }
  if (mask->isNone() ||
      llvm::any_of(dims, [](const Dim &d) { return d.extent == 0; }))
    return;
  descend(0);
  for (Sum &sum : sums)
    sum.value *= closed(sum.factors, [](const Dim &d) { return !d.mentioned; });
}

void Walk::descend(unsigned next) {
  while (next < dims.size() &&
         (!dims[next].mentioned || static_cast<int>(next) == lastKey))
    ++next;
  if (next == dims.size())
    return leaf();
  const Dim &dim = dims[next];
  for (int64_t begin = 0; begin < dim.extent; begin += dim.block) {
    box[next] = {begin, std::min(begin + dim.block, dim.extent)};
    descend(next + 1);
  }
}

void Walk::leaf() {
  const Dim &key = dims[lastKey];
  Count blocks = 0, elements = 0, seenBlocks = 0, seenElements = 0;
  for (const KeyRange &range : finder->find(box)) {
    blocks += ceilDiv(range.end - range.begin, key.block);
    elements += range.end - range.begin;
    for (int64_t at = range.begin; pattern && at < range.end; at += key.block)
      if (isSeen(problem, box, lastKey, at)) {
        ++seenBlocks;
        seenElements += std::min(key.block, range.end - at);
      }
  }
  for (Sum &sum : sums) {
    bool all = sum.beforePattern || !pattern;
    sum.value += partial(sum.factors) * (sum.factors[lastKey]
                                             ? (all ? elements : seenElements)
                                             : (all ? blocks : seenBlocks));
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
  for (const Extra &extra : problem.extras) {
    Factors factors(problem.batch.size(), false);
    llvm::append_range(factors, extra.rows);
    llvm::append_range(factors, extra.keys);
    perVisit.push_back({factors});
  }
  Sum tested{factorsOf(none), /*beforePattern=*/true};
  if (problem.blocks)
    for (auto [dim, divisor] : problem.blocks->terms)
      tested.factors[dim] = divisor == 1;
  perVisit.push_back(tested);
  walk.run(perVisit);

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
  counts.maskElements = problem.blocks ? perVisit.back().value : 0;
  for (const Sum &sum : llvm::ArrayRef(perVisit).drop_front(4).drop_back())
    counts.extras.push_back(
        {sum.value,
         walk.closed(sum.factors, [](const Dim &d) { return !d.isKey; }),
         walk.closed(sum.factors, [](const Dim &d) { return !d.isRow; })});
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
  bool skips = skippingPattern(problem, dimsOf(problem, tiling));
  std::vector<std::string> lines;
  for (int64_t row = 0; row < rows; row += br) {
    box[rowDim] = {row, std::min(row + br, rows)};
    std::string line(ceilDiv(keys, bc), '.');
    for (const KeyRange &run :
         mask.keyRanges(box, {keyDim, {0, keys}, bc}, problem.maskSymbols()))
      for (int64_t key = run.begin; key < run.end; key += bc)
        if (!skips || isSeen(problem, box, keyDim, key))
          line[key / bc] = run.kind == BlockKind::Full ? '#' : '+';
    lines.push_back(std::move(line));
  }
  return lines;
}

/// Pairs inside of `box` that the mask shows.
static Count countPairs(const Problem &problem,
                        const std::optional<Visible> &mask, Box box) {
  // Dims that the mask does not mention multiply, so that the 64 bits in which
  // Visible counts hold one head rather than all of them.
  Count pairs = 1;
  for (auto [i, range] : llvm::enumerate(box)) {
    if (mask && mask->mentionsDim(i))
      continue;
    pairs *= range.size();
    range = {0, 1};
  }
  if (pairs == 0 || !mask)
    return pairs;
  return pairs * mask->count(box, problem.maskSymbols());
}

Count attn::countVisiblePairs(const Problem &problem) {
  std::optional<Visible> mask = problem.knownMask();
  Box whole;
  for (int64_t extent : problem.maskExtents())
    whole.push_back({0, extent});
  if (!problem.blocks || problem.blocks->seen.empty())
    return countPairs(problem, mask, whole);
  // Element by element of the block-sparse mask.
  Count pairs = 0;
  for (auto [i, seen] : llvm::enumerate(problem.blocks->seen)) {
    if (!seen)
      continue;
    Box box = whole;
    int64_t rest = i;
    for (const BlockPattern::Term &term :
         llvm::reverse(problem.blocks->terms)) {
      int64_t begin = rest % problem.blocksAlong(term) * term.divisor;
      rest /= problem.blocksAlong(term);
      Range &range = box[term.dim];
      range = {begin, std::min(begin + term.divisor, range.end)};
    }
    pairs += countPairs(problem, mask, box);
  }
  return pairs;
}
