//===- Work.h - Operations of an attention ----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations by the unit that executes them. For a dense square problem the
// matrix products are 4 N^2 d forward, 8 N^2 d backward with P kept and
// 10 N^2 d backward with P recomputed. The tiled accountings execute the scores
// of visited blocks, hidden ones inside of them included; the others execute
// the full square whatever the mask.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_WORK_H
#define ATTN_COSTMODEL_WORK_H

#include "attn/CostModel/Traffic.h"

namespace attn {

struct Work {
  Count matrix = 0;      ///< floating-point operations of products, 2 per FMA
  Count exponential = 0; ///< exponentials
  Count other = 0;       ///< further floating-point operations
  Count scores = 0;      ///< row-key pairs executed, forward or backward

  Work operator+(const Work &rhs) const {
    return {matrix + rhs.matrix, exponential + rhs.exponential,
            other + rhs.other, scores + rhs.scores};
  }
};

/// What `problem`, in its direction, executes under `accounting`.
Work computeWork(const Problem &problem, Accounting accounting,
                 const Tiling &tiling);

} // namespace attn

#endif // ATTN_COSTMODEL_WORK_H
