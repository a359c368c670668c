//===- Compare.h - do two arrays agree? -------------------------*- C++ -*-===//
//
// The rule of the project's cases: an element agrees when
//     |got - want| <= 2 tol max(1, |want|),
// a NaN agrees with a NaN only, an infinity with the same infinity only.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_COMPARE_H
#define ATTN_RUNTIME_COMPARE_H

#include "attn/Support/Npy.h"

namespace mlir::attn {

/// The tolerance where the inputs bring none.
double getDefaultTolerance(::attn::DType type);

struct Comparison {
  bool agrees = true;
  bool shapesDiffer = false;
  int64_t numElements = 0, numDisagreeing = 0;
  /// Largest |got - want| over pairs of finite numbers, and that divided by
  /// max(1, |want|); infinite where NaN or infinity met something else.
  double maxAbsError = 0, maxRelError = 0;
  /// The element of largest relative error.
  int64_t worstIndex = -1;
  double worstGot = 0, worstWant = 0;
};

Comparison compare(const ::attn::Array &got, const ::attn::Array &want,
                   double tolerance);

/// "out0[0,1,5,3]: got 0.25, expected 0.5 (|difference| 0.25 > ...)".
std::string describe(const Comparison &comparison, llvm::StringRef name,
                     const ::attn::Array &got, const ::attn::Array &want,
                     double tolerance);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_COMPARE_H
