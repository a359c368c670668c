//===- VerifyImpl.h - constraints that all attn ops have -----------*- C++
//-*-===//
//
// The numbers under which a constraint is known differ between the ops, so the
// callers pass them; a diagnostic begins with its number.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_IR_VERIFYIMPL_H
#define ATTN_LIB_IR_VERIFYIMPL_H

#include "attn/IR/AttnDialect.h"

namespace mlir::attn {

/// f16, bf16, f32 or f64.
bool isElementType(Type type);

/// Number, dims and ranks of the maps. `numbers`: the constraints on the count,
/// on the dims, on the ranks.
LogicalResult verifyMaps(IndexedOpInterface op, ArrayRef<StringRef> numbers);

/// Operands that a dim indexes agree on its size.
LogicalResult verifySizes(IndexedOpInterface op, StringRef number);

/// On tensors a result of each destination's type, on memrefs none.
LogicalResult verifyResults(DestinationStyleOpInterface op, StringRef number);

} // namespace mlir::attn

#endif // ATTN_LIB_IR_VERIFYIMPL_H
