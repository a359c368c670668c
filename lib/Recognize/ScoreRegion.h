//===- ScoreRegion.h - the score function as a region -------------*- C++
//-*-===//
//
// Between the contraction and the exponential lies the score function. What
// part of it becomes an op of the region, and what an extra operand, is decided
// first, without touching IR; a part that cannot be either fails the match
// (O11). A factor that is applied to the contraction everywhere becomes the
// scale.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RECOGNIZE_SCOREREGION_H
#define ATTN_LIB_RECOGNIZE_SCOREREGION_H

#include "Match.h"

namespace mlir::attn {

class ScoreRegion {
public:
  /// With `readsComputed`, functions of small tensors of floats, the
  /// exponential of a temperature, are read where they were computed: their
  /// gradient may be in the graph where the tensors' own passes through ops
  /// without a known derivative.
  ScoreRegion(Match &match, FloatType accumulate, bool readsComputed = false)
      : match(match), view(match.view), accumulate(accumulate),
        readsComputed(readsComputed) {}

  /// Decides how each part is computed. Adds the factor of the contraction to
  /// match.scale.
  bool plan();

  /// The extra operands, in the order of the region's arguments after the
  /// score.
  struct Extra {
    Node *node;
    std::optional<Reading> reading; // none for a scalar
  };
  ArrayRef<Extra> getExtras() const { return extras; }

  /// Writes the region's ops; `arguments` are the block's. The score and the
  /// weight, null if there is none.
  std::pair<Value, Value> build(OpBuilder &b, Location loc,
                                ValueRange arguments);

private:
  bool planNode(Node *node);
  bool planLeaf(Node *node);
  std::optional<double> factorOfContraction(Node *node);
  void collectFactors(Node *node, DenseSet<Node *> &seen,
                      SmallVector<double> &factors);
  bool holdsContraction(Node *node);
  bool keepsRounding(Node *node);
  bool canInline(Node *node, unsigned &budget);
  bool isComputedBefore(Node *node);
  const Reading *readingOverSet(Node *node);
  Value emit(OpBuilder &b, Location loc, Node *node);

  Match &match;
  View &view;
  FloatType accumulate;
  bool readsComputed;
  SmallVector<Extra> extras;
  DenseMap<Node *, unsigned> extraOf;
  DenseSet<Node *> planned, scaled;
  DenseMap<Node *, bool> holdsMemo;
  DenseMap<Node *, Value> emitted;
  ValueRange arguments;
};

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_SCOREREGION_H
