//===- Verify.cpp - the numbered constraints of the score ops -------------===//
//
// Each predicate checks one constraint of an op's page and cites its number.
// The message says what was expected, what was found and, where it is not
// plain, what to do.
//
//===----------------------------------------------------------------------===//
#include "VerifyImpl.h"
#include "attn/IR/AttnDialect.h"
#include "attn/IR/Roles.h"
#include "attn/IR/ScoreDerivative.h"
#include "attn/Support/Philox.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

static constexpr StringLiteral operandNames[] = {"query", "key", "value"};

static void appendDims(InFlightDiagnostic &diagnostic,
                       ArrayRef<unsigned> dims) {
  diagnostic << "(";
  llvm::interleaveComma(dims, diagnostic,
                        [&](unsigned dim) { diagnostic << "d" << dim; });
  diagnostic << ")";
}

/// True if `map` is a projected permutation of exactly `dims`.
static bool indexesExactly(AffineMap map, ArrayRef<unsigned> dims) {
  if (!map.isProjectedPermutation() || map.getNumResults() != dims.size())
    return false;
  return llvm::all_of(dims,
                      [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

static bool indexesOnly(AffineMap map, ArrayRef<unsigned> dims) {
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (map.isFunctionOfDim(dim) && !llvm::is_contained(dims, dim))
      return false;
  return true;
}
//===----------------------------------------------------------------------===//
// Score ops
//===----------------------------------------------------------------------===//

static LogicalResult verifyRoles(ScoreOpInterface op, const Roles &roles,
                                 AffineMap outputMap) {
  SmallVector<AffineMap> maps = op.getMapArray();
  SmallVector<std::pair<StringRef, AffineMap>> named = {{"query", maps[0]},
                                                        {"key", maps[1]},
                                                        {"value", maps[2]},
                                                        {"output", outputMap}};
  for (auto [name, map] : named)
    if (!map.isProjectedPermutation())
      return op->emitOpError("C3: expected the map of ")
             << name << " to be a projected permutation, got "
             << AffineMapAttr::get(map);
  for (auto [dim, role] : llvm::enumerate(roles.ofDim)) {
    if (role != Role::None)
      continue;
    InFlightDiagnostic diagnostic = op->emitOpError("C5: dim d")
                                    << dim << " has no role: it indexes {";
    bool first = true;
    for (auto [name, map] : named) {
      if (!map.isFunctionOfDim(dim))
        continue;
      diagnostic << (first ? "" : ", ") << name;
      first = false;
    }
    return diagnostic << "}; expected row {query, output}, key {key, value}, "
                         "depth {query, key}, value {value, output} or a batch "
                         "dim";
  }
  if (roles.key.empty())
    return op->emitOpError(
        "C6: expected a key dim, one that indexes key and value and neither "
        "query nor output");
  return success();
}

static LogicalResult verifyElementTypes(ScoreOpInterface op) {
  Value operands[] = {op.getQuery(), op.getKey(), op.getValue()};
  for (auto [name, operand] : llvm::zip_equal(operandNames, operands))
    if (Type type = getElementTypeOrSelf(operand); !isElementType(type))
      return op->emitOpError("C8: expected ")
             << name << " to have elements of type f16, bf16, f32 or f64, got "
             << type;
  if (Type type = getElementTypeOrSelf(op.getOutputOperand().get());
      !isElementType(type))
    return op->emitOpError("C8: expected the output to have elements of type "
                           "f16, bf16, f32 or f64, got ")
           << type;
  return success();
}

/// C10: batch, row and key dims, 0, or such a dim floordiv or mod a constant.
static bool isExtraResult(AffineExpr expr, ArrayRef<unsigned> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() == 0;
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return llvm::is_contained(dims, dim.getPosition());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || (binary.getKind() != AffineExprKind::FloorDiv &&
                  binary.getKind() != AffineExprKind::Mod))
    return false;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return divisor && divisor.getValue() > 0 &&
         isa<AffineDimExpr>(binary.getLHS()) &&
         isExtraResult(binary.getLHS(), dims);
}

static LogicalResult verifyExtras(ScoreOpInterface op,
                                  IndexedOpInterface indexed,
                                  const Roles &roles) {
  SmallVector<unsigned> dims = roles.setDims();
  unsigned begin = op.getExtras().getBeginOperandIndex();
  for (unsigned i = 0; i < op.getExtras().size(); ++i) {
    OpOperand &operand = op->getOpOperand(begin + i);
    Type type = getElementTypeOrSelf(operand.get());
    if (!type.isIntOrIndexOrFloat())
      return op->emitOpError("C10: expected extra ")
             << i << " to be a number or an array of numbers, got "
             << operand.get().getType();
    for (AffineExpr result : indexed.getMapOf(operand).getResults())
      if (!isExtraResult(result, dims))
        return op->emitOpError("C10: expected the map of extra ")
               << i
               << " to use batch, row and key dims, 0, or one of these dims "
                  "floordiv or mod a positive constant, got "
               << AffineMapAttr::get(indexed.getMapOf(operand));
  }
  return success();
}

static LogicalResult verifySymbols(ScoreOpInterface op,
                                   IndexedOpInterface indexed,
                                   const Roles &roles) {
  unsigned begin = op.getSymbols().getBeginOperandIndex();
  for (unsigned i = 0; i < op.getSymbols().size(); ++i) {
    OpOperand &operand = op->getOpOperand(begin + i);
    Type type = operand.get().getType();
    if (!getElementTypeOrSelf(type).isIntOrIndex())
      return op->emitOpError("C12: expected symbol ")
             << i << " to be an index or integer, or a tensor of them, got "
             << type;
    AffineMap map = indexed.getMapOf(operand);
    if (map &&
        (!map.isProjectedPermutation() || !indexesOnly(map, roles.batch)))
      return op->emitOpError("C12: expected the map of symbol ")
             << i << " to be a projected permutation of batch dims, got "
             << AffineMapAttr::get(map);
  }
  return success();
}

static LogicalResult verifyBlocks(ScoreOpInterface op,
                                  IndexedOpInterface indexed,
                                  const Roles &roles) {
  if (!op.getBlocks())
    return success();
  if (!getElementTypeOrSelf(op.getBlocks()).isInteger(1))
    return op->emitOpError(
               "C13: expected blocks to have elements of type i1, got ")
           << getElementTypeOrSelf(op.getBlocks());
  if (!op.getHiddenAttr().isSkip())
    return op->emitOpError(
        "C13: expected hidden = skip with blocks, got replace");
  // The same value may be an extra as well: the operand is found by its place,
  // after the symbols.
  OperandRange symbols = op.getSymbols();
  AffineMap map = indexed.getMapOf(
      op->getOpOperand(symbols.getBeginOperandIndex() + symbols.size()));
  auto mayBlock = [&](unsigned dim) {
    return llvm::is_contained(roles.key, dim) ||
           (!roles.row.empty() && dim == roles.row.back());
  };
  for (AffineExpr result : map.getResults()) {
    // d floordiv 1 is d: a plain row or key dim has blocks of 1.
    if (auto dim = dyn_cast<AffineDimExpr>(result);
        dim && (llvm::is_contained(roles.batch, dim.getPosition()) ||
                mayBlock(dim.getPosition())))
      continue;
    auto binary = dyn_cast<AffineBinaryOpExpr>(result);
    auto dim = binary ? dyn_cast<AffineDimExpr>(binary.getLHS()) : nullptr;
    auto size =
        binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
    bool blocked = dim && size && size.getValue() > 0 &&
                   binary.getKind() == AffineExprKind::FloorDiv &&
                   mayBlock(dim.getPosition());
    if (!blocked)
      return op->emitOpError(
                 "C13: expected the map of blocks to use batch dims, the last "
                 "row dim floordiv a constant and the key dim floordiv a "
                 "constant, got ")
             << AffineMapAttr::get(map);
  }
  return success();
}

static LogicalResult verifyVisible(ScoreOpInterface op, const Roles &roles) {
  if (!op.getVisibleAttr())
    return success();
  unsigned dims = roles.setDims().size();
  unsigned symbols = dims + op.getSymbols().size();
  for (auto set : op.getVisibleAttr().getAsValueRange<IntegerSetAttr>())
    if (set.getNumDims() != dims || set.getNumSymbols() != symbols)
      return op->emitOpError("C14: expected visible sets with ")
             << dims << " dims (batch, row and key) and " << symbols
             << " symbols (their extents, then symbol operands), got "
             << set.getNumDims() << " dims and " << set.getNumSymbols()
             << " symbols";
  return success();
}

static LogicalResult verifyRegion(ScoreOpInterface op) {
  Type accumulate = accumulateType(op);
  Block &block = op.getScoreRegion().front();
  unsigned expected = 1 + op.getExtras().size();
  if (block.getNumArguments() != expected)
    return op->emitOpError("C15: expected ")
           << expected << " region arguments, the score and one per extra, got "
           << block.getNumArguments();
  for (unsigned i = 0; i < expected; ++i) {
    Type want = i ? getElementTypeOrSelf(op.getExtras()[i - 1]) : accumulate;
    if (block.getArgument(i).getType() != want)
      return op->emitOpError("C15: expected region argument ")
             << i << " to have type " << want << ", got "
             << block.getArgument(i).getType();
  }
  if (block.empty() || !isa<YieldOp>(block.back()))
    return op->emitOpError("C15: expected the region to end with attn.yield");
  for (Value yielded : block.back().getOperands())
    if (yielded.getType() != accumulate)
      return op->emitOpError("C15: expected the region to yield ")
             << accumulate << ", the accumulate type, got "
             << yielded.getType();
  for (Operation &inner : block.without_terminator()) {
    Dialect *dialect = inner.getDialect();
    bool allowed =
        isa<IndexOp, KeepOp>(inner) ||
        isa_and_present<arith::ArithDialect, math::MathDialect>(dialect);
    if (!allowed)
      return op->emitOpError("C16: expected arith, math, attn.index and "
                             "attn.keep ops in the score region, got ")
             << inner.getName();
    for (Value value :
         llvm::concat<Value>(SmallVector<Value>(inner.getOperands()),
                             SmallVector<Value>(inner.getResults())))
      if (!value.getType().isIntOrIndexOrFloat())
        return op->emitOpError(
                   "C16: expected scalars in the score region, got ")
               << value.getType();
  }
  return success();
}

template <typename OpTy>
static LogicalResult verifyPosition(OpTy op, unsigned loops) {
  std::tuple<StringRef, ArrayRef<int64_t>, size_t> lists[] = {
      {"origin", op.getStaticOrigin(), op.getOrigin().size()},
      {"extents", op.getStaticExtents(), op.getExtents().size()}};
  for (auto [name, entries, operands] : lists) {
    if (!entries.empty() && entries.size() != loops)
      return op->emitOpError("C19: expected ")
             << name << " to be empty or have " << loops
             << " entries, one per dim, got " << entries.size();
    size_t dynamic = llvm::count_if(entries, ShapedType::isDynamic);
    if (dynamic != operands)
      return op->emitOpError("C19: expected ")
             << dynamic << " operands for the dynamic entries of " << name
             << ", got " << operands;
  }
  return success();
}

static LogicalResult verifyTiling(Operation *op, TilingAttr tiling,
                                  const Roles &roles) {
  if (!tiling)
    return success();
  if (tiling.getQueryBlock().size() != roles.row.size())
    return op->emitOpError("C20: expected ")
           << roles.row.size() << " query_block sizes, one per row dim, got "
           << tiling.getQueryBlock().size();
  if (tiling.getKeyBlock().size() != roles.key.size())
    return op->emitOpError("C20: expected ")
           << roles.key.size() << " key_block sizes, one per key dim, got "
           << tiling.getKeyBlock().size();
  return success();
}

template <typename OpTy> static LogicalResult verifyScoreOp(OpTy concrete) {
  auto op = cast<ScoreOpInterface>(concrete.getOperation());
  auto indexed = cast<IndexedOpInterface>(op.getOperation());
  if (failed(verifyMaps(indexed, {"C1", "C2", "C4"})))
    return failure();
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  AffineMap outputMap = indexed.getMapOf(op.getOutputOperand());
  SmallVector<AffineMap> maps = op.getMapArray();
  Roles roles = inferRoles(maps[0], maps[1], maps[2], outputMap);
  if (!std::isfinite(op.getScaleValue()))
    return op->emitOpError("C17: expected a finite scale, got ")
           << op.getScaleValue();
  if (HiddenAttr hidden = op.getHiddenAttr();
      !hidden.isSkip() && !std::isfinite(hidden.getValue().getValueAsDouble()))
    return op->emitOpError("C18: expected a finite value in replace, got ")
           << hidden.getValue().getValueAsDouble()
           << "; a key replaced by -inf is skipped";
  return success(
      succeeded(verifyRoles(op, roles, outputMap)) &&
      succeeded(verifySizes(indexed, "C7")) &&
      succeeded(verifyElementTypes(op)) &&
      succeeded(verifyExtras(op, indexed, roles)) &&
      succeeded(verifySymbols(op, indexed, roles)) &&
      succeeded(verifyBlocks(op, indexed, roles)) &&
      succeeded(verifyVisible(op, roles)) && succeeded(verifyRegion(op)) &&
      succeeded(verifyPosition(concrete, indexed.getNumLoops())) &&
      succeeded(verifyTiling(op, op.getTilingAttr(), roles)) &&
      succeeded(verifyResults(
          destination,
          isa<AttentionBackwardOp, OnlineBackwardOp>(op.getOperation())
              ? "B5"
              : "C21")));
}

/// C9 and C11: what is indexed by rows.
static LogicalResult verifyRowOperands(ScoreOpInterface op, OpOperand *lse,
                                       OpOperand *sink) {
  auto indexed = cast<IndexedOpInterface>(op.getOperation());
  Type accumulate = accumulateType(op);
  SmallVector<unsigned> dims = stateDims(inferRoles(op));
  if (lse) {
    AffineMap map = indexed.getMapOf(*lse);
    if (!indexesExactly(map, dims)) {
      InFlightDiagnostic diagnostic = op->emitOpError(
          "C9: expected the map of the log-sum-exp to be a permutation of the "
          "batch and row dims ");
      appendDims(diagnostic, dims);
      return diagnostic << ", got " << AffineMapAttr::get(map);
    }
    if (getElementTypeOrSelf(lse->get()) != accumulate)
      return op->emitOpError("C9: expected the log-sum-exp to have elements of "
                             "type ")
             << accumulate << ", the accumulate type, got "
             << getElementTypeOrSelf(lse->get());
  }
  if (!sink)
    return success();
  if (!isElementType(getElementTypeOrSelf(sink->get())))
    return op->emitOpError("C11: expected sink to have elements of type f16, "
                           "bf16, f32 or f64, got ")
           << getElementTypeOrSelf(sink->get());
  AffineMap map = indexed.getMapOf(*sink);
  if (!map.isProjectedPermutation() || !indexesOnly(map, dims))
    return op->emitOpError("C11: expected the map of sink to be a projected "
                           "permutation of batch and row dims, got ")
           << AffineMapAttr::get(map);
  return success();
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyScoreOp(*this)))
    return failure();
  return verifyRowOperands(*this, getLse() ? getDpsInitOperand(1) : nullptr,
                           getSink() ? &getSinkMutable()[0] : nullptr);
}

