//===- Size.h - sizes as products ---------------------------------*- C++
//-*-===//
//
// A size that the types do not say is written down as what it is computed from:
// a number times sizes that no op explains further. Two sizes are the same if
// their products are; nothing is known of different ones.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RECOGNIZE_SIZE_H
#define ATTN_RECOGNIZE_SIZE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::attn {

/// A dim of a tensor, or (with dim -1) a scalar.
struct SizeOrigin {
  Value value;
  int64_t dim;
  bool operator==(const SizeOrigin &o) const {
    return value == o.value && dim == o.dim;
  }
};

struct Size {
  int64_t factor = 1;
  SmallVector<SizeOrigin, 2> unknowns; // in an order of their own

  Size() = default;
  explicit Size(int64_t known) : factor(known) {}
  explicit Size(SizeOrigin unknown) { unknowns.push_back(unknown); }

  std::optional<int64_t> constant() const {
    return unknowns.empty() ? std::optional<int64_t>(factor) : std::nullopt;
  }
  bool isOne() const { return unknowns.empty() && factor == 1; }
  /// True if it cannot be below zero.
  bool isNonnegative() const;
  bool operator==(const Size &o) const {
    return factor == o.factor && unknowns == o.unknowns;
  }
};

/// The product; nothing if that overflows.
std::optional<Size> multiply(const Size &a, const Size &b);
/// a / b, if b is a part of the product a.
std::optional<Size> divideExactly(const Size &a, const Size &b);

} // namespace mlir::attn

#endif // ATTN_RECOGNIZE_SIZE_H
