//===- Accounting.cpp - The formulas of the ledger ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys and values serve all rows: with key blocks outermost each is read once,
// whichever rows see it, and its gradient written once.
//
// Per function below: one accounting in one direction. M rows, N keys, head
// dims k (of Q, K) and d (of V, O), B batches. For a dense square problem k = d
// and the sums over visited blocks are rowVisits = T N, keyVisits = (N / Br) N.
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Blocks.h"
#include "attn/CostModel/Sweeps.h"
#include "attn/CostModel/Traffic.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace attn;

namespace {

/// Writes the rows of one accounting.
class Book {
public:
  Book(const Problem &problem, const Tiling &tiling, bool tiled)
      : problem(problem), tiling(tiling.clampedTo(problem)) {
    if (tiled)
      blocks = countBlocks(problem, this->tiling);
    Count batch = problem.batchSize();
    allRows = batch * problem.rowCount();
    allKeys = batch * problem.keyCount();
    allScores = allRows * problem.keyCount();
    depth = problem.depth;
    value = problem.value;
    type = bytesOf(problem.type);
    wide = bytesOf(accumulateType(problem.type));
  }

  void naiveForward();
  void naiveBackward();
  void eagerForward();
  void eagerBackward();
  void paperForward(bool initialisation);
  void paperBackward();
  void kvOuterForward();
  void kvOuterBackward();
  void qOuterForward();
  void qOuterBackward();
  void twoSweepsBackward(const Tiling &given);
  void oneSweepBackward(const Tiling &given);

  Traffic traffic;

private:
  void add(const std::string &operand, Count read, Count written, int64_t bytes,
           Part part = Part::Loop) {
    traffic.rows.push_back({backward, part, operand, read, written, bytes});
  }
  void delta();
  void round(const char *gradient, Count elements);
  void extrasUnfused();
  void extrasTiled(Order order);
  void extraGradients(Order order);
  bool indexesOuter(const Extra &extra, Order order) const;
  Count parts() const;
  void rowTerms(const Tiling &given);
  void rowSweepBackward(const Tiling &given);
  void keySweepBackward(const Tiling &given);

  const Problem &problem;
  Tiling tiling;
  BlockCounts blocks;
  Count allRows, allKeys, allScores, depth, value;
  int64_t type, wide; ///< bytes of an operand's element and of an accumulator
  bool backward = false;
};

} // namespace

void Book::naiveForward() {
  add("Q", allRows * depth, 0, type);
  add("K", allKeys * depth, 0, type);
  add("S", allScores, allScores, type);
  add("P", allScores, allScores, type);
  add("V", allKeys * value, 0, type);
  add("O", 0, allRows * value, type);
  extrasUnfused();
}

// dV = P^T dO; dP = dO V^T; dS from P and dP; dQ = dS K; dK = dS^T Q: each
// product and the elementwise step a kernel of its own.
void Book::naiveBackward() {
  backward = true;
  add("Q", allRows * depth, 0, type);
  add("K", allKeys * depth, 0, type);
  add("V", allKeys * value, 0, type);
  add("dO", 2 * allRows * value, 0, type);
  add("P", 2 * allScores, 0, type);
  add("dP", allScores, allScores, type);
  add("dS", 2 * allScores, allScores, type);
  add("dQ", 0, allRows * depth, type);
  add("dK", 0, allKeys * depth, type);
  add("dV", 0, allKeys * value, type);
}

void Book::eagerForward() {
  naiveForward();
  add("S scaled", allScores, allScores, type);
  add("S masked", allScores, allScores, type);
  add("P dropped", allScores, allScores, type);
}

void Book::eagerBackward() {
  naiveBackward();
  add("dP dropped", allScores, allScores, type);
  add("dS scaled", allScores, allScores, type);
}

void Book::paperForward(bool initialisation) {
  if (initialisation) {
    add("O", 0, allRows * value, type, Part::Init);
    add("l", 0, allRows, type, Part::Init);
    add("m", 0, allRows, type, Part::Init);
  }
  add("K", allKeys * depth, 0, type);
  add("V", allKeys * value, 0, type);
  add("Q", blocks.rowVisits * depth, 0, type);
  add("O", blocks.rowVisits * value, blocks.rowVisits * value, type);
  add("l", blocks.rowVisits, blocks.rowVisits, type);
  add("m", blocks.rowVisits, blocks.rowVisits, type);
}

