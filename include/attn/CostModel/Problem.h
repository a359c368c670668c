//===- Problem.h - One attention, as the cost model sees it -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Problem holds what the cost of an attention depends on and nothing else:
// the extents by role, the element type, which keys are visible, and whether
// the forward, the backward or both are asked for. It knows no IR: a command
// line and an attn.attention op both come down to it.
//
// Roles (include/attn/IR says how they follow from indexing maps):
//   batch  dims of everything; a loop around the whole problem
//   row    dims of Q and O. A grouped-query dim is a row dim, so with
//          H query heads over Hkv key heads: batch = {B, Hkv}, row = {H/Hkv, M}
//   key    dims of K and V, summed by the softmax
//   depth  the extent contracted in Q K^T;  value  the extent of V's columns
//
// Extents of 0 are legal (an empty problem moves nothing); negative ones are
// errors.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_PROBLEM_H
#define ATTN_COSTMODEL_PROBLEM_H

#include "attn/CostModel/Count.h"
#include "attn/Support/Visible.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace attn {

enum class ElementType { F16, BF16, F32, F64 };
enum class Direction { Forward, Backward, Both };

/// Accepts f16, fp16, bf16, f32, fp32, f64, fp64.
std::optional<ElementType> parseElementType(llvm::StringRef name);
llvm::StringRef toString(ElementType type);
int64_t bytesOf(ElementType type);
/// The type in which scores, row state and accumulators live: f64 for f64, else
/// f32.
ElementType accumulateType(ElementType type);

std::optional<Direction> parseDirection(llvm::StringRef name);
llvm::StringRef toString(Direction direction);

/// An operand of the score region besides the score: a bias, a run-time scale.
struct Extra {
  std::string name;
  int64_t elementBytes = 0;
  /// One flag per row (key) dim: does the operand vary along it?
  llvm::SmallVector<bool, 2> rows, keys;
  /// Of an element of its gradient, if the backward makes one, else 0; `batch`
  /// then has a flag per batch dim.
  int64_t gradientBytes = 0;
  llvm::SmallVector<bool, 2> batch = {};

  bool hasGradient() const { return gradientBytes > 0; }
};

/// A block-sparse mask. Each of its elements stands for `divisor` indices of
/// every dim it has; a false one hides them. Tiles of a CPU lie in one element.
struct BlockPattern {
  struct Term {
    unsigned dim = 0; ///< of batch, rows, keys, counted through
    int64_t divisor = 1;
  };
  llvm::SmallVector<Term, 4> terms;
  /// Row-major over the terms; empty: run-time data, taken to hide nothing.
  std::vector<bool> seen;

  /// The part of the elements that is not hidden.
  double seenShare() const;
};

/// A mask whose complement has more sets than this is not completed by folding
/// the hidden keys apart: its blocks are all visited.
constexpr uint64_t maxComplementSets = 16;

struct Problem {
  llvm::SmallVector<int64_t, 2> batch;
  llvm::SmallVector<int64_t, 2> rows;
  llvm::SmallVector<int64_t, 1> keys;
  int64_t depth = 0;
  int64_t value = 0;
  ElementType type = ElementType::F16;
  Direction direction = Direction::Forward;
  /// Does the forward also write the log-sum-exp of each row?
  bool lse = true;
  /// Does the backward also read a gradient of the log-sum-exp?
  bool lseGradient = false;
  /// Which keys a row sees, over the dims batch, rows, keys; none: all of them.
  std::optional<Visible> visible;
  /// Values of the mask's symbols that follow the extents. Where they are not
  /// given, the constraints that mention them are taken to hide nothing.
  llvm::SmallVector<int64_t, 0> maskValues;
  llvm::SmallVector<Extra, 0> extras;
  std::optional<BlockPattern> blocks;
  /// Hidden keys have a finite score instead of none (hidden = replace): what a
  /// tiled accounting counts is the fast path, on which they are skipped.
  bool replacesHidden = false;
  /// May a GPU's backward add dQ up in any order (Tiling.h, atomics)?
  bool atomics = false;

  int64_t batchSize() const;
  int64_t rowCount() const;
  int64_t keyCount() const;

  /// The extents of all mask dims: batch, rows, keys.
  llvm::SmallVector<int64_t, 6> maskExtents() const;
  /// The mask with what is not known left out, and the values of its symbols:
  /// what block counts are taken from. None: nothing is hidden.
  std::optional<Visible> knownMask() const;
  /// Is part of what hides run-time data, which counts take to hide nothing?
  bool hidesUnknown() const;
  /// Where hidden keys may have to be folded after all: the hidden pairs as a
  /// mask, on its own.
  std::optional<Problem> hiddenPart() const;
  llvm::SmallVector<int64_t, 8> maskSymbols() const;
  /// Elements of `blocks` along one of its terms.
  int64_t blocksAlong(const BlockPattern::Term &term) const;

  /// All of it on one line, for people and as the key of TilingTable.h: equal
  /// problems have equal text.
  std::string str() const;

  /// Names what is wrong: a missing or negative extent, or a problem so large
  /// that its counts would not be exact.
  llvm::Error check() const;
};

} // namespace attn

#endif // ATTN_COSTMODEL_PROBLEM_H