LogicalResult OnlineAttentionOp::verify() {
  if (failed(verifyScoreOp(*this)))
    return failure();
  Type accumulate = accumulateType(*this);
  for (Value out : getDpsInits())
    if (getElementTypeOrSelf(out) != accumulate)
      return emitOpError("C22: expected acc, max and sum to have elements of "
                         "type ")
             << accumulate << ", the accumulate type, got "
             << getElementTypeOrSelf(out);
  SmallVector<unsigned> dims = stateDims(inferRoles(*this));
  AffineMap map = getMapArray().back();
  if (!indexesExactly(map, dims)) {
    InFlightDiagnostic diagnostic = emitOpError(
        "C23: expected the map of max and sum to be a permutation of the batch "
        "and row dims ");
    appendDims(diagnostic, dims);
    return diagnostic << ", got " << AffineMapAttr::get(map);
  }
  return success();
}

static LogicalResult verifySameShape(Operation *op, StringRef number,
                                     StringRef name, Value value, Value like) {
  auto shape = cast<ShapedType>(value.getType());
  auto want = cast<ShapedType>(like.getType());
  if (shape.hasRank() && succeeded(verifyCompatibleShape(shape, want)))
    return success();
  return op->emitOpError(number)
         << ": expected " << name << " to have the shape of " << want
         << ", got " << shape;
}

