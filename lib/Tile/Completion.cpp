//===- Completion.cpp - folding keys whose score is replaced --------------===//
#include "Completion.h"
#include "BlockLoop.h"
#include "attn/CostModel/Problem.h"
#include "attn/IR/Roles.h"
#include "attn/IR/VisibleAttr.h"
#include "attn/Support/Algebra.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;

bool mlir::attn::needsCompletion(OnlineAttentionOp op) {
  return !op.getHidden().isSkip() && op.getVisibleAttr() &&
         getVisible(op).complementBound() <= ::attn::maxComplementSets;
}

void mlir::attn::dropHiddenKeys(OnlineAttentionOp op) {
  op.setHiddenAttr(HiddenAttr::getSkip(op.getContext()));
}

/// i1: has some row max - c below the threshold at which exp(c - max) counts?
static Value someRowNeedsHidden(OpBuilder &b, OnlineAttentionOp op) {
  Location loc = op.getLoc();
  FloatType type = accumulateType(op);
  double c = op.getHidden().getValue().getValueAsDouble();
  double threshold = type.isF64() ? ::attn::CompletionThreshold<double>::natural
                                  : ::attn::CompletionThreshold<float>::natural;
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  Value out = tensor::FromElementsOp::create(
      b, loc, RankedTensorType::get({}, b.getI1Type()), no);
  Value max = op.getMax();
  unsigned rank = cast<ShapedType>(max.getType()).getRank();
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(rank),
                                 AffineMap::get(rank, 0, {}, b.getContext())};
  SmallVector<utils::IteratorType> types(rank, utils::IteratorType::reduction);
  Value any = linalg::GenericOp::create(
                  b, loc, TypeRange{out.getType()}, max, out, maps, types,
                  [&](OpBuilder &n, Location at, ValueRange args) {
                    Value offset = arith::ConstantOp::create(
                        n, at, n.getFloatAttr(type, c));
                    Value limit = arith::ConstantOp::create(
                        n, at, n.getFloatAttr(type, threshold));
                    Value gap = arith::SubFOp::create(n, at, args[0], offset);
                    Value close = arith::CmpFOp::create(
                        n, at, arith::CmpFPredicate::OLT, gap, limit);
                    Value result = arith::OrIOp::create(n, at, args[1], close);
                    linalg::YieldOp::create(n, at, result);
                  })
                  .getResult(0);
  return tensor::ExtractOp::create(b, loc, any, ValueRange{});
}

/// Makes the op fold the hidden keys: mask complemented, c for a score.
static void foldHiddenInstead(RewriterBase &rewriter, OnlineAttentionOp op) {
  double c = op.getHidden().getValue().getValueAsDouble();
  Type type = accumulateType(op);
  auto yield = cast<YieldOp>(op.getScore().front().getTerminator());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(yield);
  Value constant = arith::ConstantOp::create(rewriter, op.getLoc(),
                                             rewriter.getFloatAttr(type, c));
  yield.getScoreMutable().assign(constant);
  op.setVisibleAttr(toAttribute(op.getContext(), getVisible(op).complement()));
  dropHiddenKeys(op);
}

LogicalResult mlir::attn::completeHiddenKeys(RewriterBase &rewriter,
                                             OnlineAttentionOp op,
                                             ArrayRef<int64_t> keyBlock) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> state(op.getDpsInits());
  Value needed = someRowNeedsHidden(rewriter, op);
  auto branch = scf::IfOp::create(rewriter, loc, op->getResultTypes(), needed,
                                  /*withElseRegion=*/true);
  rewriter.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, state);
  rewriter.setInsertionPointToEnd(branch.thenBlock());
  auto hidden = cast<OnlineAttentionOp>(rewriter.clone(*op));
  foldHiddenInstead(rewriter, hidden);
  rewriter.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(rewriter, loc, hidden->getResults());
  rewriter.replaceOp(op, branch.getResults());
  return tileKeys(rewriter, hidden, keyBlock);
}
