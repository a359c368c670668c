//===- Kernel.h - one kernel under construction and its launch ----*- C++
//-*-===//
//
// Host and kernel are written side by side: `host` emits in front of the
// attention op, `KernelEmit` in the kernel. Host values come into the kernel by
// `pointer` and `import`, which add parameters as KernelABI.h says.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_KERNEL_H
#define ATTN_LIB_GPU_KERNEL_H

#include "attn/CostModel/Target.h"
#include "attn/GPU/AttnGPU.h"
#include "attn/GPU/Passes.h"
#include "attn/IR/Roles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// Index arithmetic that folds constants on the way, and a few shapes of code.
class KernelEmit : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  Value f32(double value);
  Value boolean(bool value);
  Value add(Value a, Value b) { return createOrFold<arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return createOrFold<arith::SubIOp>(a, b); }
  Value mul(Value a, Value b) { return createOrFold<arith::MulIOp>(a, b); }
  Value min(Value a, Value b) { return createOrFold<arith::MinSIOp>(a, b); }
  Value max(Value a, Value b) { return createOrFold<arith::MaxSIOp>(a, b); }
  Value div(Value a, Value b) { return createOrFold<arith::DivUIOp>(a, b); }
  Value rem(Value a, Value b) { return createOrFold<arith::RemUIOp>(a, b); }
  Value add(Value a, int64_t b) { return add(a, index(b)); }
  Value mul(Value a, int64_t b) { return mul(a, index(b)); }
  Value ceilDiv(Value a, int64_t b) { return div(add(a, b - 1), index(b)); }
  Value roundDown(Value a, int64_t b) { return mul(div(a, index(b)), b); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return createOrFold<arith::CmpIOp>(predicate, a, b);
  }
  Value less(Value a, Value b) {
    return compare(arith::CmpIPredicate::slt, a, b);
  }
  Value atMost(Value a, Value b) {
    return compare(arith::CmpIPredicate::sle, a, b);
  }
  /// Conjunction and disjunction; null is true in the one, false in the other.
  Value both(Value a, Value b);
  Value either(Value a, Value b);
  Value select(Value condition, Value a, Value b);
  /// `condition ? then : otherwise`, with control flow.
  SmallVector<Value> branch(Value condition, TypeRange types,
                            function_ref<SmallVector<Value>()> then,
                            function_ref<SmallVector<Value>()> otherwise);
  void when(Value condition, function_ref<void()> then);
  /// The sum over the lanes of a warp, in each of them.
  Value addAcrossWarp(Value value);
  /// Does it hold in some thread of the thread array? A barrier.
  Value anyThread(Value condition);

  /// Digits of `flat` in the mixed radix `sizes`, last one fastest. All but the
  /// first are reduced.
  SmallVector<Value> digits(Value flat, ValueRange sizes);

  using Body = function_ref<SmallVector<Value>(ValueRange elements, Value row,
                                               Value column)>;
  /// attn_gpu.map.
  SmallVector<Value> map(ValueRange inputs, TypeRange types, Body body);
  Value fill(Value scalar, attn_gpu::FragmentType type) {
    return attn_gpu::FillOp::create(*this, type, scalar);
  }
  /// A load of element `offset` of a global buffer. i1 is kept in bytes; an
  /// index in 64 bits.
  Value load(Value base, Value offset, Type element);
  /// Stores a float there.
  void store(Value value, Value base, Value offset);

private:
  Value address(Value base, Value offset, Type stored);
};

/// Where an element lies in a global buffer, and whether it exists.
using Place = function_ref<std::pair<Value, Value>(Value row, Value column)>;
/// Writes the region of attn_gpu.copy and attn_gpu.store.
void emitPlace(KernelEmit &b, Region &region, Place place);

/// A size on the host, as a value.
Value onHost(KernelEmit &host, OpFoldResult value);

/// Is this value a constant true?
bool isTrue(Value value);

/// What the names of an op's kernels begin with: the function that it is in.
std::string kernelStem(Operation *op);

class Kernel {
public:
  /// `name` is made unique. Both builders are ready.
  Kernel(Operation *op, StringRef name, const ::attn::Target &target);

  KernelEmit host, device;

  /// A buffer's address as a parameter. Call for all buffers before `import`.
  Value pointer(attn_gpu::Access access, Value buffer);
  /// What reports and the ledger call the buffer that was added last.
  void nameLast(StringRef name);
  /// A host scalar in the kernel: a constant if it is one, else a parameter.
  Value import(Value value);
  Value import(OpFoldResult value);
  /// Lets a thread have all its registers, however few thread arrays share a
  /// multiprocessor then. Else the assembler may stop at fewer, and spill.
  void useAllRegisters();
  /// Lets it have `registers` of them, for a kernel that is short of them: the
  /// assembler plans with all it is given, loads early until none is left, and
  /// then spills what it had not counted.
  void limitRegisters(int64_t registers);
  /// Ends the kernel and launches it.
  void launch(Value grid, int64_t threads, int64_t sharedBytes);

private:
  Value addParameter(Value argument);

  gpu::GPUModuleOp module;
  gpu::GPUFuncOp func;
  SmallVector<Value> arguments; ///< host values, in order of the parameters
  llvm::DenseMap<Value, Value> imported;
};

/// An affine expression of a map's results, at an iteration point.
Value evaluate(KernelEmit &b, AffineExpr expr, ArrayRef<Value> dims);

/// An operand as the kernel sees it.
struct DeviceBuffer {
  Value pointer;
  Type element;
  AffineMap map;
  MemRefType type;
  SmallVector<Value> strides;

  /// The element at the iteration point `dims` (local indices, one per dim;
  /// those that the map does not use may be null).
  Value offset(KernelEmit &b, ArrayRef<Value> dims) const;
};

/// Adds a pointer parameter; strides follow with `importStrides`, after all
/// pointers.
DeviceBuffer addBuffer(Kernel &kernel, attn_gpu::Access access, Value memref,
                       AffineMap map);
void importStrides(Kernel &kernel, DeviceBuffer &buffer, Value memref);

/// The most elements, at most `limit` (a power of two), that neighbours along
/// the dims `columns` can be moved by at once: they are contiguous, and each
/// such group is aligned and exists as a whole.
int64_t vectorWidth(const DeviceBuffer &buffer, ArrayRef<unsigned> columns,
                    int64_t limit);

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_KERNEL_H
