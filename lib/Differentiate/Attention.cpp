//===- Attention.cpp - the gradient of an attention -----------------------===//
#include "Tape.h"
#include "attn/IR/RowReference.h"
#include "attn/IR/ScoreDerivative.h"
#include "attn/IR/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

LogicalResult mlir::attn::differentiateAttention(AttentionOp op, Tape &tape,
                                                 Value output, Value lse,
                                                 Value lseGrad) {
  OpBuilder &b = tape.builder();
  Location loc = op.getLoc();
  SmallVector<int64_t> chosen;
  for (auto [i, extra] : llvm::enumerate(op.getExtras())) {
    if (!tape.isActive(extra))
      continue;
    if (!isa<RankedTensorType>(extra.getType()))
      return noDerivative(op, "a scalar extra depends on the arguments");
    chosen.push_back(i);
  }
  if (failed(verifyDifferentiable(op, chosen)))
    return failure();
  // The attention with the copies of its operands, for their maps and region.
  auto *clone = b.clone(*op.getOperation());
  for (OpOperand &operand : clone->getOpOperands())
    operand.set(tape.copy(operand.get()));
  auto attention = cast<AttentionOp>(clone);

  SmallVector<Value> wanted{op.getQuery(), op.getKey(), op.getValue()};
  if (op.getSink())
    wanted.push_back(op.getSink());
  for (int64_t i : chosen)
    wanted.push_back(op.getExtras()[i]);
  SmallVector<Value> outs;
  for (Value operand : wanted)
    outs.push_back(tensor::EmptyOp::create(
        b, loc, tensor::getMixedSizes(b, loc, tape.copy(operand)),
        cast<RankedTensorType>(operand.getType()).getElementType()));
  Value fromResult = tape.grad(op->getResult(1));
  if (fromResult && lseGrad) {
    tape.activate(op->getResult(1));
    tape.add(loc, op->getResult(1), lseGrad);
    lseGrad = tape.grad(op->getResult(1));
  } else if (fromResult) {
    lseGrad = fromResult;
  }
  ReferredAttention source{attention, lse};
  if (mayReplaceWholeRows(attention)) {
    FailureOr<AttentionOp> masked = maskInScore(b, attention);
    if (failed(masked))
      return op.emitError("attn-differentiate: expected a mask that shows each "
                          "row a key, or one that can move into the score "
                          "function: a row whose scores are all replaced by ")
             << op.getHiddenAttr().getValue().getValueAsDouble()
             << " has a log-sum-exp near it, from which its probabilities "
                "cannot be recomputed; hide keys by -inf instead";
    source.attention = *masked;
  }
  if (mayLoseLogSum(source.attention)) {
    FailureOr<ReferredAttention> referred =
        referToRows(b, source.attention, lse);
    if (failed(referred))
      return op.emitError("attn-differentiate: expected a mask that can move "
                          "into the score function, which adds data: "
                          "replaced scores are recomputed with the others, "
                          "from a reference of their row; got a part of a "
                          "larger attention; hide keys by -inf instead");
    source = *referred;
  }
  auto backward = createBackward(b, source.attention, output, source.lse,
                                 tape.gradOrZeros(loc, op->getResult(0)),
                                 lseGrad, chosen, outs);
  // Only the one whose log-sum-exp is computed again stays.
  if (source.attention != attention && source.attention->use_empty())
    source.attention->erase();
  clone->erase();
  for (auto [operand, grad] : llvm::zip_equal(wanted, backward->getResults()))
    tape.add(loc, operand, grad);
  return success();
}
