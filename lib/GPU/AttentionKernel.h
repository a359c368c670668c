//===- AttentionKernel.h - what an attention's kernels share ------*- C++
//-*-===//
//
// Operands as parameters, the softmax state of a warp's rows in fragments
// (attn/Support/Algebra.h), and what becomes of it in the end. The reference is
// in natural units. Where a row has seen nothing it is the lowest finite
// number: any will do beside a sum of 0, and with this one no score, -inf or
// not, needs a test of its own.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_ATTENTIONKERNEL_H
#define ATTN_LIB_GPU_ATTENTIONKERNEL_H

#include "Scores.h"
#include <limits>

namespace mlir::attn {

inline constexpr double inf = std::numeric_limits<double>::infinity();
/// The reference of a row that has seen nothing.
inline constexpr double lowestScore = -std::numeric_limits<float>::max();

/// States of all parts of the keys, [part][thread array][row]: the accumulator
/// has a tile's columns in addition, and lies as attn_gpu.store_sums leaves it.
/// Host values.
struct Partials {
  Value acc, reference, sum;
  int64_t parts;
};

class AttentionKernel {
public:
  AttentionKernel(AttentionOp op, const ::attn::Target &target, StringRef name)
      : op(op), kernel(op, name, target), b(kernel.device),
        geometry(kernel, op), roles(geometry.roles) {}

protected:
  struct State {
    Value acc, reference, sum;
    SmallVector<Value> values() const { return {acc, reference, sum}; }
  };

  // Parameters, in the order that KernelABI.h tells.
  DeviceBuffer buffer(attn_gpu::Access access, OpOperand &operand) {
    return addBuffer(kernel, access, operand.get(), op.getMapOf(operand));
  }
  void addSink();
  void addResults();
  void addPartials(const Partials &partials, attn_gpu::Access access);
  void importResultStrides();

  /// State of a row that has seen nothing but the sink, which counts in the
  /// reference from the start and in the sum at the end.
  State initialState(bool withSink);
  Value sinkScores();
  /// exp(from - to) per row.
  Value correction(Value from, Value to);
  /// The sums times `factor` (a row's), with another reference.
  State scaled(State state, Value factor, Value reference);
  /// The state with another reference.
  State rescaled(State state, Value reference);
  /// Results of a state whose sums are complete.
  void finish(State state);
  /// The place of this thread array's rows, of part `part`, in a scratch
  /// buffer.
  Value partialOffset(Value part, Value row, Value column, int64_t columns);

  attn_gpu::FragmentType rowType() const {
    return attn_gpu::FragmentType::getRow(geometry.rowsPerWarp, b.getF32Type());
  }
  attn_gpu::FragmentType accType() const {
    return attn_gpu::FragmentType::getAcc(geometry.rowsPerWarp,
                                          geometry.paddedColumns(roles.value),
                                          b.getF32Type());
  }
  Value rowMap(ValueRange inputs,
               function_ref<Value(ValueRange elements, Value row)> body);
  Value matrixMap(ValueRange inputs, function_ref<Value(ValueRange)> body);
  Value isEqual(Value x, double to) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, b.f32(to));
  }

  mutable AttentionOp op;
  Kernel kernel;
  KernelEmit &b;
  Geometry geometry;
  const Roles &roles;

  std::optional<DeviceBuffer> sink, lse;
  DeviceBuffer output;
  Partials partials{}; ///< as parameters

private:
  void storeOutput(State state);
  void storeLse(State state);
};

/// attn_gpu.store; `place` gives an element's offset and existence.
void emitStore(KernelEmit &b, Value source, Value base, Type element,
               int64_t vector, Place place, bool byRows = false);

/// A second kernel: merges the states of all parts and finishes.
void mergePartials(AttentionOp op, const ::attn::Target &target, StringRef name,
                   const Partials &partials);

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_ATTENTIONKERNEL_H
