//===- VisibleBlocks.cpp - Visible boxes, key blocks, counts ----*- C++ -*-===//
#include "Lines.h"
#include "attn/Support/TileBounds.h"
#include <algorithm>
#include <limits>

using namespace attn;

static bool isEmptyBox(llvm::ArrayRef<Range> box) {
  return llvm::any_of(box, [](Range r) { return r.empty(); });
}

//===----------------------------------------------------------------------===//
// Classification
//===----------------------------------------------------------------------===//

/// Looks at the corners of the box in the mentioned dims.
static void visitCorners(const BoundSets &sets, llvm::ArrayRef<Range> box,
                         bool &sawVisible, bool &sawHidden) {
  llvm::SmallVector<unsigned, 4> mentioned;
  llvm::SmallVector<int64_t, 4> point;
  for (unsigned dim = 0; dim < box.size(); ++dim) {
    point.push_back(box[dim].begin);
    if (sets.mentionsDim(dim) && mentioned.size() < 6)
      mentioned.push_back(dim);
  }
  for (unsigned corner = 0; corner < 1u << mentioned.size(); ++corner) {
    for (unsigned i = 0; i < mentioned.size(); ++i) {
      Range r = box[mentioned[i]];
      point[mentioned[i]] = corner >> i & 1 ? r.end - 1 : r.begin;
    }
    (sets.contains(point) ? sawVisible : sawHidden) = true;
    if (sawVisible && sawHidden)
      return;
  }
}

static BlockKind classifyBox(const BoundSets &all, llvm::ArrayRef<Range> box) {
  if (isEmptyBox(box))
    return BlockKind::Empty;
  BoundSets sets = all.restrictedTo(box);
  if (sets.isNone())
    return BlockKind::Empty;
  if (sets.isAll())
    return BlockKind::Full;
  bool sawVisible = false, sawHidden = false;
  visitCorners(sets, box, sawVisible, sawHidden);
  if (sawVisible && sawHidden)
    return BlockKind::Partial;
  LineSweep lines(sets, box);
  if (lines.numLines() > Visible::kLineBudget)
    return BlockKind::Partial;
  lines.forEach([&](int64_t visible, int64_t total) {
    sawVisible |= visible > 0;
    sawHidden |= visible < total;
    return !(sawVisible && sawHidden);
  });
  if (sawVisible && sawHidden)
    return BlockKind::Partial;
  return sawVisible ? BlockKind::Full : BlockKind::Empty;
}

BlockKind Visible::classify(llvm::ArrayRef<Range> box,
                            llvm::ArrayRef<int64_t> symbols) const {
  return classifyBox(BoundSets(*this, symbols), box);
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

static uint64_t mulClamped(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product)
             ? std::numeric_limits<uint64_t>::max()
             : product;
}

uint64_t Visible::count(llvm::ArrayRef<Range> box,
                        llvm::ArrayRef<int64_t> symbols) const {
  if (isEmptyBox(box))
    return 0;
  BoundSets sets = BoundSets(*this, symbols).restrictedTo(box);
  if (sets.isNone())
    return 0;
  if (sets.isAll())
    sets.sets.assign(1, {});
  uint64_t sum = 0;
  LineSweep(sets, box).forEach([&](int64_t visible, int64_t) {
    sum += uint64_t(visible);
    return true;
  });
  for (unsigned dim = 0; dim < box.size(); ++dim)
    if (!sets.mentionsDim(dim))
      sum = mulClamped(sum, uint64_t(box[dim].size()));
  return sum;
}

uint64_t Visible::count(llvm::ArrayRef<int64_t> symbols) const {
  Box box;
  for (unsigned dim = 0; dim < dimCount; ++dim)
    box.push_back({0, symbols[dim]});
  return count(box, symbols);
}

//===----------------------------------------------------------------------===//
// Key ranges
//===----------------------------------------------------------------------===//

struct KeyRangeFinder::Impl {
  KeyBlocking blocking;
  BoundSets sets;
  std::vector<tile::KeyBounds> bounds; // one per set, symbols put in

  Range blocksOf(Range keys) const;
  Range blocksInside(Range keys) const;
  Range keysOfBlock(int64_t block) const;
  void append(llvm::SmallVectorImpl<KeyRange> &ranges, Range blocks,
              BlockKind kind) const;
};

KeyRangeFinder::KeyRangeFinder(const Visible &visible,
                               const KeyBlocking &blocking,
                               llvm::ArrayRef<int64_t> symbols)
    : impl(std::make_unique<Impl>()) {
  impl->blocking = blocking;
  impl->sets = BoundSets(visible, symbols);
  for (const BoundSets::Conjunction &conjunction : impl->sets.sets) {
    AffineSet set;
    for (const Expr &e : conjunction)
      set.constraints.push_back({e, false});
    impl->bounds.push_back(tile::keyBounds(set, blocking.dim));
  }
}
KeyRangeFinder::~KeyRangeFinder() = default;
KeyRangeFinder::KeyRangeFinder(KeyRangeFinder &&) = default;