/// B3, and the number of destinations.
static LogicalResult verifyDifferentiated(ScoreOpInterface op,
                                          ArrayRef<int64_t> chosen, Value sink,
                                          size_t destinations) {
  OperandRange extras = op.getExtras();
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t extra : chosen) {
    if (extra < 0 || extra >= int64_t(extras.size()) ||
        !seen.insert(extra).second)
      return op->emitOpError("B3: expected differentiate to list different "
                             "extras below ")
             << extras.size() << ", got " << extra;
    Value value = extras[extra];
    if (!isa<ShapedType>(value.getType()) ||
        !isElementType(getElementTypeOrSelf(value)))
      return op->emitOpError("B3: expected extra ")
             << extra << " to be an array of floats to be differentiated, got "
             << value.getType();
  }
  unsigned expected = 3 + (sink ? 1 : 0) + chosen.size();
  if (destinations != expected)
    return op->emitOpError("B2: expected ")
           << expected
           << " destinations, for query, key, value, the sink and the extras "
              "in differentiate, got "
           << destinations;
  return success();
}

/// B2: the gradients' shapes and element types.
static LogicalResult verifyGradients(ScoreOpInterface op,
                                     ArrayRef<int64_t> chosen, Value sink,
                                     ValueRange grads) {
  SmallVector<Value> operands = {op.getQuery(), op.getKey(), op.getValue()};
  if (sink)
    operands.push_back(sink);
  for (int64_t extra : chosen)
    operands.push_back(op.getExtras()[extra]);
  for (auto [grad, operand] : llvm::zip_equal(grads, operands)) {
    if (failed(verifySameShape(op, "B2", "a gradient", grad, operand)))
      return failure();
    if (!isElementType(getElementTypeOrSelf(grad)))
      return op->emitOpError("B2: expected gradients to have elements of type "
                             "f16, bf16, f32 or f64, got ")
             << getElementTypeOrSelf(grad);
  }
  return success();
}

