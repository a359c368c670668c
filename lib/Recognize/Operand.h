//===- Operand.h - operands that are read or computed -------------*- C++
//-*-===//
//
// Q, K and V are usually read from a tensor. Where an elementwise producer was
// fused into the contraction (a rotation, a bias, a norm), there is no such
// tensor any more: the operand is an expression of tensors, and is computed
// again, over its own loops only.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RECOGNIZE_OPERAND_H
#define ATTN_LIB_RECOGNIZE_OPERAND_H

#include "Match.h"

namespace mlir::attn {

/// A factor of a product, or what divides it.
struct Factor {
  Node *node;
  bool inverse;
};

/// Adds the factors of a product; constants and signs go to `constant`.
void collectFactors(Node *node, bool inverse, SmallVectorImpl<Factor> &factors,
                    double &constant);

/// The product of some factors as one node: the one that is read from a tensor,
/// or an expression, computed in `type`. Null unless one of them depends on all
/// loops that the others depend on: an outer product is not computed.
Node *productOf(View &view, ArrayRef<Factor> factors, Type type);

/// The node below widening casts, and below gathers that turned out to be
/// reads.
Node *peelExact(View &view, Node *operand);

/// The atoms that the node's value depends on.
SmallVector<Atom> atomsOf(const Node *node);

/// The tensors that an expression is computed from, as nodes with a reading;
/// false if some part of it cannot be read or computed.
bool collectLeaves(View &view, Node *node, SetVector<Node *> &leaves);

/// How a leaf of an expression is read: by loops of the expression only. A
/// broadcast has more, which a tensor that is read as it is may keep.
const Reading *readingOfLeaf(IndexSpace &space, const Node *leaf,
                             const Node *expression);

/// The value of `linear` in ops, given a value of type index for each atom.
Value writeLinear(OpBuilder &b, Location loc, const Linear &linear, Type type,
                  function_ref<Value(Atom)> indexOf);

/// The expression in ops, given a value for each leaf and each atom.
Value writeExpression(OpBuilder &b, Location loc, Node *node,
                      DenseMap<Node *, Value> &known,
                      function_ref<Value(Atom)> indexOf);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_OPERAND_H
