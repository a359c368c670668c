//===- Online.h - lowering of attn.online_attention ---------------*- C++
//-*-===//
#ifndef ATTN_LIB_CPU_ONLINE_H
#define ATTN_LIB_CPU_ONLINE_H

#include "Scratch.h"
#include "Tile.h"

namespace mlir::attn {

/// A key block as the products of a backward read it.
struct PackedKeys {
  Value keyT, valueT; ///< depth x keys
  Value panels;       ///< K as a right operand
  int64_t panelRows = 0;
};

/// What lowerings of one module share.
struct Lowering {
  Lowering(ModuleOp module, const CPUTarget &target)
      : library(module, target) {}

  KernelLibrary library;
  ScratchPool scratch;
  /// Where each op's packed query block may be made; see hoistPoint.
  llvm::DenseMap<Operation *, Operation *> queryPoint;
  /// Query blocks that are packed already: by block and description.
  llvm::DenseMap<Block *, llvm::StringMap<Value>> packedQueries;
  unsigned numPackedQueries = 0;
  /// The same for the key block of a backward.
  llvm::DenseMap<Operation *, Operation *> keyPoint;
  llvm::DenseMap<Block *, llvm::StringMap<PackedKeys>> packedKeys;
  unsigned numPackedKeys = 0;
  /// Functions that ask for the matrix unit's tiles.
  llvm::SmallPtrSet<Operation *, 4> tileFunctions;
};

/// Replace an op on memrefs by vector code. Errors are reported at the op.
LogicalResult lowerOnline(OnlineAttentionOp op, Lowering &lowering);
LogicalResult lowerMerge(MergeOp op, Lowering &lowering);
LogicalResult lowerFinish(FinishOp op, Lowering &lowering);

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_ONLINE_H