/// The blocks that hold some of the keys.
Range KeyRangeFinder::Impl::blocksOf(Range keys) const {
  int64_t origin = blocking.keys.begin;
  return {floorDiv(keys.begin - origin, blocking.block),
          ceilDiv(keys.end - origin, blocking.block)};
}

/// The blocks of which all existing keys are among the keys.
Range KeyRangeFinder::Impl::blocksInside(Range keys) const {
  int64_t origin = blocking.keys.begin;
  int64_t end = keys.end == blocking.keys.end
                    ? ceilDiv(keys.end - origin, blocking.block)
                    : floorDiv(keys.end - origin, blocking.block);
  return {ceilDiv(keys.begin - origin, blocking.block), end};
}

Range KeyRangeFinder::Impl::keysOfBlock(int64_t block) const {
  int64_t begin = blocking.keys.begin + block * blocking.block;
  return {begin, begin + std::min(blocking.block, blocking.keys.end - begin)};
}

void KeyRangeFinder::Impl::append(llvm::SmallVectorImpl<KeyRange> &ranges,
                                  Range blocks, BlockKind kind) const {
  if (blocks.empty() || kind == BlockKind::Empty)
    return;
  int64_t begin = keysOfBlock(blocks.begin).begin;
  int64_t end = keysOfBlock(blocks.end - 1).end;
  if (!ranges.empty() && ranges.back().end == begin &&
      ranges.back().kind == kind)
    ranges.back().end = end;
  else
    ranges.push_back({begin, end, kind});
}

/// [max of los, min of his) inside of `keys`, or nothing if a condition fails.
static Range evaluateRange(const tile::KeyBounds::List &los,
                           const tile::KeyBounds::List &his,
                           const tile::KeyBounds::List &conditions, Range keys,
                           llvm::ArrayRef<int64_t> tileDims) {
  for (const Expr &e : conditions)
    if (e.evaluate(tileDims, {}) < 0)
      return {keys.begin, keys.begin};
  for (const Expr &e : los)
    keys.begin = std::max(keys.begin, e.evaluate(tileDims, {}));
  for (const Expr &e : his)
    keys.end = std::min(keys.end, e.evaluate(tileDims, {}));
  return keys;
}

/// Sorted, overlapping and touching ranges made one, empty ones dropped.
static void unite(llvm::SmallVectorImpl<Range> &ranges) {
  llvm::erase_if(ranges, [](Range r) { return r.empty(); });
  llvm::sort(ranges, [](Range a, Range b) { return a.begin < b.begin; });
  llvm::SmallVector<Range, 4> united;
  for (Range r : ranges) {
    if (!united.empty() && r.begin <= united.back().end)
      united.back().end = std::max(united.back().end, r.end);
    else
      united.push_back(r);
  }
  ranges.assign(united.begin(), united.end());
}

llvm::SmallVector<KeyRange, 4>
KeyRangeFinder::find(llvm::ArrayRef<Range> box) const {
  Box blockBox(box);
  blockBox[impl->blocking.dim] = impl->blocking.keys;
  if (isEmptyBox(blockBox))
    return {};
  llvm::SmallVector<int64_t, 8> tileDims;
  for (Range r : blockBox) {
    tileDims.push_back(r.begin);
    tileDims.push_back(r.end - 1);
  }

  // Where blocks may see something, and where they surely see everything; only
  // blocks in the first and not in the second are looked at.
  llvm::SmallVector<Range, 4> any, full;
  for (const tile::KeyBounds &b : impl->bounds) {
    Range keys = impl->blocking.keys;
    Range seen = evaluateRange(b.anyLo, b.anyHi, b.anyIf, keys, tileDims);
    if (seen.empty())
      continue;
    any.push_back(impl->blocksOf(seen));
    full.push_back(evaluateRange(b.fullLo, b.fullHi, b.fullIf, keys, tileDims));
  }
  unite(any);
  unite(full);
  for (Range &r : full)
    r = impl->blocksInside(r);
  llvm::erase_if(full, [](Range r) { return r.empty(); });

  llvm::SmallVector<KeyRange, 4> result;
  const Range *nextFull = full.begin();
  for (Range candidates : any) {
    for (int64_t block = candidates.begin; block < candidates.end;) {
      while (nextFull != full.end() && nextFull->end <= block)
        ++nextFull;
      if (nextFull != full.end() && nextFull->begin <= block) {
        impl->append(result, {block, nextFull->end}, BlockKind::Full);
        block = nextFull->end;
        continue;
      }
      blockBox[impl->blocking.dim] = impl->keysOfBlock(block);
      impl->append(result, {block, block + 1},
                   classifyBox(impl->sets, blockBox));
      ++block;
    }
  }
  return result;
}

llvm::SmallVector<KeyRange, 4>
Visible::keyRanges(llvm::ArrayRef<Range> box, const KeyBlocking &blocking,
                   llvm::ArrayRef<int64_t> symbols) const {
  return KeyRangeFinder(*this, blocking, symbols).find(box);
}
