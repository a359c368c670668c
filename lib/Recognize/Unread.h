//===- Unread.h - where no attention can be found ---------------*- C++ -*-===//
//
// The view reads linalg on tensors in one function. An attention in other ops,
// or one that a call parts, is no candidate that could be declined: it is said
// where it may lie, and what to do.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RECOGNIZE_UNREAD_H
#define ATTN_LIB_RECOGNIZE_UNREAD_H

#include "mlir/IR/Operation.h"

namespace mlir::attn {

/// An op that is not read, and why.
struct Unread {
  Operation *op;
  std::string reason, suggestion; // the suggestion may be empty
  bool stays = false; // no pass before this one would have changed that
};

/// Inside `root`: for each function the first product of TOSA, and the calls
/// that may part an attention: tensors of floats pass through them, and on one
/// side there is an exponential.
SmallVector<Unread> findUnread(Operation *root);

/// The name of the function around an op, or nothing.
std::string functionOf(Operation *op);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_UNREAD_H
