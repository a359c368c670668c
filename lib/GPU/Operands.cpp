//===- Operands.cpp - what scores are computed from -----------------------===//
#include "Operands.h"

using namespace mlir;
using namespace mlir::attn;

DeviceBuffer ScoreOperands::addAt(unsigned operand) {
  OpOperand &at = op->getOpOperand(operand);
  return addBuffer(kernel, attn_gpu::Access::Read, at.get(), op.getMapOf(at));
}

/// Pointers of those that are buffers.
SmallVector<Scores::Extra> ScoreOperands::addAll(OperandRange range) {
  SmallVector<Scores::Extra> list(range.size());
  for (auto [i, operand] : llvm::enumerate(range))
    if (isa<MemRefType>(operand.getType()))
      list[i].buffer = addAt(range.getBeginOperandIndex() + i);
  return list;
}

void ScoreOperands::addInputs() {
  query = addAt(0);
  key = addAt(1);
  value = addAt(2);
  extras = addAll(op.getExtras());
}

void ScoreOperands::addMask() {
  OperandRange range = op.getSymbols();
  symbols = addAll(range);
  if (op.getBlocks())
    blocks = addAt(range.getBeginOperandIndex() + range.size());
}

void ScoreOperands::finish(SmallVector<Scores::Extra> &list,
                           OperandRange range) {
  for (auto [extra, operand] : llvm::zip_equal(list, range)) {
    if (extra.buffer.pointer)
      importStrides(kernel, extra.buffer, operand);
    else
      extra.scalar = kernel.import(operand);
  }
}

void ScoreOperands::importScalars() {
  importStrides(kernel, query, op.getQuery());
  importStrides(kernel, key, op.getKey());
  importStrides(kernel, value, op.getValue());
  finish(extras, op.getExtras());
  finish(symbols, op.getSymbols());
  if (blocks)
    importStrides(kernel, *blocks, op.getBlocks());
}

SmallVector<Value> ScoreOperands::symbolValues(const Point &point) const {
  KernelEmit &b = kernel.device;
  SmallVector<Value> values;
  for (const Scores::Extra &symbol : symbols) {
    Value v = symbol.scalar;
    if (!v)
      v = b.load(symbol.buffer.pointer, symbol.buffer.offset(b, point),
                 symbol.buffer.element);
    if (!v.getType().isIndex())
      v = arith::IndexCastOp::create(b, b.getIndexType(), v);
    values.push_back(v);
  }
  return values;
}
