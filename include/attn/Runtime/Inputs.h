//===- Inputs.h - arrays for an entry point ---------------------*- C++ -*-===//
//
// Where a run's arguments come from: an .npz with arg0, arg1, ... and possibly
// out0, ..., arg_types and tol; a list of .npy files; or a seeded generator
// (floats N(0, 1), i1 true three times in four, integers from 0 to the smallest
// extent - 1, so that they are valid indices of whatever they may index).
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_INPUTS_H
#define ATTN_RUNTIME_INPUTS_H

#include "attn/Runtime/EntryPoint.h"

namespace mlir::attn {

struct InputSet {
  std::vector<::attn::Array> arguments;
  /// out0, out1, ...; empty where the file has none.
  std::vector<::attn::Array> expected;
  /// One for each result, or one for all; empty where the file has none.
  std::vector<double> tolerances;
};

/// Reads `files` ("F.npz" or "a.npy,b.npy"). An array of u2 is taken as bf16
/// where `types`, one for each argument, or the file's arg_types says so.
llvm::Expected<InputSet> loadArrays(StringRef files,
                                    ArrayRef<::attn::DType> types);

/// The same, checked against `entry`.
llvm::Expected<InputSet> loadInputs(StringRef files, const EntryPoint &entry);

/// Seeded inputs. `shapes` is "2x4x37x32,..." with one entry for each argument
/// (empty for a scalar), or empty if every shape is static.
llvm::Expected<InputSet> makeInputs(StringRef shapes, const EntryPoint &entry,
                                    uint64_t seed = 0);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_INPUTS_H
