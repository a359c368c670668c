//===- Lines.h - Visible sets along the lines of a box ----------*- C++ -*-===//
//
// With all dims but one fixed, a constraint that is linear in that dim is an
// interval of it, a set an intersection of intervals and a union of sets a
// union of intervals. Counting and classifying therefore take a step per line
// of a box and not a step per point:
//
//     m - n >= 0 over 4096 x 4096: 4096 lines, line m has the interval [0, m]
//
// A dim under floordiv alone can be solved for (Isolate.h). One under mod, or
// under several, is cut by residues: with period L, d = L t + i is linear in t
// for each i < L, at L lines instead of one. If that does not help, a line is a
// point.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_SUPPORT_LINES_H
#define ATTN_LIB_SUPPORT_LINES_H

#include "attn/Support/Visible.h"
#include <optional>

namespace attn {

/// A union of conjunctions of inequalities over dims alone: the symbols' values
/// are put in, what is decided by that is gone.
struct BoundSets {
  using Conjunction = llvm::SmallVector<Expr, 4>;
  std::vector<Conjunction> sets;

  BoundSets() = default;
  BoundSets(const Visible &visible, llvm::ArrayRef<int64_t> symbols);

  /// Without what interval bounds decide over the box: constraints that hold in
  /// all of it, sets that hold in none of it.
  BoundSets restrictedTo(llvm::ArrayRef<Range> box) const;

  bool isNone() const { return sets.empty(); }
  bool isAll() const;
  bool mentionsDim(unsigned dim) const;
  bool contains(llvm::ArrayRef<int64_t> point) const;
};

/// The lines of a box along the dim that makes them fewest. Dims that no
/// constraint mentions are held at their first index. Requires a non-empty box
/// and sets that outlive it.
class LineSweep {
public:
  LineSweep(const BoundSets &sets, llvm::ArrayRef<Range> box);

  /// Clamped.
  int64_t numLines() const { return lineCount; }

  /// Calls visit(number of visible points, number of points) for each line,
  /// until it returns false.
  void forEach(llvm::function_ref<bool(int64_t visible, int64_t total)> visit);

private:
  // factor * t + rest >= 0.
  struct Linear {
    int64_t factor;
    Expr rest;
  };
  using LinearSet = llvm::SmallVector<Linear, 4>;
  struct Residue {
    int64_t length; // of t
    std::vector<LinearSet> sets;
  };

  void chooseDim();
  void makeResidues();
  int64_t visibleOn(const Residue &residue);

  const BoundSets &sets;
  llvm::SmallVector<Range, 4> ranges; // unmentioned dims cut to one index
  llvm::SmallVector<int64_t, 4> point;
  llvm::SmallVector<Range, 4> intervals;
  std::optional<unsigned> sweptDim;
  int64_t period = 1;
  int64_t lineCount = 1;
  std::vector<Residue> residues;
};

} // namespace attn

#endif // ATTN_LIB_SUPPORT_LINES_H
