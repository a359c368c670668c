//===- AttnOps.cpp - builders, maps and effects of the ops ----------------===//
#include "attn/IR/AttnDialect.h"
#include "attn/IR/Roles.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::attn;

#define GET_OP_CLASSES
#include "attn/IR/AttnOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

static Type accumulateType(MLIRContext *context, ValueRange qkv) {
  for (Value operand : qkv)
    if (getElementTypeOrSelf(operand).isF64())
      return Float64Type::get(context);
  return Float32Type::get(context);
}

/// Gives the op's region its block: the score, the extras, a yield of the
/// score.
static void buildIdentityScore(OpBuilder &b, OperationState &state,
                               ValueRange qkv, ValueRange extras) {
  Region *region = state.addRegion();
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(region);
  block->addArgument(accumulateType(b.getContext(), qkv), state.location);
  for (Value extra : extras)
    block->addArgument(getElementTypeOrSelf(extra), extra.getLoc());
  YieldOp::create(b, state.location, block->getArgument(0), Value());
}

static SmallVector<Type> tensorTypes(ValueRange outs) {
  SmallVector<Type> types;
  for (Value out : outs)
    if (isa<RankedTensorType>(out.getType()))
      types.push_back(out.getType());
  return types;
}

template <typename OpTy>
static void addScoreAttributes(OpBuilder &b, OperationState &state,
                               ArrayRef<AffineMap> maps, double scale,
                               ArrayAttr visible, HiddenAttr hidden) {
  auto &properties = state.getOrAddProperties<typename OpTy::Properties>();
  properties.maps = b.getAffineMapArrayAttr(maps);
  properties.scale = b.getF64FloatAttr(scale);
  properties.visible = visible;
  properties.hidden = hidden ? hidden : HiddenAttr::getSkip(b.getContext());
  properties.static_origin = b.getDenseI64ArrayAttr({});
  properties.static_extents = b.getDenseI64ArrayAttr({});
}

void AttentionOp::build(OpBuilder &b, OperationState &state, ValueRange qkv,
                        ValueRange extras, Value sink, ValueRange symbols,
                        Value blocks, ValueRange outs, ArrayRef<AffineMap> maps,
                        double scale, ArrayAttr visible, HiddenAttr hidden,
                        EmptyRows emptyRows) {
  state.addOperands(qkv);
  state.addOperands(extras);
  if (sink)
    state.addOperands(sink);
  state.addOperands(symbols);
  if (blocks)
    state.addOperands(blocks);
  state.addOperands(outs);
  addScoreAttributes<AttentionOp>(b, state, maps, scale, visible, hidden);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.empty_rows = EmptyRowsAttr::get(b.getContext(), emptyRows);
  llvm::copy(ArrayRef<int32_t>{1, 1, 1, int32_t(extras.size()), bool(sink),
                               int32_t(symbols.size()), bool(blocks), 0, 0, 1,
                               int32_t(outs.size()) - 1},
             properties.operandSegmentSizes.begin());
  state.addTypes(tensorTypes(outs));
  buildIdentityScore(b, state, qkv, extras);
}

void OnlineAttentionOp::build(OpBuilder &b, OperationState &state,
                              ValueRange qkv, ValueRange extras,
                              ValueRange symbols, Value blocks, ValueRange outs,
                              ArrayRef<AffineMap> maps, double scale,
                              ArrayAttr visible, HiddenAttr hidden) {
  state.addOperands(qkv);
  state.addOperands(extras);
  state.addOperands(symbols);
  if (blocks)
    state.addOperands(blocks);
  state.addOperands(outs);
  addScoreAttributes<OnlineAttentionOp>(b, state, maps, scale, visible, hidden);
  Properties &properties = state.getOrAddProperties<Properties>();
  llvm::copy(ArrayRef<int32_t>{1, 1, 1, int32_t(extras.size()),
                               int32_t(symbols.size()), bool(blocks), 0, 0, 1,
                               1, 1},
             properties.operandSegmentSizes.begin());
  state.addTypes(tensorTypes(outs));
  buildIdentityScore(b, state, qkv, extras);
}

