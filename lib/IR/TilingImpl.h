//===- TilingImpl.h - pieces that full and partial tiling share ---*- C++
//-*-===//
#ifndef ATTN_LIB_IR_TILINGIMPL_H
#define ATTN_LIB_IR_TILINGIMPL_H

#include "attn/IR/AttnDialect.h"

namespace mlir::attn::tiling {

/// Where a tile of the iteration space lies in an operand with this map. Fails
/// if a floordiv or mod would be cut inside its divisor. `wholeSizes` are the
/// op's static sizes.
LogicalResult slicePosition(OpBuilder &b, Location loc, AffineMap map,
                            ArrayRef<int64_t> wholeSizes,
                            ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes,
                            SmallVectorImpl<OpFoldResult> &resultOffsets,
                            SmallVectorImpl<OpFoldResult> &resultSizes);

/// Gives `tile` the position of `from` moved by `offsets`, if it matters.
void movePosition(OpBuilder &b, ScoreOpInterface from, ScoreOpInterface tile,
                  ArrayRef<OpFoldResult> offsets);

} // namespace mlir::attn::tiling

#endif // ATTN_LIB_IR_TILINGIMPL_H
