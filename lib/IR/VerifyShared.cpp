//===- VerifyShared.cpp - constraints that all ops have, merge, finish ----===//
#include "VerifyImpl.h"
#include "attn/IR/AttnDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

bool mlir::attn::isElementType(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

//===----------------------------------------------------------------------===//
// Maps and shapes
//===----------------------------------------------------------------------===//

static unsigned expectedMaps(IndexedOpInterface op) {
  unsigned count = 0;
  if (auto score = dyn_cast<ScoreOpInterface>(op.getOperation())) {
    count = 3 + score.getExtras().size() + (score.getBlocks() ? 1 : 0);
    for (Value symbol : score.getSymbols())
      count += isa<ShapedType>(symbol.getType());
    if (auto attention = dyn_cast<AttentionOp>(op.getOperation()))
      return count + bool(attention.getSink()) +
             attention.getDpsInitsMutable().size();
    if (auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation()))
      return count + bool(backward.getSink()) + 2; // the output and lse
    // For the backward of a block: of dO, and one for lse and delta.
    return count + 2; // acc, and one for max and sum
  }
  if (isa<MergeOp>(op.getOperation()))
    return 2;
  return 2 + op->getNumOperands() - 3; // finish
}

LogicalResult mlir::attn::verifyMaps(IndexedOpInterface op,
                                     ArrayRef<StringRef> numbers) {
  SmallVector<AffineMap> maps = op.getMapArray();
  unsigned expected = expectedMaps(op);
  if (maps.size() != expected)
    return op->emitOpError(numbers[0])
           << ": expected " << expected
           << " maps, one per shaped operand in operand order, got "
           << maps.size();
  for (auto [i, map] : llvm::enumerate(maps)) {
    if (map.getNumDims() != maps[0].getNumDims())
      return op->emitOpError(numbers[1])
             << ": expected all maps to have " << maps[0].getNumDims()
             << " dims, got " << map.getNumDims() << " in map " << i;
    if (map.getNumSymbols())
      return op->emitOpError(numbers[1])
             << ": expected maps without symbols, got " << map.getNumSymbols()
             << " in map " << i;
  }
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMapOf(operand);
    if (!map)
      continue;
    auto shaped = dyn_cast<ShapedType>(operand.get().getType());
    if (shaped && !isa<RankedTensorType, MemRefType>(shaped))
      return op->emitOpError(numbers[2])
             << ": expected operand " << operand.getOperandNumber()
             << " to be a ranked tensor or memref, got " << shaped;
    int64_t rank = shaped ? shaped.getRank() : 0;
    if (map.getNumResults() != rank)
      return op->emitOpError(numbers[2])
             << ": expected the map of operand " << operand.getOperandNumber()
             << " to have " << rank << " results, its operand's rank, got "
             << map.getNumResults();
  }
  return success();
}

/// What a map's result needs of its operand's size: for a dim its size, and at
/// least 1, ceil(size / c), min(size, c) for 0, floordiv c, mod c.
static std::optional<int64_t> leastSize(AffineExpr expr,
                                        ArrayRef<int64_t> sizes) {
  if (isa<AffineConstantExpr>(expr))
    return 1;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  auto dim = binary ? dyn_cast<AffineDimExpr>(binary.getLHS()) : nullptr;
  auto by = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
  if (!dim || !by || by.getValue() <= 0 ||
      ShapedType::isDynamic(sizes[dim.getPosition()]))
    return std::nullopt;
  int64_t size = sizes[dim.getPosition()], divisor = by.getValue();
  return binary.getKind() == AffineExprKind::Mod
             ? std::min(size, divisor)
             : llvm::divideCeilSigned(size, divisor);
}

/// Behind 0, floordiv and mod an operand must be large enough for every index.
static LogicalResult verifyLeastSizes(IndexedOpInterface op, StringRef number,
                                      ArrayRef<int64_t> sizes) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMapOf(operand);
    auto shaped = dyn_cast<ShapedType>(operand.get().getType());
    if (!map || !shaped)
      continue;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      std::optional<int64_t> least = leastSize(expr, sizes);
      int64_t size = shaped.getDimSize(position);
      if (least && !ShapedType::isDynamic(size) && size < *least)
        return op->emitOpError(number)
               << ": expected operand " << operand.getOperandNumber()
               << " to have at least " << *least << " elements in dim "
               << position << " for the indices of " << AffineMapAttr::get(map)
               << ", got " << size;
    }
  }
  return success();
}

