//===- Target.h - what the lowering needs to know of a CPU --------*- C++
//-*-===//
//
// The emitted code is the same for every CPU; only these numbers differ.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_CPU_TARGET_H
#define ATTN_LIB_CPU_TARGET_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::attn {

struct CPUTarget {
  int64_t vectorBits = 128;
  int64_t registers = 16; ///< vector registers
  bool bf16Dot = false;   ///< f32 += bf16 pair . bf16 pair, by x86's avx512bf16

  int64_t lanes(Type element) const {
    return vectorBits / element.getIntOrFloatBitWidth();
  }

  /// What the module's attn.target (or this machine, without one) is in the
  /// cost model's table. Reports an error for a target that is no CPU.
  static FailureOr<CPUTarget> get(ModuleOp module);
};

/// A block of C of `rows` rows and `vectors` vectors that is held in registers
/// while a product runs along its contracted dim.
struct RegisterBlock {
  int64_t rows, vectors;

  /// The block for a C whose rows are `width` vectors wide: as little padding
  /// as possible, then as few loads per multiplication as possible.
  static RegisterBlock choose(const CPUTarget &target, int64_t width);
};

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_TARGET_H
