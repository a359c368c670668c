//===- Roofline.h - A lower bound on time, and what sets it -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The roofline of Williams, Waterman and Patterson (2009), with a roof for each
// unit an attention uses: each takes at least its work over its rate, all of
// them may overlap, so the longest is a lower bound on the whole. Traffic is
// that of an accounting, all of it from the large memory: where a cache serves
// part of it, as it does for K and V read again, the memory roof is that much
// too low.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_ROOFLINE_H
#define ATTN_COSTMODEL_ROOFLINE_H

#include "attn/CostModel/Target.h"
#include "attn/CostModel/Work.h"

namespace attn {

enum class Resource { Matrix, Exponential, Elementwise, Memory };

llvm::StringRef toString(Resource resource);

struct Roofline {
  double matrixSeconds = 0;
  double exponentialSeconds = 0;
  double elementwiseSeconds = 0;
  double memorySeconds = 0;
  double seconds = 0;                   ///< the longest of them
  Resource resource = Resource::Memory; ///< the one it is

  /// "bandwidth" or "compute".
  llvm::StringRef bound() const;
};

Roofline computeRoofline(const Work &work, Count bytes, ElementType type,
                         const Target &target);

} // namespace attn

#endif // ATTN_COSTMODEL_ROOFLINE_H