void Book::paperBackward() {
  backward = true;
  add("dQ", 0, allRows * depth, type, Part::Init);
  add("K", allKeys * depth, 0, type);
  add("V", allKeys * value, 0, type);
  add("Q", blocks.rowVisits * depth, 0, type);
  add("O", blocks.rowVisits * value, 0, type);
  add("dO", blocks.rowVisits * value, 0, type);
  add("dQ", blocks.rowVisits * depth, blocks.rowVisits * depth, type);
  add("l", blocks.rowVisits, 0, type);
  add("m", blocks.rowVisits, 0, type);
  add("dK", 0, allKeys * depth, type);
  add("dV", 0, allKeys * value, type);
}

void Book::kvOuterForward() {
  add("acc", 0, allRows * value, wide, Part::Init);
  add("r", 0, allRows, wide, Part::Init);
  add("l", 0, allRows, wide, Part::Init);
  add("K", allKeys * depth, 0, type);
  add("V", allKeys * value, 0, type);
  add("Q", blocks.rowVisits * depth, 0, type);
  add("acc", blocks.rowVisits * value, blocks.rowVisits * value, wide);
  add("r", blocks.rowVisits, blocks.rowVisits, wide);
  add("l", blocks.rowVisits, blocks.rowVisits, wide);
  extrasTiled(Order::KeyOuter);
  add("acc", allRows * value, 0, wide, Part::Finish);
  add("r", allRows, 0, wide, Part::Finish);
  add("l", allRows, 0, wide, Part::Finish);
  add("O", 0, allRows * value, type, Part::Finish);
  if (problem.lse)
    add("LSE", 0, allRows, wide, Part::Finish);
}

void Book::kvOuterBackward() {
  backward = true;
  delta();
  // Parts of the keys have a dQ each, which are summed at last.
  Count splits = parts();
  add("dQ", 0, splits * allRows * depth, wide, Part::Init);
  add("K", allKeys * depth, 0, type);
  add("V", allKeys * value, 0, type);
  add("Q", blocks.rowVisits * depth, 0, type);
  add("dO", blocks.rowVisits * value, 0, type);
  add("dQ", blocks.rowVisits * depth, blocks.rowVisits * depth, wide);
  add("LSE", blocks.rowVisits, 0, wide);
  add("D", blocks.rowVisits, 0, wide);
  add("dK", 0, allKeys * depth, type);
  add("dV", 0, allKeys * value, type);
  extrasTiled(Order::KeyOuter);
  extraGradients(Order::KeyOuter);
  if (splits > 1)
    add("dQ", splits * allRows * depth, allRows * depth, wide, Part::Merge);
  round("dQ", allRows * depth);
}

void Book::qOuterForward() {
  // Parts beyond the key blocks are empty; their states move all the same.
  Count splits = tiling.keySplits;

  add("Q", splits * allRows * depth, 0, type);
  add("K", blocks.keyVisits * depth, 0, type);
  add("V", blocks.keyVisits * value, 0, type);
  extrasTiled(Order::QueryOuter);
  Part last = Part::Loop;
  if (splits > 1) {
    last = Part::Merge;
    add("acc", splits * allRows * value, splits * allRows * value, wide, last);
    add("r", splits * allRows, splits * allRows, wide, last);
    add("l", splits * allRows, splits * allRows, wide, last);
  }
  add("O", 0, allRows * value, type, last);
  if (problem.lse)
    add("LSE", 0, allRows, wide, last);
}

// dK and dV are accumulated over query blocks, so they travel as the states of
// kv_outer do; dQ is written once.
void Book::qOuterBackward() {
  backward = true;
  delta();
  Count splits = parts();
  add("dK", 0, allKeys * depth, wide, Part::Init);
  add("dV", 0, allKeys * value, wide, Part::Init);
  add("Q", splits * allRows * depth, 0, type);
  add("dO", splits * allRows * value, 0, type);
  add("LSE", splits * allRows, 0, wide);
  add("D", splits * allRows, 0, wide);
  add("K", blocks.keyVisits * depth, 0, type);
  add("V", blocks.keyVisits * value, 0, type);
  add("dK", blocks.keyVisits * depth, blocks.keyVisits * depth, wide);
  add("dV", blocks.keyVisits * value, blocks.keyVisits * value, wide);
  add("dQ", 0, splits * allRows * depth, splits > 1 ? wide : type);
  extrasTiled(Order::QueryOuter);
  extraGradients(Order::QueryOuter);
  if (splits > 1) {
    add("dQ", splits * allRows * depth, allRows * depth, wide, Part::Merge);
    round("dQ", allRows * depth);
  }
  round("dK", allKeys * depth);
  round("dV", allKeys * value);
}

