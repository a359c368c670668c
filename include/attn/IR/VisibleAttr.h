//===- VisibleAttr.h - masks between IR and plain C++ -------------*- C++
//-*-===//
//
// `visible` is an array of affine sets in the IR and attn::Visible everywhere
// else; here one becomes the other.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_IR_VISIBLEATTR_H
#define ATTN_IR_VISIBLEATTR_H

#include "attn/IR/Roles.h"
#include "attn/Support/Visible.h"

namespace mlir::attn {

/// The mask of an op over its batch, row and key dims (Roles::setDims).
::attn::Visible getVisible(ScoreOpInterface op);

/// A `Visible` as attribute; null if everything is visible.
ArrayAttr toAttribute(MLIRContext *context, const ::attn::Visible &visible);

/// The two spellings of an affine expression. Semi-affine expressions (a
/// product of symbols, a division by one) cannot be in an affine set.
::attn::Expr fromAffineExpr(AffineExpr expr);
AffineExpr toAffineExpr(const ::attn::Expr &expr, MLIRContext *context);

} // namespace mlir::attn

#endif // ATTN_IR_VISIBLEATTR_H
