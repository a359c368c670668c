//===- CreateBackward.cpp - the backward of a given attention -------------===//
#include "attn/IR/Transforms.h"

using namespace mlir;
using namespace mlir::attn;

AttentionBackwardOp mlir::attn::createBackward(OpBuilder &b,
                                               AttentionOp attention,
                                               Value outputGrad, Value lseGrad,
                                               ArrayRef<int64_t> differentiate,
                                               ValueRange outs) {
  auto backward = AttentionBackwardOp::create(
      b, attention.getLoc(), outs.getTypes(), attention.getQuery(),
      attention.getKey(), attention.getValue(), attention.getExtras(),
      attention.getSink(), attention.getSymbols(), attention.getBlocks(),
      attention.getOrigin(), attention.getExtents(), attention->getResult(0),
      attention->getResult(1), outputGrad, lseGrad, outs,
      attention.getMapsAttr(), attention.getScaleAttr(),
      attention.getVisibleAttr(), attention.getHiddenAttr(),
      attention.getEmptyRowsAttr(), b.getDenseI64ArrayAttr(differentiate),
      attention.getStaticOriginAttr(), attention.getStaticExtentsAttr(),
      /*tiling=*/TilingAttr());
  IRMapping mapping;
  attention.getScore().cloneInto(&backward.getScore(), mapping);
  return backward;
}
