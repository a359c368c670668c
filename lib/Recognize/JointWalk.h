//===- JointWalk.h - nodes of an expression ----------------------*- C++
//-*-===//
#ifndef ATTN_LIB_RECOGNIZE_JOINTWALK_H
#define ATTN_LIB_RECOGNIZE_JOINTWALK_H

#include "attn/Recognize/View.h"

namespace mlir::attn {

inline bool isExponential(const Node *node) {
  return node->is("math.exp") || node->is("math.exp2");
}

/// Calls `visit` on the nodes of an expression; in exponentials only if so
/// asked.
void walk(Node *root, bool intoExponentials, function_ref<void(Node *)> visit);

bool holdsExponential(Node *node);

/// A reduction's body over its own loops, which are added to `loops`; or null.
Node *ownBody(View &view, Node *reduce, SmallVectorImpl<Linear> &loops);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_JOINTWALK_H
