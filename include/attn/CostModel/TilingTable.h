//===- TilingTable.h - Tilings found by timing, in a file -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `attn-run --tune --tune-out=F` writes and `attn-select-tiling{table=F}`
// reads: for each problem and machine the fastest tiling, and every time that
// was measured, so that an interrupted tuning goes on where it was.
//
//   { "format": "attn-tilings-1",
//     "entries": [
//       { "problem": "fwd f32 batch=1x8 rows=1024 keys=1024 depth=64 value=64",
//         "machine": "host sapphirerapids, 2 cores",
//         "tiling": "query_block=128,key_block=256,...",   the fastest
//         "measured": [
//           { "tiling": "...", "code": "9f3c...", "ms": [4.1, 4.0, ...] } ] } ]
//           }
//
// `problem` is Problem::str(), `code` says which compiled code was timed: times
// of other code do not count. Readers that want the fastest tiling alone need
// neither `code` nor `measured`.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_TILINGTABLE_H
#define ATTN_COSTMODEL_TILINGTABLE_H

#include "attn/CostModel/Target.h"
#include "attn/CostModel/Tiling.h"

namespace attn {

struct MeasuredTiling {
  std::string tiling;
  std::string code;
  std::vector<double> milliseconds;
};

struct TilingEntry {
  std::string problem, machine, tiling;
  std::vector<MeasuredTiling> measured;
};

class TilingTable {
public:
  /// Reads a table's text; `origin` is named in errors, which say where in the
  /// file and what was expected.
  static llvm::Expected<TilingTable> parse(llvm::StringRef json,
                                           llvm::StringRef origin);
  static llvm::Expected<TilingTable> read(llvm::StringRef path);
  llvm::Error write(llvm::StringRef path) const;

  /// The entry of a problem on a machine; null: there is none.
  const TilingEntry *find(llvm::StringRef problem,
                          llvm::StringRef machine) const;
  /// The same, made where there is none.
  TilingEntry &at(llvm::StringRef problem, llvm::StringRef machine);

  llvm::ArrayRef<TilingEntry> entries() const { return list; }

private:
  std::vector<TilingEntry> list;
};

/// What a table calls a machine: its name, and what makes one host differ from
/// the next.
std::string machineName(const Target &target);

} // namespace attn

#endif // ATTN_COSTMODEL_TILINGTABLE_H
