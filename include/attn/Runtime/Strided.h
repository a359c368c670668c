//===- Strided.h - arrays in other people's memory --------------*- C++ -*-===//
//
// What numpy, DLPack and C callers hand over: a pointer, an element type, and a
// shape with strides, which may be negative or zero. Compiled code reads dense
// row-major memory; what is not dense goes through a copy.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_STRIDED_H
#define ATTN_RUNTIME_STRIDED_H

#include "attn/Support/Npy.h"

namespace mlir::attn {

struct StridedBuffer {
  void *data = nullptr; ///< of element 0, 0, ...
  ::attn::DType type = ::attn::DType::F32;
  llvm::ArrayRef<int64_t> shape;
  /// In elements; empty: dense, row major.
  llvm::ArrayRef<int64_t> strides;

  int64_t numElements() const;
  /// Whether extents and strides stay within what 63 bits can address; what
  /// else is said of a buffer holds only then.
  bool isAddressable() const;
  /// Row major without gaps, and aligned to an element.
  bool isDense() const;
  /// Two indices may mean the same element: a stride of zero, or strides that
  /// are too small for the extents.
  bool overlapsItself() const;
  /// The bytes from the lowest to past the highest element; empty if there are
  /// no elements.
  std::pair<uintptr_t, uintptr_t> getByteRange() const;
  std::string typeString() const; ///< "2x4xf32"
};

/// Copies between a strided buffer and dense memory of as many elements.
void packElements(const StridedBuffer &from, void *to);
void unpackElements(const void *from, const StridedBuffer &to);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_STRIDED_H