/// A sum in the accumulate type becomes a gradient of the operands' type.
void Book::round(const char *gradient, Count elements) {
  if (type == wide)
    return;
  add(gradient, elements, 0, wide, Part::Finish);
  add(gradient, 0, elements, type, Part::Finish);
}

static Count blocksOf(llvm::ArrayRef<int64_t> extents,
                      llvm::ArrayRef<int64_t> block) {
  Count count = 1;
  for (auto [extent, size] : llvm::zip(extents, block))
    count *= ceilDiv(extent, size);
  return count;
}

/// Rows of a query block that the sweep over keys walks at a time.
static int64_t rowStep(const Tiling &given) {
  return ceilDiv(given.queryBlockSize(), 16) * 16;
}

/// Row terms, two numbers for each row and padded to whole blocks.
void Book::rowTerms(const Tiling &given) {
  int64_t step = rowStep(given);
  Count batch = problem.batchSize();
  add("O", allRows * value, 0, type, Part::Delta);
  add("dO", allRows * value, 0, type, Part::Delta);
  add("LSE", allRows, 0, wide, Part::Delta);
  add("row terms", 0, 2 * batch * ceilDiv(problem.rowCount(), step) * step,
      wide, Part::Delta);
}

/// Row terms are read by every lane that needs them: four of a warp share a
/// row, eight a column.
static constexpr Count lanesOfRow = 4, lanesOfColumn = 8;

/// Its own operands once, what it walks once per query block.
void Book::rowSweepBackward(const Tiling &given) {
  Tiling rows = rowSweep(given);
  BlockCounts walked = countBlocks(problem, rows.clampedTo(problem));
  Count owners = problem.batchSize() * blocksOf(problem.rows, rows.queryBlock);
  add("Q", allRows * depth, 0, type);
  add("dO", allRows * value, 0, type);
  add("row terms", 2 * lanesOfRow * owners * rows.queryBlockSize(), 0, wide);
  add("K", walked.keyVisits * depth, 0, type);
  add("V", walked.keyVisits * value, 0, type);
  add("dQ", 0, allRows * depth, type);
}

/// The other way round.
void Book::keySweepBackward(const Tiling &given) {
  int64_t step = rowStep(given);
  // With a kernel each, that of dV needs no V.
  bool together =
      !given.gpu || holdsKeySums(problem.depth, problem.value, given);
  Count kernels = together ? 1 : 2;
  add("K", kernels * allKeys * depth, 0, type);
  add("V", allKeys * value, 0, type);
  add("Q", kernels * blocks.rowVisits * depth, 0, type);
  add("dO", kernels * blocks.rowVisits * value, 0, type);
  Count warps = given.gpu ? given.gpu->warps : 1;
  add("row terms",
      (together ? 2 : 3) * lanesOfColumn * warps * blocks.visited * step, 0,
      wide);
  add("dK", 0, allKeys * depth, type);
  add("dV", 0, allKeys * value, type);
  extrasTiled(Order::KeyOuter);
}

void Book::twoSweepsBackward(const Tiling &given) {
  backward = true;
  rowTerms(given);
  rowSweepBackward(given);
  keySweepBackward(given);
}

/// The sums of dQ have whole blocks of rows and 16 columns.
void Book::oneSweepBackward(const Tiling &given) {
  backward = true;
  int64_t step = rowStep(given);
  Count columns = std::max<Count>(16, ceilDiv(problem.depth, 16) * 16);
  Count sums = problem.batchSize() * step * columns *
               blocksOf(problem.rows, given.queryBlock);
  rowTerms(given);
  add("dQ sums", 0, sums, wide, Part::Init);
  keySweepBackward(given);
  Count added = blocks.visited * step * columns;
  add("dQ sums", added, added, wide);
  add("dQ sums", sums, 0, wide, Part::Merge);
  add("dQ", 0, allRows * depth, type, Part::Merge);
}

