//===- Sizes.h - when two unknown sizes are the same --------------*- C++
//-*-===//
#ifndef ATTN_LIB_RECOGNIZE_SIZES_H
#define ATTN_LIB_RECOGNIZE_SIZES_H

#include "mlir/IR/Value.h"
#include <optional>

namespace mlir::attn {

/// A size traced to where it comes from: a constant, a dim of a tensor that no
/// op explains further, or a scalar.
struct Size {
  std::optional<int64_t> constant;
  Value origin;
  int64_t dim = -1; // of origin, if that is a tensor
  bool operator==(const Size &o) const {
    return constant == o.constant && origin == o.origin && dim == o.dim;
  }
};

/// The size of a tensor's dim.
Size sizeOf(Value tensor, int64_t dim);

/// What a scalar is, if it is the size of something.
Size sizeOf(Value scalar);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_SIZES_H
