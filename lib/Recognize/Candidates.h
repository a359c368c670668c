//===- Candidates.h - where a match may start, and end ------------*- C++
//-*-===//
//
// A candidate is a sum of products with an exponential in its summand. What it
// may end in (the root) is looked for downstream, through what the map of a
// result, or of a gradient, can absorb.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RECOGNIZE_CANDIDATES_H
#define ATTN_LIB_RECOGNIZE_CANDIDATES_H

#include "attn/Recognize/View.h"

namespace mlir::attn {

/// A loop for each dim of a tensor.
SmallVector<Linear> indicesOf(IndexSpace &space, Value tensor);

/// The tensors that a sum may end in, nearest first; further sums, over groups
/// of heads for instance, are followed where asked for.
SmallVector<Value> rootsOf(Value product, bool throughSums = false);

/// The sum behind a node, an added start value aside; or null.
Node *sumBehind(Node *node);

/// What a sum sums, over its own loops, whose atoms are added to `keys`.
Node *bodyOf(View &view, Node *sum, SmallVectorImpl<Atom> &keys);

/// What a sum of products is fed by.
enum class Feed { Other, Exponential, NormalisedExponential };

/// A sum of products, and what its summand depends on. A candidate is fed by an
/// exponential of the summed index, and something there or downstream is a sum
/// of exponentials.
struct SumOfProducts {
  linalg::LinalgOp op;
  Feed feed = Feed::Other;
  /// The only scores that are exponentiated in the summand, and the other
  /// contractions over none but their loops: dO V^T, and sums over the keys.
  Operation *scores = nullptr;
  SmallVector<Operation *> rowsAndPoints;
};

/// The sums of products inside an op, in order, each read once.
SmallVector<SumOfProducts> findSumsOfProducts(Operation *root);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_CANDIDATES_H
