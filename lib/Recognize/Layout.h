//===- Layout.h - how operands are read --------------------------*- C++
//-*-===//
#ifndef ATTN_LIB_RECOGNIZE_LAYOUT_H
#define ATTN_LIB_RECOGNIZE_LAYOUT_H

#include "Match.h"

namespace mlir::attn {

/// For each dim of the tensor the atoms that it is made of, outermost first, if
/// each atom is in one place and they run over the whole dim; or, where
/// `offsets` are asked for, over a slice of it that starts there. Of a dim's
/// atoms one may be of unknown size: a dim can be split by what else is known.
std::optional<SmallVector<SmallVector<Atom>>>
dimsOfReading(IndexSpace &space, const Reading &reading,
              SmallVectorImpl<int64_t> *offsets = nullptr);

/// The same for a tensor that is written, whose dims are only merged.
std::optional<SmallVector<SmallVector<Atom>>>
dimsOfResult(IndexSpace &space, const Reading &result,
             SmallVectorImpl<int64_t> *offsets = nullptr);

/// The atoms of all dims, slices included; nothing if some dim is none.
std::optional<SmallVector<Atom>> atomsOfReading(IndexSpace &space,
                                                const Reading &reading);

/// The reading farthest from the match that dimsOfReading() accepts, slices
/// included if so asked, or null.
const Reading *bestReading(IndexSpace &space, const Node *node,
                           bool slices = false);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_LAYOUT_H
