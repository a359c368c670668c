//===- BackwardKernel.h - gradients of what a thread array owns ---*- C++
//-*-===//
//
// One shape of kernel writes dQ, or dK and dV. A thread array owns a block of
// rows (of keys), whose operands stay in shared memory, and walks the keys
// (rows) that they meet. With A and A' the owned operands and B and B' the
// walked ones,
//
//                    A   A'   B   B'
//     owner rows     Q   dO   K   V
//     owner keys     K   V    Q   dO
//
// it computes for each block that it walks, every warp its own rows of it,
//
//     S = A B^T,  dP = A' B'^T            owned x walked, in registers
//     P from S and the row terms,  dS from P, dP and the row terms
//     dA += dS B;   owner keys: dA' += P B'
//
// so that P and dS go from one product to the next in registers, transposed
// or not, and every sum has one order: nothing is shared between thread arrays.
// S and dP are computed twice for it, once for each owner.
//
//     A, A', B(0), B'(0) copied
//     for each visited block j:
//       wait; barrier                    B(j), B'(j) are there
//       copy B(j+1), B'(j+1)             two stages; with one at the end, after
//       S, dP, P, dS, dA, dA'            a barrier
//     dA scale, dA' stored
//
// With atomics an owner of keys makes its part of dQ as well, and nobody owns
// rows: dS goes through shared memory, from which every warp takes all of the
// thread array's keys for its part of the block,
//
//       dS put; barrier;  dQ(j) += dS K  added to sums in memory
//
// What is hidden is left out where that is exact: see `widen`. A gradient is
// summed over the batch dims that its operand lacks, the loop around all this.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_BACKWARDKERNEL_H
#define ATTN_LIB_GPU_BACKWARDKERNEL_H

#include "Operands.h"
#include "RowGradient.h"
#include "RowTerms.h"
#include "Tiles.h"

namespace mlir::attn {

/// What a kernel writes, by the place of the gradient among the op's.
struct BackwardTask {
  Owner owner;
  bool own;      ///< dA: dQ or dK
  bool ownValue; ///< dA': dV
  /// Batch dims that these gradients lack.
  SmallVector<unsigned> summed;
};

class BackwardKernel {
public:
  BackwardKernel(AttentionBackwardOp op, const ::attn::Target &target,
                 StringRef name, BackwardTask task, RowTerms terms);
  /// Has an owner of keys add its part of dQ to these sums.
  void addRowGradient(const RowGradient &sums) { rowSums = sums; }
  void build();

private:
  struct State {
    Value own, ownValue; ///< accumulators; null if not asked for
    SmallVector<Value> values() const;
  };
  State stateOf(ValueRange values) const;
  /// What of the row terms a block needs, as fragments.
  struct Terms {
    Value shift, delta;
  };

  void addOperands();
  void setUpTiles();
  State zeros();
  void copyOwn();
  void copyWalked(Value first);
  Mask makeMask();
  Value hiddenCounts();
  State runElement(State state);
  State run(Mask &mask, State state);
  State visit(Mask &mask, State state, Value first);
  void putScoreGradient(Value dS);
  void addToRows(Value first);
  Terms ownTerms();
  Terms walkedTerms(Value first);
  Value batchNumber();
  Value ownRow(Value row);
  std::pair<Value, Value> points(Mask &mask, Value product, Value gradient,
                                 Terms terms, Value first);
  SmallVector<Value> pointAt(Mask &mask, ValueRange elements, Value row,
                             Value column, Value first, bool masked);
  void store(Value sums, const DeviceBuffer &to, ArrayRef<unsigned> columns,
             double scale);

  bool ownsKeys() const { return task.owner == Owner::Keys; }
  attn_gpu::FragmentType sums(ArrayRef<unsigned> columns) const;
  attn_gpu::FragmentType blockType() const;

  mutable AttentionBackwardOp op;
  BackwardTask task;
  Kernel kernel;
  KernelEmit &b;
  Geometry geometry;
  const Roles &roles; ///< of the geometry: exchanged if it owns keys
  ScoreOperands operands;
  Tiles tiles;
  std::optional<Scores> scores;
  RowTerms terms;
  std::optional<RowGradient> rowSums;
  DeviceBuffer outputGrad, ownGrad, valueGrad;
  Value tileA, tileA2, tileB, tileB2;
  Value tileS;  ///< dS of a block, for dQ
  Terms ofRows; ///< of owned rows
};

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_BACKWARDKERNEL_H
