//===- CostQuery.h - the cost model's view of an attention op -----*- C++
//-*-===//
//
// The cost model knows no IR. Here an attention op becomes a ::attn::Problem, a
// `#attn.tiling` a ::attn::Tiling and `attn.target` a ::attn::Target, for
// whatever asks the model about IR: attn-select-tiling, the ledger of a file.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_TILE_COSTQUERY_H
#define ATTN_TILE_COSTQUERY_H

#include "attn/CostModel/Target.h"
#include "attn/CostModel/Tiling.h"
#include "attn/IR/AttnDialect.h"

namespace mlir::attn {

/// What is assumed where the IR has no static extent: a long sequence, so that
/// tiles are made for it, and a batch that keeps a few cores busy.
struct AssumedExtents {
  int64_t batch = 8;
  int64_t sequence = 2048;
  int64_t headDim = 64;
};

/// The problem an attn.attention or attn.attention_backward poses; its
/// direction is the op's.
::attn::Problem getProblem(ScoreOpInterface op, AssumedExtents assumed = {});

/// Is it the tiling of a backward that adds dQ up atomically?
bool usesAtomics(TilingAttr tiling);

/// Is this an op that carries a tiling of its own: one of these two?
bool choosesTiling(ScoreOpInterface op);

/// The machine of the nearest enclosing module's `attn.target`, `host` where
/// there is none; an error at `op` if the attribute describes no machine.
FailureOr<::attn::Target> getTarget(Operation *op);

/// Will the products of an attention be made by the matrix unit of a CPU? Of
/// few rows they are not: most of a tile would be padding.
bool usesMatrixTiles(AttentionOp op, const ::attn::Target &target);

::attn::Tiling fromAttribute(TilingAttr attr);
TilingAttr toAttribute(MLIRContext *context, const ::attn::Tiling &tiling);

} // namespace mlir::attn

#endif // ATTN_TILE_COSTQUERY_H
