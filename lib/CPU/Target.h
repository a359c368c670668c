//===- Target.h - what the lowering needs to know of a CPU --------*- C++
//-*-===//
//
// The emitted code is the same for every CPU; only the numbers of the cost
// model's table differ.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_CPU_TARGET_H
#define ATTN_LIB_CPU_TARGET_H

#include "attn/CostModel/RegisterBlock.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::attn {

/// A block of C that is held in registers while a product runs along its
/// contracted dim.
using RegisterBlock = ::attn::RegisterBlock;

struct CPUTarget : ::attn::Target {
  int64_t lanes(Type element) const {
    return vectorBits / element.getIntOrFloatBitWidth();
  }
  /// f32 += bf16 pair . bf16 pair by the instruction that is emitted: x86's, on
  /// whole 512-bit registers.
  bool hasBF16Dot() const { return bf16Dot && vectorBits == 512; }
  /// f32 += bf16 . bf16 on tiles of 16 rows of 64 bytes: x86's AMX.
  bool hasBF16Tiles(int64_t rows) const {
    return usesMatrixTiles(::attn::ElementType::BF16, rows);
  }
  /// x 2^floor(y) and y - floor(y) by instruction: AVX-512's, likewise.
  bool hasExponentScale = false;

  /// The block for a C of up to `height` rows (or kDynamic), `width` vectors
  /// wide.
  RegisterBlock chooseBlock(int64_t height, int64_t width) const {
    return ::attn::chooseRegisterBlock(
        *this, ShapedType::isDynamic(height) ? 0 : height, width);
  }

  /// What the module's attn.target (or this machine, without one) is in the
  /// cost model's table. Reports an error for a target that is no CPU.
  static FailureOr<CPUTarget> get(ModuleOp module);
};

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_TARGET_H
