//===- Visible.h - Which keys a query sees ----------------------*- C++ -*-===//
//
// An attention mask that is a rule rather than data is a set of points
// (batch dims.., row dims.., key dims..), in that order, of the op's iteration
// space. Visible holds it as a union of conjunctions of affine constraints, and
// answers what cost model, tiler, schedules, plots and tests ask, always by
// arithmetic on the rule and never by materialising a mask:
//
//     causal                 { m - n >= 0 }
//     causal, bottom right   { m - n + N - M >= 0 }
//     sliding window w       { m - n >= 0, n - m + w - 1 >= 0 }
//     prefix-LM              { m - n >= 0 } or { P - 1 - n >= 0 }
//     chunks of 64           { m floordiv 64 - n floordiv 64 == 0 }
//     key lengths            { L - 1 - n >= 0 }
//     every fourth           { (m - n) mod 4 == 0 }
//
// Symbols: first the extents of all dims in order, then any others (lengths,
// prefixes, cache fill). Every query takes their values, at least `numSymbols`
// of them, with extents >= 0.
//
// Existence is not visibility: a rule says nothing about points outside of
// [0, extent). Queries take boxes of whole-problem indices and look at the
// whole box, so callers clip tiles to what exists; `count` does so itself.
//
// Questions with run-time tile offsets, answered as expressions to emit, are in
// TileBounds.h.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_SUPPORT_VISIBLE_H
#define ATTN_SUPPORT_VISIBLE_H

#include "attn/Support/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace attn {

/// expr >= 0, or expr == 0.
struct Constraint {
  Expr expr;
  bool isEquality = false;

  bool holds(llvm::ArrayRef<int64_t> point,
             llvm::ArrayRef<int64_t> symbols) const;
  friend bool operator==(const Constraint &a, const Constraint &b) {
    return a.isEquality == b.isEquality && a.expr == b.expr;
  }
};

/// The points at which every constraint holds; all points if there is none.
struct AffineSet {
  llvm::SmallVector<Constraint, 4> constraints;

  bool contains(llvm::ArrayRef<int64_t> point,
                llvm::ArrayRef<int64_t> symbols) const;
  /// The same set as expressions that must all be >= 0 (an equality is two).
  llvm::SmallVector<Expr, 4> inequalities() const;
};

/// Indices begin <= i < end.
struct Range {
  int64_t begin = 0, end = 0;

  int64_t size() const { return end > begin ? end - begin : 0; }
  bool empty() const { return end <= begin; }
  friend bool operator==(Range a, Range b) {
    return a.begin == b.begin && a.end == b.end;
  }
};

/// One range per dim.
using Box = llvm::SmallVector<Range, 4>;

/// How much of a block is visible: nothing, something, everything.
enum class BlockKind : uint8_t { Empty, Partial, Full };
llvm::StringRef stringify(BlockKind kind);

/// A run of key blocks of one kind. `begin` is on a block boundary, `end` too
/// unless it is the end of the keys.
struct KeyRange {
  int64_t begin, end;
  BlockKind kind;

  friend bool operator==(const KeyRange &a, const KeyRange &b) {
    return a.begin == b.begin && a.end == b.end && a.kind == b.kind;
  }
};

/// How the keys are cut: the blocks [keys.begin + i * block, + block), the last
/// one clipped to keys.end. Requires block > 0.
struct KeyBlocking {
  unsigned dim;
  Range keys;
  int64_t block;
};

/// The union of affine sets over `numDims` dims and `numSymbols` symbols.
class Visible {
public:
  Visible(unsigned numDims, unsigned numSymbols,
          llvm::ArrayRef<AffineSet> sets = {})
      : dimCount(numDims), symbolCount(numSymbols), setList(sets) {}
  /// Everything (the op's attribute is absent) and nothing (it is []).
  static Visible all(unsigned numDims, unsigned numSymbols);
  static Visible none(unsigned numDims, unsigned numSymbols);

  unsigned numDims() const { return dimCount; }
  unsigned numSymbols() const { return symbolCount; }
  llvm::ArrayRef<AffineSet> sets() const { return setList; }
  /// Whether the rule as written is plainly everything or nothing.
  bool isAll() const;
  bool isNone() const { return setList.empty(); }
  bool mentionsDim(unsigned dim) const;
  bool mentionsSymbol(unsigned symbol) const;

  bool contains(llvm::ArrayRef<int64_t> point,
                llvm::ArrayRef<int64_t> symbols) const;

  /// What of `box` is visible; an empty box is Empty.
  ///
  /// Full and Empty are always proofs. Partial is exact as well, found by a
  /// visible and a hidden point, unless the box is very large: when interval
  /// bounds and corners leave it open and looking along every line of the box
  /// in its best dim would take more than `kLineBudget` lines, the answer is
  /// Partial unproven. Only dims that a constraint mentions count.
  BlockKind classify(llvm::ArrayRef<Range> box,
                     llvm::ArrayRef<int64_t> symbols) const;
  static constexpr int64_t kLineBudget = 1 << 16;

  /// The key blocks that the queries of `box` must visit, as sorted disjoint
  /// runs; neighbouring blocks of one kind are one run, and empty blocks are in
  /// none. `box` gives all dims; its entry for the blocked dim is ignored.
  /// Kinds are those of `classify` on existing keys: a clipped last block can
  /// be Full.
  llvm::SmallVector<KeyRange, 4>
  keyRanges(llvm::ArrayRef<Range> box, const KeyBlocking &blocking,
            llvm::ArrayRef<int64_t> symbols) const;

  /// The number of visible points inside of [0, extent) of every dim, exact
  /// (and clamped to the largest uint64_t). Costs one step per line of the dims
  /// that constraints mention, whatever the length of the line.
  uint64_t count(llvm::ArrayRef<int64_t> symbols) const;
  /// The same, of any box.
  uint64_t count(llvm::ArrayRef<Range> box,
                 llvm::ArrayRef<int64_t> symbols) const;

  /// The points that are not visible. The number of its sets is at most the
  /// product over this one's sets of their inequalities; what is plainly empty
  /// or contained in another set is left out.
  Visible complement() const;
  /// That product, clamped: what to check before complementing foreign input.
  uint64_t complementBound() const;

  /// `[{d0 - d1 >= 0}, {...}]`, or `all`.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

private:
  unsigned dimCount, symbolCount;
  llvm::SmallVector<AffineSet, 2> setList;
};

/// `keyRanges` for many query blocks of one problem: what does not depend on
/// the box is worked out once.
class KeyRangeFinder {
public:
  KeyRangeFinder(const Visible &visible, const KeyBlocking &blocking,
                 llvm::ArrayRef<int64_t> symbols);
  ~KeyRangeFinder();
  KeyRangeFinder(KeyRangeFinder &&);

  llvm::SmallVector<KeyRange, 4> find(llvm::ArrayRef<Range> box) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace attn

#endif // ATTN_SUPPORT_VISIBLE_H