LogicalResult mlir::attn::verifySizes(IndexedOpInterface op, StringRef number) {
  SmallVector<int64_t> sizes(op.getNumLoops(), ShapedType::kDynamic);
  SmallVector<unsigned> first(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMapOf(operand);
    auto shaped = dyn_cast<ShapedType>(operand.get().getType());
    if (!map || !shaped)
      continue;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      int64_t size = shaped.getDimSize(position);
      if (!dim || ShapedType::isDynamic(size))
        continue;
      int64_t &known = sizes[dim.getPosition()];
      if (ShapedType::isDynamic(known)) {
        known = size;
        first[dim.getPosition()] = operand.getOperandNumber();
      } else if (known != size) {
        return op->emitOpError(number)
               << ": expected dim d" << dim.getPosition() << " to have size "
               << known << " as in operand " << first[dim.getPosition()]
               << ", got " << size << " in operand "
               << operand.getOperandNumber();
      }
    }
  }
  return verifyLeastSizes(op, number, sizes);
}

LogicalResult mlir::attn::verifyResults(DestinationStyleOpInterface op,
                                        StringRef number) {
  unsigned tensors = 0, memrefs = 0;
  for (Value operand : op->getOperands()) {
    tensors += isa<TensorType>(operand.getType());
    memrefs += isa<BaseMemRefType>(operand.getType());
  }
  if (tensors && memrefs)
    return op->emitOpError(number)
           << ": expected tensors or memrefs, got " << tensors
           << " tensors and " << memrefs << " memrefs";
  unsigned expected = tensors ? op.getNumDpsInits() : 0;
  if (op->getNumResults() != expected)
    return op->emitOpError(number) << ": expected " << expected
                                   << " results, got " << op->getNumResults();
  for (unsigned i = 0; i < expected; ++i)
    if (op->getResult(i).getType() != op.getDpsInits()[i].getType())
      return op->emitOpError(number)
             << ": expected result " << i << " to have its destination's type "
             << op.getDpsInits()[i].getType() << ", got "
             << op->getResult(i).getType();
  return success();
}
//===----------------------------------------------------------------------===//
// State ops
//===----------------------------------------------------------------------===//

static LogicalResult verifyStateOp(IndexedOpInterface op, StringRef mapNumber,
                                   StringRef typeNumber,
                                   StringRef resultNumber) {
  if (failed(verifyMaps(op, {mapNumber, mapNumber, mapNumber})))
    return failure();
  SmallVector<AffineMap> maps = op.getMapArray();
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation())
      return op->emitOpError(mapNumber)
             << ": expected projected permutations, got "
             << AffineMapAttr::get(map);
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    if (!maps[0].isFunctionOfDim(dim))
      return op->emitOpError(mapNumber)
             << ": expected dim d" << dim << " to index acc";
  }
  if (failed(verifySizes(op, mapNumber)))
    return failure();
  Type type = getElementTypeOrSelf(op->getOperand(0));
  if (!type.isF32() && !type.isF64())
    return op->emitOpError(typeNumber)
           << ": expected acc to have elements of type f32 or f64, got "
           << type;
  for (unsigned i : {1u, 2u})
    if (Type other = getElementTypeOrSelf(op->getOperand(i)); other != type)
      return op->emitOpError(typeNumber)
             << ": expected max and sum to have elements of type " << type
             << " as acc, got " << other;
  return verifyResults(cast<DestinationStyleOpInterface>(op.getOperation()),
                       resultNumber);
}

LogicalResult MergeOp::verify() {
  if (failed(verifyStateOp(*this, "M1", "M2", "M3")))
    return failure();
  for (unsigned i = 0; i < 3; ++i)
    if (getElementTypeOrSelf(getOperand(i)) !=
        getElementTypeOrSelf(getOperand(i + 3)))
      return emitOpError("M2: expected both states to have elements of one "
                         "type, got ")
             << getElementTypeOrSelf(getOperand(i)) << " and "
             << getElementTypeOrSelf(getOperand(i + 3));
  return success();
}

LogicalResult FinishOp::verify() {
  if (failed(verifyStateOp(*this, "F1", "F2", "F4")))
    return failure();
  SmallVector<AffineMap> maps = getMapArray();
  if (!isElementType(getElementTypeOrSelf(getOutput())))
    return emitOpError("F2: expected the output to have elements of type f16, "
                       "bf16, f32 or f64, got ")
           << getElementTypeOrSelf(getOutput());
  if (getLse() &&
      getElementTypeOrSelf(getLse()) != getElementTypeOrSelf(getAcc()))
    return emitOpError("F2: expected lse to have elements of type ")
           << getElementTypeOrSelf(getAcc()) << " as acc, got "
           << getElementTypeOrSelf(getLse());
  auto sameDims = [&](AffineMap a, AffineMap b) {
    for (unsigned dim = 0; dim < a.getNumDims(); ++dim)
      if (a.isFunctionOfDim(dim) != b.isFunctionOfDim(dim))
        return false;
    return true;
  };
  if (!sameDims(maps[0], maps[2]))
    return emitOpError("F3: expected the map of the output to use the dims of "
                       "acc's, got ")
           << AffineMapAttr::get(maps[2]);
  if (getLse() && !sameDims(maps[1], maps[3]))
    return emitOpError("F3: expected the map of lse to use the dims of max's, "
                       "got ")
           << AffineMapAttr::get(maps[3]);
  return success();
}
