//===- Results.h - judging and keeping a run's results ----------*- C++ -*-===//
#ifndef ATTN_RUNTIME_RESULTS_H
#define ATTN_RUNTIME_RESULTS_H

#include "attn/Support/Npy.h"

namespace mlir::attn {

/// How results compared with one reference.
struct CheckRecord {
  std::string reference; ///< "file" or "unfused"
  double maxAbsError = 0, maxRelError = 0, tolerance = 0;
  bool agrees = true;
  std::vector<std::string> details; ///< the worst element of each bad result
};

/// Each result against its reference, by the rule of Compare.h; `tolerances`
/// has one for each, one for all, or none: the default ones of their types.
CheckRecord compareResults(llvm::StringRef reference,
                           llvm::ArrayRef<::attn::Array> results,
                           llvm::ArrayRef<::attn::Array> want,
                           llvm::ArrayRef<double> tolerances);

/// An error unless `path` is empty or says F.npz or F.npy.
llvm::Error checkSavePath(llvm::StringRef path);
/// Writes out0, out1, ... to F.npz, or the first one as f32 to F.npy; nothing
/// if `path` is empty.
llvm::Error saveResults(llvm::StringRef path,
                        llvm::ArrayRef<::attn::Array> results);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_RESULTS_H
