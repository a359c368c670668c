//===- Select.cpp - The families of register operations -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

namespace attn::emulator {
ATTN_LANES_BEGIN

bool selectLanes(Mnemonic &m, Selection &s) {
  constexpr SelectLanes families[] = {
      &selectInteger, &selectLogic,   &selectFloat, &selectHalf, &selectSpecial,
      &selectConvert, &selectCompare, &selectMove,  &selectWarp, &selectMma};
  for (SelectLanes family : families) {
    Mnemonic copy = m;
    Selection candidate;
    candidate.statement = s.statement;
    if (!family(copy, candidate) || !candidate.handler || !copy.done())
      continue;
    m = copy;
    s = candidate;
    return true;
  }
  return false;
}

ATTN_LANES_END
} // namespace attn::emulator
