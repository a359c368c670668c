//===- VisibleRows.h - has every row a visible key? -------------*- C++ -*-===//
#ifndef ATTN_IR_VISIBLEROWS_H
#define ATTN_IR_VISIBLEROWS_H

#include "attn/IR/AttnDialect.h"

namespace mlir::attn {

/// True if every point of the first dims (batch and rows) has a visible point
/// of the last `keys` dims. `visible` as in attn.attention, null for all
/// visible; `sizes` are those of the sets' dims, dynamic ones at least 1. False
/// where it depends on symbols or on sizes, or where there is no key.
bool everyRowSeesKey(ArrayAttr visible, ArrayRef<int64_t> sizes, unsigned keys);

/// The same of an op. False where it is part of a larger problem, or blocks of
/// its keys are hidden by data.
bool everyRowSeesKey(ScoreOpInterface op);

} // namespace mlir::attn

#endif // ATTN_IR_VISIBLEROWS_H