void OnlineBackwardOp::build(OpBuilder &b, OperationState &state,
                             AttentionBackwardOp backward, Value delta,
                             ValueRange grads) {
  state.addOperands(
      {backward.getQuery(), backward.getKey(), backward.getValue()});
  state.addOperands(backward.getExtras());
  state.addOperands(backward.getSymbols());
  if (backward.getBlocks())
    state.addOperands(backward.getBlocks());
  state.addOperands(backward.getOrigin());
  state.addOperands(backward.getExtents());
  state.addOperands({backward.getOutputGrad(), backward.getLse(), delta});
  state.addOperands(grads);
  Properties &properties = state.getOrAddProperties<Properties>();
  // All maps but the sink's.
  SmallVector<AffineMap> maps = backward.getMapArray();
  if (backward.getSink())
    maps.erase(maps.begin() + 3 + backward.getExtras().size());
  properties.maps = b.getAffineMapArrayAttr(maps);
  properties.scale = backward.getScaleAttr();
  properties.visible = backward.getVisibleAttr();
  properties.hidden = backward.getHiddenAttr();
  properties.empty_rows = backward.getEmptyRowsAttr();
  properties.differentiate = backward.getDifferentiateAttr();
  properties.static_origin = backward.getStaticOriginAttr();
  properties.static_extents = backward.getStaticExtentsAttr();
  properties.tiling = backward.getTilingAttr();
  llvm::copy(ArrayRef<int32_t>{1, 1, 1, int32_t(backward.getExtras().size()),
                               int32_t(backward.getSymbols().size()),
                               bool(backward.getBlocks()),
                               int32_t(backward.getOrigin().size()),
                               int32_t(backward.getExtents().size()), 1, 1, 1,
                               int32_t(grads.size())},
             properties.operandSegmentSizes.begin());
  state.addTypes(tensorTypes(grads));
  IRMapping mapping;
  backward.getScore().cloneInto(state.addRegion(), mapping);
}

//===----------------------------------------------------------------------===//
// Destinations and maps
//===----------------------------------------------------------------------===//

MutableOperandRange AttentionOp::getDpsInitsMutable() {
  auto [start, size] = getODSOperandIndexAndLength(9);
  unsigned lse = getODSOperandIndexAndLength(10).second;
  return MutableOperandRange(*this, start, size + lse);
}
MutableOperandRange OnlineAttentionOp::getDpsInitsMutable() {
  return MutableOperandRange(*this, getODSOperandIndexAndLength(8).first, 3);
}
MutableOperandRange MergeOp::getDpsInitsMutable() {
  return MutableOperandRange(*this, 3, 3);
}
MutableOperandRange FinishOp::getDpsInitsMutable() {
  return MutableOperandRange(*this, 3, getNumOperands() - 3);
}

OpOperand &AttentionOp::getOutputOperand() { return *getDpsInitOperand(0); }
OpOperand &OnlineAttentionOp::getOutputOperand() {
  return *getDpsInitOperand(0);
}
OpOperand &AttentionBackwardOp::getOutputOperand() {
  return getOutputMutable();
}
OpOperand &OnlineBackwardOp::getOutputOperand() {
  return getOutputGradMutable(); // it has O's map
}

/// The map of operand number `index` where `withoutMap` says which operands
/// before it take none.
static AffineMap mapAt(IndexedOpInterface op, unsigned index,
                       function_ref<bool(unsigned)> withoutMap) {
  if (withoutMap(index))
    return {};
  unsigned position = 0;
  for (unsigned i = 0; i < index; ++i)
    position += !withoutMap(i);
  SmallVector<AffineMap> maps = op.getMapArray();
  return position < maps.size() ? maps[position] : AffineMap();
}

