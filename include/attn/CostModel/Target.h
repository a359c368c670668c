//===- Target.h - The machines that are planned for -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target is data: sizes, counts and rates, each row with its source. All
// decisions about tiles read these numbers; none asks for a name. Besides the
// table there are two ways to a target: `host` is read from the machine that
// runs the compiler, and a JSON file describes one of the user's own:
//
//   { "name": "my-card", "base": "a100", "multiprocessors": 124,
//     "memory_bandwidth": 2.0e12 }
//
// Every field of `fields()` may be given; those left out come from `base` (a
// name of the table). Sizes are bytes, rates per second, for the whole chip
// unless the field says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_TARGET_H
#define ATTN_COSTMODEL_TARGET_H

#include "attn/CostModel/Problem.h"
#include <algorithm>
#include <vector>

namespace attn {

enum class TargetKind { CPU, GPU };

/// Target::splitTiles of CPUs with a matrix unit: with fewer rows the packing
/// of K and V shows (197 rows and keys: 1.14 ms in parts, 0.91 by
/// multiply-adds).
constexpr int64_t usualSplitTiles = 256;

struct Target {
  std::string name;
  std::string source;
  TargetKind kind = TargetKind::CPU;

  // Both kinds.
  int64_t cores = 0;          ///< cores, or streaming multiprocessors
  double hertz = 0;           ///< clock the rates below assume
  double memoryBandwidth = 0; ///< of the large memory
  int64_t memoryBytes = 0;    ///< of the large memory
  int64_t lastCacheBytes = 0; ///< of the cache all cores share
  int64_t fastBytes = 0;      ///< per core: "SRAM" in the paper's block sizes
  double fastBandwidth = 0;   ///< of that memory, all cores together

  // CPU, per core.
  int64_t l1Bytes = 0;
  int64_t l2Bytes = 0;
  double l2Bandwidth = 0;
  int64_t vectorBits = 0;
  int64_t vectorRegisters = 0;
  double vectorIssue = 0; ///< vector operations per cycle
  int64_t bf16Dot = 0;    ///< 1: dot products of bf16 pairs, twice f32's rate
  int64_t bf16Tiles = 0;  ///< 1: a matrix unit for bf16 (x86's AMX)
  /// The fewest rows of a query block for which f32 and f16 go by it too, as
  /// sums of bf16, in a backward's block the fewest rows or keys; 0: never.
  int64_t splitTiles = 0;
  double coreBandwidth = 0; ///< what one core draws from the large memory
  /// Keys that a decoding asks for its K and V ahead, where each is one stream;
  /// 0: as many as are 16 KiB.
  int64_t aheadKeys = 0;

  // GPU, per multiprocessor or thread.
  std::string chip; ///< what NVVM calls it, e.g. sm_80
  int64_t sharedPerCore = 0;
  int64_t sharedPerBlock = 0; ///< with opt-in
  int64_t sharedReserved = 0; ///< taken by the system for each block
  int64_t registersPerCore = 0;
  int64_t registersPerThread = 0;
  int64_t threadsPerCore = 0;
  int64_t threadsPerBlock = 0;
  int64_t blocksPerCore = 0;
  int64_t lanes = 0;        ///< f32 operations per cycle
  int64_t exponentials = 0; ///< exponentials per cycle
  double matrixFlops16 = 0; ///< f16 and bf16 products, f32 sums, dense
  double matrixShare = 0;   ///< of matrixFlops16 that mma.sync reaches

  bool isGpu() const { return kind == TargetKind::GPU; }

  /// Of a description on top of another: who takes the matrix unit away, and
  /// does not name split_tiles, has taken that away too.
  void settleSplitTiles(bool isNamed) {
    if (!bf16Tiles && !isNamed)
      splitTiles = 0;
  }

  /// Vector lanes of `type` (CPU).
  int64_t vectorLanes(ElementType type) const;
  /// Are products of `type` made by a matrix unit of the CPU?
  bool usesMatrixTiles(ElementType type) const {
    bool isSplit = type == ElementType::F32 || type == ElementType::F16;
    return !isGpu() && bf16Tiles && vectorBits == 512 &&
           (type == ElementType::BF16 || (isSplit && splitTiles));
  }
  /// The same of a query block of so many rows: in a tile of 16, half of them
  /// and fewer would be mostly padding.
  bool usesMatrixTiles(ElementType type, int64_t rows) const {
    bool isWide = type != ElementType::BF16;
    return usesMatrixTiles(type) && rows > 8 && (!isWide || rows >= splitTiles);
  }
  /// The same of a backward's block, whose sums run along rows and keys: the
  /// longer side's operands are packed for many blocks of the other. f16 would
  /// have to round what flows back through its scores to f16.
  bool usesBackwardTiles(ElementType type, int64_t rows, int64_t keys) const {
    return type != ElementType::F16 && std::min(rows, keys) > 8 &&
           usesMatrixTiles(type, std::max(rows, keys));
  }
  /// Floating-point operations per second of matrix products on `type`.
  double matrixRate(ElementType type) const;
  /// Exponentials and other elementwise operations per second on accumulators.
  double exponentialRate(ElementType type) const;
  double elementwiseRate(ElementType type) const;
  /// FLOP per byte at which products and the large memory take equally long.
  double balance(ElementType type) const;

  /// Names the first field that is missing or impossible.
  llvm::Error check() const;
};

/// The machines of the table, in the order in which it is printed.
llvm::ArrayRef<Target> targetTable();
/// This machine, as far as it can be read; `source` says what was.
Target hostTarget();

/// A name of the table, `host`, the chip of a table's entry (sm_80), or the
/// path of a JSON file (it holds a '/' or ends in .json).
llvm::Expected<Target> findTarget(llvm::StringRef name);
/// The same from the text of such a file; `origin` is named in errors.
llvm::Expected<Target> parseTarget(llvm::StringRef json,
                                   llvm::StringRef origin);

/// A number of a target under the name it has in files and printouts.
struct TargetField {
  const char *name;
  const char *unit;
  bool cpu, gpu; ///< for which kinds it is required
  int64_t Target::*integer;
  double Target::*real;
};
llvm::ArrayRef<TargetField> targetFields();
/// Sets one field of a target; fails where it has no such field.
llvm::Error setTargetField(Target &target, llvm::StringRef name, double value);

} // namespace attn

#endif // ATTN_COSTMODEL_TARGET_H
