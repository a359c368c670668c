//===- Tolerance.h - how well results can agree -----------------*- C++ -*-===//
//
// A result is as exact as the coarsest type that something on the way to it was
// rounded to: f32 gradients of f16 operands agree as f16 does, an f64 result of
// f32 sums as f32.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_TOLERANCE_H
#define ATTN_RUNTIME_TOLERANCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace mlir::attn {

/// The default tolerance (Compare.h) of each result of a function: the widest
/// of the float types of the values that it is computed from. 0 for what is no
/// float.
std::vector<double> tolerancesOfResults(func::FuncOp function);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_TOLERANCE_H
