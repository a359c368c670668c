//===- TileTerms.cpp - Products of f32 by a unit for bf16 -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/TileTerms.h"

using namespace attn;

static constexpr TileTerm whole[] = {{0, 0}};

// Parts hi, mid, lo. Small terms first, as far as neighbours share a part.
static constexpr TileTerm single[] = {{2, 0}, {1, 0}, {1, 1},
                                      {0, 1}, {0, 2}, {0, 0}};

// Parts hi, mid and hi where finite; the right operand's of a bounded one are
// hi and mid.
static constexpr TileTerm half[] = {{1, 2}, {1, 1}, {2, 1}, {0, 0}};
static constexpr TileTerm halfBounded[] = {{2, 1}, {1, 1}, {1, 0}, {0, 0}};

const TileTerms &attn::tileTerms(ElementType type, bool bounded) {
  static const TileTerms none = {0, 0, {}}, one = {1, 1, whole},
                         six = {3, 3, single}, four = {3, 3, half},
                         fourBounded = {3, 2, halfBounded};
  switch (type) {
  case ElementType::BF16:
    return one;
  case ElementType::F32:
    return six;
  case ElementType::F16:
    return bounded ? fourBounded : four;
  default:
    return none;
  }
}
