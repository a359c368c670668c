//===- Functions.h - elementary functions on whole vectors --------*- C++
//-*-===//
//
// Exponentials, logarithms and hyperbolic tangents of whole vectors by range
// reduction and a polynomial, without a call. LLVM would otherwise make one
// library call per lane. Only arithmetic and bit casts are used, so the same
// code serves every CPU; the exponential, of which there is one per score, is
// shorter where a target has instructions for its range reduction.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_CPU_FUNCTIONS_H
#define ATTN_LIB_CPU_FUNCTIONS_H

#include "Emit.h"
#include "Target.h"

namespace mlir::attn {

/// e^x for x <= 0 (up to 1 is fine), x a vector of f32 or f64; -inf gives
/// exactly +0, NaN gives NaN, 0 gives exactly 1. Error below 2.5 + 1.25 |x| ulp
/// where e^x is normal (x log2(e) is rounded once, as if x itself were moved by
/// an ulp); values below the smallest normal number become +0.
Value emitExpNegative(Emit &b, Value x, const CPUTarget &target);

/// 2^x, e^x for any x, subnormal results and overflow included. Relative error
/// below 2.5 ulp.
Value emitExp2(Emit &b, Value x);
Value emitExp(Emit &b, Value x);

/// Natural logarithm of any x, subnormal ones included; below 2 ulp.
Value emitLog(Emit &b, Value x);

/// Hyperbolic tangent, never beyond 1; below 5.5 ulp (all numbers of f32 were
/// tried), in f64 below 4 ulp.
Value emitTanh(Emit &b, Value x);

/// Replaces the math ops on vectors of f32 and f64 under `root` that have an
/// expansion above, and divisions by a number, by two multiplications: the
/// result is the nearest number where no other is almost as near (below 0.51
/// ulp), if it and the rest are normal.
void expandMath(Operation *root);

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_FUNCTIONS_H