/// D = rowsum(dO . O), one pass over the rows.
void Book::delta() {
  add("O", allRows * value, 0, type, Part::Delta);
  add("dO", allRows * value, 0, type, Part::Delta);
  if (problem.lseGradient)
    add("dLSE", allRows, 0, wide, Part::Delta);
  add("D", 0, allRows, wide, Part::Delta);
}

/// An unfused kernel reads each extra once per batch.
void Book::extrasUnfused() {
  for (const Extra &extra : problem.extras) {
    Count elements = problem.batchSize();
    for (auto [varies, extent] : llvm::zip_equal(extra.rows, problem.rows))
      elements *= varies ? extent : 1;
    for (auto [varies, extent] : llvm::zip_equal(extra.keys, problem.keys))
      elements *= varies ? extent : 1;
    add(extra.name, elements, 0, extra.elementBytes);
  }
}

/// A slice that does not vary in the inner loop is read once outside of it: as
/// K and V are, whichever rows see it.
void Book::extrasTiled(Order order) {
  for (auto [extra, counts] : llvm::zip_equal(problem.extras, blocks.extras)) {
    bool rows = llvm::is_contained(extra.rows, true);
    bool keys = llvm::is_contained(extra.keys, true);
    Count elements = counts.perVisit;
    if (order == Order::QueryOuter && !keys)
      elements = parts() * counts.perQueryBlock;
    if (order == Order::KeyOuter && !rows)
      elements = counts.perKeyBlock;
    add(extra.name, elements, 0, extra.elementBytes);
  }
  // One element says whether to visit a tile.
  if (problem.blocks)
    add("blocks", blocks.maskElements, 0, /*bytes=*/1);
}

/// Parts of the keys. A gradient that the keys do not index is one sum over all
/// of them, so that its backward has one part.
Count Book::parts() const {
  bool shared = llvm::any_of(problem.extras, [](const Extra &extra) {
    return extra.hasGradient() && !extra.keys.front();
  });
  return backward && shared ? 1 : tiling.keySplits;
}

/// Does each block of the outer loops, of the batch elements that gradients
/// share and of keys (or rows), have a part of this gradient to itself?
bool Book::indexesOuter(const Extra &extra, Order order) const {
  for (size_t dim = 0; dim < extra.batch.size(); ++dim) {
    bool isShared = llvm::any_of(problem.extras, [&](const Extra &other) {
      return other.hasGradient() && !other.batch[dim];
    });
    if (isShared && !extra.batch[dim])
      return false;
  }
  return llvm::all_of(order == Order::KeyOuter ? extra.keys : extra.rows,
                      [](bool varies) { return varies; });
}

/// Let |E| be the elements of an extra and E(i, j) those of its slice for query
/// block i and key block j. Its gradient starts at 0 and is written once, |E|;
/// beyond that,
///   where E varies along the inner loop: each visit adds to its slice in
///     memory, 2 sum E(i, j) over the visited blocks;
///   else, where outer blocks share a part of it: each outer block does, 2 sum
///     E(j) over the outer blocks, visited or not;
///   else the sum of an outer block stays near the arithmetic.
/// A gradient that is narrower than its sums is rounded from memory, 2 |E|,
/// except in the last case.
void Book::extraGradients(Order order) {
  for (auto [extra, counts] : llvm::zip_equal(problem.extras, blocks.extras)) {
    if (!extra.hasGradient())
      continue;
    Count elements = 1;
    auto times = [&](llvm::ArrayRef<bool> varies,
                     llvm::ArrayRef<int64_t> extents) {
      for (auto [does, extent] : llvm::zip_equal(varies, extents))
        elements *= does ? extent : 1;
    };
    times(extra.batch, problem.batch);
    times(extra.rows, problem.rows);
    times(extra.keys, problem.keys);
    bool keysOutside = order == Order::KeyOuter;
    bool inner =
        llvm::is_contained(keysOutside ? extra.rows : extra.keys, true);
    bool stays = !inner && indexesOuter(extra, order);
    int64_t narrow = extra.gradientBytes;
    std::string name = "d" + extra.name;
    add(name, 0, elements, stays ? narrow : wide, Part::Init);
    if (stays)
      continue;
    Count sums = inner         ? counts.perVisit
                 : keysOutside ? counts.perKeyBlock
                               : counts.perQueryBlock;
    add(name, sums, sums, wide);
    if (narrow < wide) {
      add(name, elements, 0, wide, Part::Finish);
      add(name, 0, elements, narrow, Part::Finish);
    }
  }
}