LogicalResult AttentionBackwardOp::verify() {
  auto op = cast<ScoreOpInterface>(getOperation());
  if (failed(verifyDifferentiated(op, getDifferentiate(), getSink(),
                                  getGrads().size())))
    return failure();
  if (failed(verifyScoreOp(*this)) ||
      failed(verifyRowOperands(*this, &getLseMutable(),
                               getSink() ? &getSinkMutable()[0] : nullptr)))
    return failure();
  if (failed(verifySameShape(*this, "B1", "the gradient of the output",
                             getOutputGrad(), getOutput())) ||
      (getLseGrad() &&
       failed(verifySameShape(*this, "B1", "the gradient of the log-sum-exp",
                              getLseGrad(), getLse()))))
    return failure();
  if (failed(verifyGradients(op, getDifferentiate(), getSink(), getGrads())))
    return failure();
  return verifyDifferentiable(op, getDifferentiate());
}

LogicalResult OnlineBackwardOp::verify() {
  auto op = cast<ScoreOpInterface>(getOperation());
  if (failed(verifyDifferentiated(op, getDifferentiate(), Value(),
                                  getGrads().size())) ||
      failed(verifyScoreOp(*this)) ||
      failed(verifyRowOperands(*this, &getLseMutable(), nullptr)) ||
      failed(verifyRowOperands(*this, &getDeltaMutable(), nullptr)) ||
      failed(verifyGradients(op, getDifferentiate(), Value(), getGrads())))
    return failure();
  Type accumulate = accumulateType(*this);
  for (Value grad : getGrads())
    if (getElementTypeOrSelf(grad) != accumulate)
      return emitOpError("S1: expected gradients to have elements of type ")
             << accumulate << ", the accumulate type, got "
             << getElementTypeOrSelf(grad);
  return verifyDifferentiable(op, getDifferentiate());
}

