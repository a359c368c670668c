//===- CreateBackward.cpp - the backward of a given attention -------------===//
#include "attn/IR/Roles.h"
#include "attn/IR/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

AttentionOp mlir::attn::withLogSumExp(RewriterBase &rewriter,
                                      AttentionOp attention) {
  if (attention.getLse())
    return attention;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(attention);
  Location loc = attention.getLoc();
  auto indexed = cast<IndexedOpInterface>(attention.getOperation());
  SmallVector<OpFoldResult> sizes = iterationSizes(rewriter, indexed), rows;
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : stateDims(inferRoles(attention))) {
    rows.push_back(sizes[dim]);
    exprs.push_back(rewriter.getAffineDimExpr(dim));
  }
  Value init =
      tensor::EmptyOp::create(rewriter, loc, rows, accumulateType(attention));
  SmallVector<AffineMap> maps = indexed.getMapArray();
  maps.push_back(
      AffineMap::get(indexed.getNumLoops(), 0, exprs, rewriter.getContext()));
  SmallVector<Type> types(attention->getResultTypes());
  types.push_back(init.getType());
  auto result = AttentionOp::create(
      rewriter, loc, types, attention.getQuery(), attention.getKey(),
      attention.getValue(), attention.getExtras(), attention.getSink(),
      attention.getSymbols(), attention.getBlocks(), attention.getOrigin(),
      attention.getExtents(), attention.getOutput(), init,
      rewriter.getAffineMapArrayAttr(maps), attention.getScaleAttr(),
      attention.getVisibleAttr(), attention.getHiddenAttr(),
      attention.getEmptyRowsAttr(), attention.getStaticOriginAttr(),
      attention.getStaticExtentsAttr(), attention.getTilingAttr());
  result.getScore().takeBody(attention.getScore());
  rewriter.replaceOp(attention, result->getResult(0));
  return result;
}

AttentionBackwardOp
mlir::attn::createBackward(OpBuilder &b, AttentionOp attention, Value output,
                           Value lse, Value outputGrad, Value lseGrad,
                           ArrayRef<int64_t> differentiate, ValueRange outs) {
  auto backward = AttentionBackwardOp::create(
      b, attention.getLoc(), outs.getTypes(), attention.getQuery(),
      attention.getKey(), attention.getValue(), attention.getExtras(),
      attention.getSink(), attention.getSymbols(), attention.getBlocks(),
      attention.getOrigin(), attention.getExtents(), output, lse, outputGrad,
      lseGrad, outs, attention.getMapsAttr(), attention.getScaleAttr(),
      attention.getVisibleAttr(), attention.getHiddenAttr(),
      attention.getEmptyRowsAttr(), b.getDenseI64ArrayAttr(differentiate),
      attention.getStaticOriginAttr(), attention.getStaticExtentsAttr(),
      /*tiling=*/TilingAttr());
  IRMapping mapping;
  attention.getScore().cloneInto(&backward.getScore(), mapping);
  return backward;
}
