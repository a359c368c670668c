//===- HostIsa.cpp - Which build of the lane operations to use ------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Select.h"

namespace attn::emulator {

namespace baseline {
bool selectLanes(Mnemonic &, Selection &);
}
#ifdef ATTN_EMULATOR_X86
namespace avx2 {
bool selectLanes(Mnemonic &, Selection &);
}
namespace avx512 {
bool selectLanes(Mnemonic &, Selection &);
}
#endif

SelectLanes hostSelectLanes() {
#ifdef ATTN_EMULATOR_X86
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return &avx512::selectLanes;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c"))
    return &avx2::selectLanes;
#endif
  return &baseline::selectLanes;
}

} // namespace attn::emulator