Traffic attn::computeTraffic(const Problem &problem, Accounting accounting,
                             const Tiling &tiling, TrafficOptions options) {
  Book book(problem, tiling, isTiled(accounting));
  bool forward = problem.direction != Direction::Backward;
  bool backward = problem.direction != Direction::Forward;
  switch (accounting) {
  case Accounting::Naive:
    if (forward)
      book.naiveForward();
    if (backward)
      book.naiveBackward();
    break;
  case Accounting::NaiveEager:
    if (forward)
      book.eagerForward();
    if (backward)
      book.eagerBackward();
    break;
  case Accounting::Paper:
    if (forward)
      book.paperForward(options.initialisation);
    if (backward)
      book.paperBackward();
    break;
  case Accounting::KvOuter:
    if (forward)
      book.kvOuterForward();
    if (backward)
      book.kvOuterBackward();
    break;
  case Accounting::TwoSweeps:
    if (forward)
      book.qOuterForward();
    if (backward)
      book.twoSweepsBackward(tiling);
    break;
  case Accounting::OneSweep:
    if (forward)
      book.qOuterForward();
    if (backward)
      book.oneSweepBackward(tiling);
    break;
  case Accounting::QOuter:
    if (forward)
      book.qOuterForward();
    if (backward)
      book.qOuterBackward();
    break;
  }
  return std::move(book.traffic);
}

/// V of each block that holds a hidden pair; its K is not read.
static void addForwardSurcharge(const Problem &problem, const Tiling &tiling,
                                Surcharge &surcharge) {
  std::optional<Problem> hidden = problem.hiddenPart();
  if (!hidden)
    return;
  BlockCounts blocks = countBlocks(*hidden, tiling.clampedTo(problem));
  surcharge.blocks += blocks.visited;
  surcharge.traffic.rows.push_back({/*backward=*/false, Part::Completion, "V",
                                    blocks.keyVisits * problem.value, 0,
                                    bytesOf(problem.type)});
}

/// A backward that may not skip visits every block: what that moves beyond the
/// visible ones.
static void addBackwardSurcharge(Problem problem, const Tiling &tiling,
                                 Surcharge &surcharge) {
  problem.direction = Direction::Backward;
  if (!problem.replacesHidden || !problem.knownMask())
    return;
  Accounting accounting = tiling.order == Order::QueryOuter
                              ? Accounting::QOuter
                              : Accounting::KvOuter;
  auto blocksOf = [&] {
    return countBlocks(problem, tiling.clampedTo(problem)).visited;
  };
  Count skipping = blocksOf();
  Traffic least = computeTraffic(problem, accounting, tiling);
  problem.visible.reset();
  Traffic most = computeTraffic(problem, accounting, tiling);
  surcharge.blocks += blocksOf() - skipping;
  for (auto [row, fewer] : llvm::zip_equal(most.rows, least.rows)) {
    row.read -= fewer.read;
    row.written -= fewer.written;
    row.part = Part::Completion;
    if (row.elements())
      surcharge.traffic.rows.push_back(row);
  }
}

Surcharge attn::computeSurcharge(const Problem &problem, const Tiling &tiling) {
  Surcharge surcharge;
  if (problem.direction != Direction::Backward)
    addForwardSurcharge(problem, tiling, surcharge);
  if (problem.direction != Direction::Forward)
    addBackwardSurcharge(problem, tiling, surcharge);
  return surcharge;
}

llvm::Expected<Tiling> attn::paperTiling(const Problem &problem,
                                         int64_t sramElements) {
  int64_t headDim = std::max<int64_t>({problem.depth, problem.value, 1});
  int64_t keys = sramElements / mulSaturating(4, headDim);
  if (keys < 1)
    return llvm::createStringError(
        "expected fast memory for at least one key, 4 x %lld = %lld elements, "
        "got %lld: raise --sram-elements",
        static_cast<long long>(headDim),
        static_cast<long long>(mulSaturating(4, headDim)),
        static_cast<long long>(sramElements));
  Tiling tiling;
  tiling.order = Order::KeyOuter;
  tiling.queryBlock.assign(problem.rows.size(), 1);
  tiling.keyBlock.assign(problem.keys.size(), 1);
  tiling.queryBlock.back() = std::min(keys, headDim);
  tiling.keyBlock.back() = keys;
  return tiling.clampedTo(problem);
}