template <typename OpTy> static AffineMap scoreMapOf(OpTy op, unsigned index) {
  unsigned symbolsBegin = op.getSymbols().getBeginOperandIndex();
  unsigned symbolsEnd = symbolsBegin + op.getSymbols().size();
  unsigned originBegin = op.getOrigin().getBeginOperandIndex();
  unsigned extentsEnd =
      op.getExtents().getBeginOperandIndex() + op.getExtents().size();
  return mapAt(op, index, [&](unsigned i) {
    bool position = i >= originBegin && i < extentsEnd;
    bool scalarSymbol = i >= symbolsBegin && i < symbolsEnd &&
                        !isa<ShapedType>(op->getOperand(i).getType());
    return position || scalarSymbol;
  });
}

AffineMap AttentionOp::getMapOf(OpOperand &operand) {
  return scoreMapOf(*this, operand.getOperandNumber());
}
AffineMap OnlineAttentionOp::getMapOf(OpOperand &operand) {
  unsigned index = operand.getOperandNumber();
  bool isSum = index + 1 == (*this)->getNumOperands();
  return scoreMapOf(*this, index - isSum); // max and sum share a map
}
AffineMap AttentionBackwardOp::getMapOf(OpOperand &operand) {
  // Gradients share the map of what they are the gradient of.
  unsigned index = operand.getOperandNumber();
  unsigned output = getOutputMutable().getOperandNumber();
  unsigned firstGrad = getGrads().getBeginOperandIndex();
  if (index >= firstGrad) {
    unsigned grad = index - firstGrad;
    unsigned sink = getSink() ? 1 : 0;
    if (grad < 3)
      index = grad;
    else if (grad < 3 + sink)
      index = getSinkMutable()[0].getOperandNumber();
    else
      index = getExtras().getBeginOperandIndex() +
              getDifferentiate()[grad - 3 - sink];
  } else if (index > output + 1) {
    index -= 2; // dO as O, dlse as lse
  }
  return scoreMapOf(*this, index);
}
AffineMap OnlineBackwardOp::getMapOf(OpOperand &operand) {
  unsigned index = operand.getOperandNumber();
  unsigned firstGrad = getGrads().getBeginOperandIndex();
  if (index >= firstGrad + 3)
    index = getExtras().getBeginOperandIndex() +
            getDifferentiate()[index - firstGrad - 3];
  else if (index >= firstGrad)
    index -= firstGrad;
  else if (index + 1 == firstGrad)
    index -= 1; // delta as lse
  return scoreMapOf(*this, index);
}
AffineMap MergeOp::getMapOf(OpOperand &operand) {
  return getMapArray()[operand.getOperandNumber() % 3 != 0];
}
AffineMap FinishOp::getMapOf(OpOperand &operand) {
  static constexpr unsigned position[] = {0, 1, 1, 2, 3};
  return getMapArray()[position[operand.getOperandNumber()]];
}

//===----------------------------------------------------------------------===//
// Memory effects
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void getBufferEffects(DestinationStyleOpInterface op, Effects &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand, 0, false,
                         SideEffects::DefaultResource::get());
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand, 0, false,
                           SideEffects::DefaultResource::get());
  }
}

void AttentionOp::getEffects(Effects &effects) {
  getBufferEffects(cast<DestinationStyleOpInterface>(getOperation()), effects);
}
void OnlineAttentionOp::getEffects(Effects &effects) {
  getBufferEffects(cast<DestinationStyleOpInterface>(getOperation()), effects);
}
void AttentionBackwardOp::getEffects(Effects &effects) {
  getBufferEffects(cast<DestinationStyleOpInterface>(getOperation()), effects);
}
void OnlineBackwardOp::getEffects(Effects &effects) {
  getBufferEffects(cast<DestinationStyleOpInterface>(getOperation()), effects);
}
void MergeOp::getEffects(Effects &effects) {
  getBufferEffects(cast<DestinationStyleOpInterface>(getOperation()), effects);
}
void FinishOp::getEffects(Effects &effects) {
  getBufferEffects(cast<DestinationStyleOpInterface>(getOperation()), effects);
}
