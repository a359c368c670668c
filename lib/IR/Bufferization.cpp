//===- Bufferization.cpp - attn ops on memrefs ----------------------------===//
//
// Every op is in destination style: a result lives in its destination's buffer,
// inputs are read. On memrefs the op is the same op without results.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "attn/IR/AttnDialect.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::bufferization;

static bool isDestination(Operation *op, OpOperand &operand) {
  return cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
}

/// Does the op use what a destination held before? attention and finish
/// overwrite it; the online ops and merge continue from it.
static bool readsDestinations(Operation *op) {
  return isa<OnlineAttentionOp, OnlineBackwardOp, MergeOp>(op);
}

static AliasingValueList aliases(Operation *op, OpOperand &operand) {
  auto destination = cast<DestinationStyleOpInterface>(op);
  if (!destination.isDpsInit(&operand) || op->getNumResults() == 0)
    return {};
  return {{destination.getTiedOpResult(&operand), BufferRelation::Equivalent}};
}

static LogicalResult bufferizeInPlace(Operation *op, RewriterBase &rewriter,
                                      const BufferizationOptions &options,
                                      BufferizationState &state) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands, results;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (isa<TensorType>(value.getType())) {
      FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
      if (failed(buffer))
        return failure();
      value = *buffer;
    }
    operands.push_back(value);
    if (isDestination(op, operand))
      results.push_back(value);
  }
  mlir::clone(rewriter, op, TypeRange{}, operands);
  replaceOpWithBufferizedValues(rewriter, op, results);
  return success();
}

#define ATTN_BUFFERIZE(OpTy)                                                   \
  bool OpTy::bufferizesToMemoryRead(OpOperand &operand,                        \
                                    const AnalysisState &) {                   \
    return !isDestination(*this, operand) || readsDestinations(*this);         \
  }                                                                            \
  bool OpTy::bufferizesToMemoryWrite(OpOperand &operand,                       \
                                     const AnalysisState &) {                  \
    return isDestination(*this, operand);                                      \
  }                                                                            \
  AliasingValueList OpTy::getAliasingValues(OpOperand &operand,                \
                                            const AnalysisState &) {           \
    return aliases(*this, operand);                                            \
  }                                                                            \
  LogicalResult OpTy::bufferize(RewriterBase &rewriter,                        \
                                const BufferizationOptions &options,           \
                                BufferizationState &state) {                   \
    return bufferizeInPlace(*this, rewriter, options, state);                  \
  }

ATTN_BUFFERIZE(AttentionOp)
ATTN_BUFFERIZE(OnlineAttentionOp)
ATTN_BUFFERIZE(AttentionBackwardOp)
ATTN_BUFFERIZE(OnlineBackwardOp)
ATTN_BUFFERIZE(MergeOp)
ATTN_BUFFERIZE(FinishOp)
#undef ATTN_BUFFERIZE
