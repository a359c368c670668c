//===- Layout.h - how operands are read --------------------------*- C++
//-*-===//
#ifndef ATTN_LIB_RECOGNIZE_LAYOUT_H
#define ATTN_LIB_RECOGNIZE_LAYOUT_H

#include "Match.h"

namespace mlir::attn {

/// For each dim of the tensor the atoms that it is made of, outermost first, if
/// the reading runs over the whole tensor, each atom in one place.
std::optional<SmallVector<SmallVector<Atom>>>
dimsOfReading(IndexSpace &space, const Reading &reading);

/// The reading farthest from the match that dimsOfReading() accepts, or null.
const Reading *bestReading(IndexSpace &space, const Node *node);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_LAYOUT_H