//===----------------------------------------------------------------------===//
// Region ops
//===----------------------------------------------------------------------===//

LogicalResult IndexOp::verify() {
  auto parent = dyn_cast<ScoreOpInterface>((*this)->getParentOp());
  if (!parent)
    return emitOpError("expected to be in the score region of an attention");
  unsigned loops =
      cast<IndexedOpInterface>(parent.getOperation()).getNumLoops();
  Roles roles = inferRoles(parent);
  if (getDim() >= loops)
    return emitOpError("expected a dim below ")
           << loops << ", got " << getDim();
  if (roles.ofDim.size() == loops &&
      !llvm::is_contained(roles.setDims(), unsigned(getDim())))
    return emitOpError("expected a batch, row or key dim, got dim ")
           << getDim() << ", a " << stringify(roles.ofDim[getDim()]) << " dim";
  return success();
}

/// The sizes that the counter of attn.keep must be able to index: the last row
/// dim, all keys, all batch and other row dims. Unknown sizes count as 1.
static LogicalResult verifyKeepRange(KeepOp keep, ScoreOpInterface op) {
  auto indexed = cast<IndexedOpInterface>(op.getOperation());
  SmallVector<int64_t> sizes = staticSizes(indexed);
  if (auto extents = op->getAttrOfType<DenseI64ArrayAttr>("static_extents"))
    for (auto [size, extent] : llvm::zip(sizes, extents.asArrayRef()))
      size = extent;
  Roles roles = inferRoles(op);
  auto product = [&](ArrayRef<unsigned> dims) {
    uint64_t result = 1;
    for (unsigned dim : dims)
      if (!ShapedType::isDynamic(sizes[dim]))
        result = llvm::SaturatingMultiply<uint64_t>(result, sizes[dim]);
    return result;
  };
  ArrayRef<unsigned> rows = roles.row;
  SmallVector<unsigned> others = roles.batch;
  if (!rows.empty())
    llvm::append_range(others, rows.drop_back());
  llvm::Error error = ::attn::checkKeepRange(
      keep.getP().convertToDouble(), product(rows.take_back(!rows.empty())),
      product(roles.key), product(others));
  if (!error)
    return success();
  return keep.emitOpError(llvm::toString(std::move(error)));
}

LogicalResult KeepOp::verify() {
  if (!isa<ScoreOpInterface>((*this)->getParentOp()))
    return emitOpError("expected to be in the score region of an attention");
  double p = getP().convertToDouble();
  if (!(p >= 0.0 && p <= 1.0))
    return emitOpError("expected p in [0, 1], got ") << p;
  if (failed(verifyKeepRange(*this,
                             cast<ScoreOpInterface>((*this)->getParentOp()))))
    return failure();
  for (Value operand : getOperands()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    unsigned extra = argument ? argument.getArgNumber() - 1 : ~0u;
    auto extras = cast<ScoreOpInterface>((*this)->getParentOp()).getExtras();
    auto shaped = extra < extras.size()
                      ? dyn_cast<ShapedType>(extras[extra].getType())
                      : ShapedType();
    if (!argument || (shaped && shaped.getRank() != 0))
      return emitOpError("expected seed and offset to be arguments of the "
                         "score region that stand for scalar extras");
  }
  return success();
}
