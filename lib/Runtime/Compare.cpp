//===- Compare.cpp - do two arrays agree? ---------------------------------===//
#include "attn/Runtime/Compare.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using ::attn::DType;

double mlir::attn::getDefaultTolerance(DType type) {
  switch (type) {
  case DType::F64:
    return 1e-13;
  case DType::F32:
    return 2e-5;
  case DType::F16:
    return 4e-3;
  case DType::BF16:
    return 2e-2;
  default:
    return 0; // integers agree or they do not
  }
}

Comparison mlir::attn::compare(const ::attn::Array &got,
                               const ::attn::Array &want, double tolerance) {
  Comparison result;
  result.numElements = want.numElements();
  if (got.shape != want.shape) {
    result.agrees = false;
    result.shapesDiffer = true;
    result.maxAbsError = result.maxRelError =
        std::numeric_limits<double>::infinity();
    return result;
  }
  double worst = -1;
  for (int64_t i = 0, e = want.numElements(); i < e; ++i) {
    double g = got.get(i), w = want.get(i);
    double absError = 0, relError = 0;
    bool same = g == w || (std::isnan(g) && std::isnan(w));
    if (!same) {
      bool comparable = std::isfinite(g) && std::isfinite(w);
      absError = comparable ? std::fabs(g - w)
                            : std::numeric_limits<double>::infinity();
      relError = comparable ? absError / std::max(1.0, std::fabs(w)) : absError;
    }
    result.maxAbsError = std::max(result.maxAbsError, absError);
    result.maxRelError = std::max(result.maxRelError, relError);
    if (relError > 2 * tolerance) {
      result.agrees = false;
      ++result.numDisagreeing;
    }
    if (relError > worst) {
      worst = relError;
      result.worstIndex = i;
      result.worstGot = g;
      result.worstWant = w;
    }
  }
  return result;
}

/// "[0,1,5,3]" for a row-major index.
static std::string formatPosition(int64_t index, ArrayRef<int64_t> shape) {
  SmallVector<std::string> position(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; index /= shape[dim])
    position[dim] = std::to_string(index % shape[dim]);
  return "[" + llvm::join(position, ",") + "]";
}

std::string mlir::attn::describe(const Comparison &comparison, StringRef name,
                                 const ::attn::Array &got,
                                 const ::attn::Array &want, double tolerance) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << name;
  if (comparison.shapesDiffer) {
    os << ": expected " << want.typeString() << ", got " << got.typeString();
    return text;
  }
  if (comparison.worstIndex < 0) {
    os << ": no elements";
    return text;
  }
  os << formatPosition(comparison.worstIndex, want.shape)
     << llvm::format(": expected %.9g, got %.9g; ", comparison.worstWant,
                     comparison.worstGot)
     << comparison.numDisagreeing << " of " << comparison.numElements
     << " elements differ by more than "
     << llvm::format("%.3g * max(1, |expected|)", 2 * tolerance);
  return text;
}
