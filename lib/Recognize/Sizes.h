//===- Sizes.h - where sizes come from ----------------------------*- C++
//-*-===//
#ifndef ATTN_LIB_RECOGNIZE_SIZES_H
#define ATTN_LIB_RECOGNIZE_SIZES_H

#include "attn/Recognize/Size.h"

namespace mlir::attn {

/// The size of a tensor's dim.
Size sizeOf(Value tensor, int64_t dim);
/// The sizes of `count` of its dims.
SmallVector<Size> sizesOf(Value tensor, int64_t first, int64_t count);

/// What a scalar is, if it is the size of something.
Size sizeOf(Value scalar);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_SIZES_H
