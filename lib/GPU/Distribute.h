//===- Distribute.h - from a warp's values to a lane's ------------*- C++
//-*-===//
//
// What the patterns of attn-distribute-to-nvvm share: the lane's position, the
// registers of a fragment, addresses of shared memory. A shared tile becomes
// its byte offset (i32) in the thread array's shared memory.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_DISTRIBUTE_H
#define ATTN_LIB_GPU_DISTRIBUTE_H

#include "attn/GPU/AttnGPU.h"
#include "attn/GPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::attn_gpu {

/// The external symbol that stands for dynamic shared memory.
inline constexpr llvm::StringLiteral kSharedSymbol = "attention_shared";

/// Emits code for one lane.
class Lane : public ImplicitLocOpBuilder {
public:
  /// `op` is in a kernel with a known block size.
  Lane(OpBuilder &builder, Operation *op);

  int64_t threads() const { return numThreads; }
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(*this, getI32Type(), value);
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  Value thread();                               ///< i32, in the thread array
  Value lane();                                 ///< i32, in the warp
  Value group() { return shr(lane(), 2); }      ///< g: the row of a lane
  Value inGroup() { return bitAnd(lane(), 3); } ///< t: its columns

  Value add(Value a, Value b) { return fold<arith::AddIOp>(a, b); }
  Value add(Value a, int64_t b) { return add(a, constantLike(a, b)); }
  Value mul(Value a, int64_t b) {
    return fold<arith::MulIOp>(a, constantLike(a, b));
  }
  Value shr(Value a, int64_t b) {
    return fold<arith::ShRUIOp>(a, constantLike(a, b));
  }
  Value bitAnd(Value a, int64_t b) {
    return fold<arith::AndIOp>(a, constantLike(a, b));
  }
  Value bitXor(Value a, Value b) { return fold<arith::XOrIOp>(a, b); }
  Value bitXor(Value a, int64_t b) {
    return b ? bitXor(a, constantLike(a, b)) : a;
  }
  Value divide(Value a, int64_t b) {
    return fold<arith::DivUIOp>(a, constantLike(a, b));
  }
  Value remainder(Value a, int64_t b) {
    return fold<arith::RemUIOp>(a, constantLike(a, b));
  }
  Value toIndex(Value a) {
    return arith::IndexCastUIOp::create(*this, getIndexType(), a);
  }

  /// Shared memory at byte offset `offset` + `constant`.
  Value sharedPointer(Value offset, Value tile, int64_t constant);
  /// The swizzled byte offset in a tile of its row `row` (i32) and its 16-byte
  /// piece `piece` (i32).
  Value swizzled(SharedType type, Value row, Value piece);
  /// `piece` and the pieces before column `first` (i32, null: 0).
  Value furtherColumns(SharedType type, Value piece, Value first) {
    return first ? add(piece, divide(first, type.getPiece())) : piece;
  }
  /// From such an offset to that of the piece which is a constant number of
  /// pieces further, for a sum of `piece` and `further` without carries; adds
  /// to `constant` what may be an immediate.
  Value furtherPiece(SharedType type, Value offset, int64_t further,
                     int64_t &constant);
  /// Element `offset` (index) of a global buffer.
  Value globalPointer(Value base, Value offset, Type element);
  Value extract(Value aggregate, int64_t position);
  /// Two values as the halves of 32 bits, rounded to `type`; `low` first.
  Value pack(Value low, Value high, Type type);

  /// Copies a region's block here, its arguments being `arguments`; what its
  /// terminator yields.
  SmallVector<Value> inlineBody(Block &block, ValueRange arguments);

private:
  template <typename OpTy> Value fold(Value a, Value b) {
    return createOrFold<OpTy>(a, b);
  }
  Value constantLike(Value a, int64_t b) {
    return a.getType().isIndex() ? index(b) : i32(b);
  }
  int64_t numThreads = 0;
};

/// Elements of a fragment in the order of a lane's registers: `row` and
/// `column` are what is added to the lane's own g and 2 t.
struct RegisterPlace {
  int64_t row, column;
};
SmallVector<RegisterPlace> accRegisters(FragmentType type);

void populateElementwise(const TypeConverter &converter,
                         RewritePatternSet &patterns);
void populateMemory(const TypeConverter &converter,
                    RewritePatternSet &patterns);
/// Replaces math ops that have no instruction; an error at one that stays.
LogicalResult expandMathFunctions(Operation *root);

void populateMma(const TypeConverter &converter, RewritePatternSet &patterns);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_GPU_DISTRIBUTE_H
