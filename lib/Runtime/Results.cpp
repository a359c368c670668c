//===- Results.cpp - judging and keeping a run's results ------------------===//
#include "attn/Runtime/Results.h"
#include "attn/Runtime/Compare.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::attn;
using ::attn::Array;
using llvm::ArrayRef;
using llvm::StringRef;

CheckRecord mlir::attn::compareResults(StringRef reference,
                                       ArrayRef<Array> results,
                                       ArrayRef<Array> want,
                                       ArrayRef<double> tolerances) {
  CheckRecord record;
  record.reference = reference.str();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(results, want))) {
    const Array &got = std::get<0>(pair), &expected = std::get<1>(pair);
    double allowed = getDefaultTolerance(got.type);
    if (!tolerances.empty())
      allowed = tolerances[tolerances.size() == 1 ? 0 : index];
    record.tolerance = std::max(record.tolerance, allowed);
    Comparison comparison = compare(got, expected, allowed);
    record.maxAbsError = std::max(record.maxAbsError, comparison.maxAbsError);
    record.maxRelError = std::max(record.maxRelError, comparison.maxRelError);
    if (comparison.agrees)
      continue;
    record.agrees = false;
    record.details.push_back(describe(comparison, "out" + std::to_string(index),
                                      got, expected, allowed));
  }
  return record;
}

llvm::Error mlir::attn::checkSavePath(StringRef path) {
  if (path.empty() || path.ends_with(".npz") || path.ends_with(".npy"))
    return llvm::Error::success();
  return llvm::createStringError("--save: expected F.npz or F.npy, got '" +
                                 path + "'");
}

llvm::Error mlir::attn::saveResults(StringRef path, ArrayRef<Array> results) {
  if (path.empty())
    return llvm::Error::success();
  if (path.ends_with(".npz")) {
    ::attn::ArrayMap map;
    for (auto [index, array] : llvm::enumerate(results))
      map.set("out" + std::to_string(index), array);
    return ::attn::writeNpz(path, map);
  }
  if (results.empty())
    return llvm::createStringError("--save: there is no result to save");
  return ::attn::writeNpy(path, results.front().convertTo(::attn::DType::F32));
}
