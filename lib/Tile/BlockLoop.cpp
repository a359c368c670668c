//===- BlockLoop.cpp - loops over blocks of keys, or of rows --------------===//
//
// The last dim's range is cut into three loops,
//
//     [begin, full)  blocks that the mask may cut          partial
//     [full, rest)   blocks that are visible in full       full, static size
//     [rest, end)    blocks that the mask or the end cuts  partial
//
// whose bounds are the expressions of attn/Support/TileBounds.h, evaluated for
// the tile that the op is (visibility is symmetric: the rows that see a block
// of keys are bounded as the keys that a block of rows sees). Where bounds
// cannot tell (a union of sets, a dim under floordiv or mod) every block in
// [begin, end) is tested instead.
//
//===----------------------------------------------------------------------===//
#include "BlockLoop.h"
#include "Completion.h"
#include "QueryLoop.h"
#include "attn/IR/Roles.h"
#include "attn/IR/VisibleAttr.h"
#include "attn/Support/TileBounds.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Expr;

namespace {

/// Loop bounds of one dim, as local indices: begin <= full <= rest, and the
/// last loop ends at end.
struct Bounds {
  OpFoldResult begin, full, rest, end;
};

class BlockTiler {
public:
  BlockTiler(RewriterBase &rewriter, ScoreOpInterface op,
             ArrayRef<unsigned> dims, ArrayRef<int64_t> blocks,
             bool visitHidden)
      : rewriter(rewriter), loc(op.getLoc()), op(op), roles(inferRoles(op)),
        visible(getVisible(op)), dims(dims), blocks(blocks),
        skips(op.getHiddenAttr().isSkip() && !visitHidden) {}

  LogicalResult run();

private:
  using State = SmallVector<Value>;

  /// Tiles dim number `number` and those after it, offsets and sizes of the
  /// dims before it being fixed.
  FailureOr<State> tileDim(unsigned number, State state);
  FailureOr<State> loop(unsigned number, OpFoldResult from, OpFoldResult to,
                        bool full, State state);
  FailureOr<State> block(unsigned number, bool full, State state);
  FailureOr<State> testedBlock(State state);
  FailureOr<State> fold(bool full, State state);
  FailureOr<State> foldSeen(bool full, bool dropBlocks, State state);
  Value blockIsSeen();
  /// if (condition) { then } else { otherwise }, each giving a state.
  FailureOr<State> branch(Value condition, const State &state,
                          function_ref<FailureOr<State>()> then,
                          function_ref<FailureOr<State>()> otherwise);
  State carry(ScoreOpInterface tiled, State state);

  Bounds bounds(unsigned number);
  Bounds alignedBounds(unsigned number, OpFoldResult lo, OpFoldResult hi,
                       OpFoldResult fullLo, OpFoldResult fullHi);
  /// Can bounds describe the mask along this dim exactly?
  bool boundable(unsigned setDim) const;

  // Tile space: operands for the dims and symbols of tile expressions.
  void updateTileSpace();
  OpFoldResult evaluate(const Expr &expr);
  OpFoldResult extremum(ArrayRef<Expr> exprs, bool max);
  OpFoldResult extremum(ArrayRef<OpFoldResult> values, bool max);
  Value allNonNegative(ArrayRef<Expr> exprs);
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(rewriter, loc, expr, operands);
  }
  Value isLess(OpFoldResult a, OpFoldResult b) {
    return arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt,
        getValueOrCreateConstantIndexOp(rewriter, loc, a),
        getValueOrCreateConstantIndexOp(rewriter, loc, b));
  }
  OpFoldResult index(int64_t value) { return rewriter.getIndexAttr(value); }
  OpFoldResult select(Value condition, OpFoldResult a, OpFoldResult b) {
    return arith::SelectOp::create(
               rewriter, loc, condition,
               getValueOrCreateConstantIndexOp(rewriter, loc, a),
               getValueOrCreateConstantIndexOp(rewriter, loc, b))
        .getResult();
  }

  RewriterBase &rewriter;
  Location loc;
  ScoreOpInterface op;
  Roles roles;
  ::attn::Visible visible;
  ArrayRef<unsigned> dims; ///< that get loops
  ArrayRef<int64_t> blocks;
  bool skips; ///< what is hidden is left out

  Position position;
  SmallVector<OpFoldResult> sizes;        ///< local sizes of the op
  SmallVector<OpFoldResult> offsets;      ///< of the current block
  SmallVector<OpFoldResult> blockSizes;   ///< of the current block
  SmallVector<OpFoldResult> tileOperands; ///< dims, then symbols
};

/// The symbols of `visible`: extents of the set dims, then symbol operands, of
/// which tensors hold one element per batch tile.
SmallVector<OpFoldResult> symbolValues(OpBuilder &b, ScoreOpInterface op,
                                       const Roles &roles,
                                       const Position &position) {
  SmallVector<OpFoldResult> symbols;
  Location loc = op.getLoc();
  for (unsigned dim : roles.setDims())
    symbols.push_back(position.extents[dim]);
  for (Value symbol : op.getSymbols()) {
    if (auto type = dyn_cast<RankedTensorType>(symbol.getType())) {
      Value zero = arith::ConstantIndexOp::create(b, loc, 0);
      SmallVector<Value> indices(type.getRank(), zero);
      symbol = tensor::ExtractOp::create(b, loc, symbol, indices);
    }
    if (!symbol.getType().isIndex())
      symbol = arith::IndexCastOp::create(b, loc, b.getIndexType(), symbol);
    symbols.push_back(symbol);
  }
  return symbols;
}

} // namespace

//===----------------------------------------------------------------------===//
// Tile space
//===----------------------------------------------------------------------===//

void BlockTiler::updateTileSpace() {
  AffineExpr d0, d1;
  bindDims(rewriter.getContext(), d0, d1);
  for (auto [i, dim] : llvm::enumerate(roles.setDims())) {
    OpFoldResult first = apply(d0 + d1, {position.origin[dim], offsets[dim]});
    tileOperands[2 * i] = first;
    tileOperands[2 * i + 1] = apply(d0 + d1 - 1, {first, blockSizes[dim]});
  }
}

OpFoldResult BlockTiler::evaluate(const Expr &expr) {
  unsigned dims = 2 * visible.numDims();
  AffineMap map = AffineMap::get(dims, visible.numSymbols(),
                                 toAffineExpr(expr, rewriter.getContext()));
  return affine::makeComposedFoldedAffineApply(rewriter, loc, map,
                                               tileOperands);
}

OpFoldResult BlockTiler::extremum(ArrayRef<OpFoldResult> values, bool max) {
  MLIRContext *context = rewriter.getContext();
  AffineMap map = AffineMap::getMultiDimIdentityMap(values.size(), context);
  return max ? affine::makeComposedFoldedAffineMax(rewriter, loc, map, values)
             : affine::makeComposedFoldedAffineMin(rewriter, loc, map, values);
}

OpFoldResult BlockTiler::extremum(ArrayRef<Expr> exprs, bool max) {
  SmallVector<OpFoldResult> values;
  for (const Expr &expr : exprs)
    values.push_back(evaluate(expr));
  return extremum(values, max);
}

Value BlockTiler::allNonNegative(ArrayRef<Expr> exprs) {
  Value all;
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  for (const Expr &expr : exprs) {
    Value value =
        getValueOrCreateConstantIndexOp(rewriter, loc, evaluate(expr));
    Value holds = arith::CmpIOp::create(rewriter, loc,
                                        arith::CmpIPredicate::sge, value, zero);
    all = all ? arith::AndIOp::create(rewriter, loc, all, holds).getResult()
              : holds;
  }
  return all ? all
             : arith::ConstantOp::create(rewriter, loc,
                                         rewriter.getBoolAttr(true))
                   .getResult();
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

bool BlockTiler::boundable(unsigned setDim) const {
  if (visible.sets().size() != 1)
    return false;
  return llvm::none_of(visible.sets()[0].constraints,
                       [&](const ::attn::Constraint &constraint) {
                         return constraint.expr.isDimUnderDivision(setDim);
                       });
}

/// Turns ranges (local indices) into block-aligned loop bounds.
Bounds BlockTiler::alignedBounds(unsigned number, OpFoldResult lo,
                                 OpFoldResult hi, OpFoldResult fullLo,
                                 OpFoldResult fullHi) {
  int64_t block = blocks[number];
  OpFoldResult size = sizes[dims[number]];
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  AffineExpr down = d0.floorDiv(block) * block;
  AffineExpr up = d0.ceilDiv(block) * block;
  Bounds bounds;
  bounds.begin = apply(down, {extremum({lo, index(0)}, /*max=*/true)});
  bounds.end = extremum({hi, size}, /*max=*/false);
  // The full range lies inside of the dim; empty or inverted ones move to
  // where the partial loops meet.
  OpFoldResult full = apply(up, {extremum({fullLo, index(0)}, true)});
  std::optional<int64_t> staticFull = getConstantIntValue(full);
  if (staticFull && staticFull == getConstantIntValue(bounds.begin)) {
    bounds.full = bounds.begin;
  } else {
    OpFoldResult last = extremum({apply(up, {bounds.end}), bounds.begin}, true);
    bounds.full = extremum({extremum({full, bounds.begin}, true), last}, false);
  }
  OpFoldResult rest = apply(down, {extremum({fullHi, size}, false)});
  bounds.rest = extremum({rest, bounds.full}, true);
  return bounds;
}

Bounds BlockTiler::bounds(unsigned number) {
  unsigned dim = dims[number];
  SmallVector<unsigned> setDims = roles.setDims();
  unsigned setDim = llvm::find(setDims, dim) - setDims.begin();
  OpFoldResult size = sizes[dim], zero = index(0);
  if (visible.isAll())
    return alignedBounds(number, zero, size, zero, size);

  // Whole-problem to local index.
  AffineExpr d0, d1;
  bindDims(rewriter.getContext(), d0, d1);
  auto local = [&](OpFoldResult v) {
    return apply(d0 - d1, {v, position.origin[dim]});
  };
  SmallVector<OpFoldResult> los, his;
  OpFoldResult fullLo = size, fullHi = zero; // nothing
  for (const ::attn::AffineSet &set : visible.sets()) {
    ::attn::tile::KeyBounds b = ::attn::tile::keyBounds(set, setDim);
    OpFoldResult lo =
        b.anyLo.empty() ? zero : local(extremum(b.anyLo, /*max=*/true));
    OpFoldResult hi =
        b.anyHi.empty() ? size : local(extremum(b.anyHi, /*max=*/false));
    if (!b.anyIf.empty())
      hi = select(allNonNegative(b.anyIf), hi, lo);
    // Rounded down to a block, a bound beyond the dim would be inside of it.
    if (skips && !b.anyLo.empty())
      hi = select(isLess(lo, size), hi, zero);
    los.push_back(lo);
    his.push_back(hi);
    if (!boundable(setDim))
      continue;
    fullLo = b.fullLo.empty() ? zero : local(extremum(b.fullLo, true));
    fullHi = b.fullHi.empty() ? size : local(extremum(b.fullHi, false));
    if (!b.fullIf.empty())
      fullHi = select(allNonNegative(b.fullIf), fullHi, zero);
  }
  if (!skips) // what is hidden counts wherever it is
    return alignedBounds(number, zero, size, fullLo, fullHi);
  if (los.empty()) // nothing is visible
    return alignedBounds(number, zero, zero, zero, zero);
  return alignedBounds(number, extremum(los, false), extremum(his, true),
                       fullLo, fullHi);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Makes the tile continue from `state`: what the loops do not cut is taken
/// whole, of a destination that they cut the slice is updated. Returns the next
/// state.
BlockTiler::State BlockTiler::carry(ScoreOpInterface tiled, State state) {
  // The tile may have operands for its position that the op has not: what comes
  // after them is found from the end.
  unsigned position = op.getSymbols().getBeginOperandIndex() +
                      op.getSymbols().size() + (op.getBlocks() ? 1 : 0);
  unsigned count = op->getNumOperands(), tiledCount = tiled->getNumOperands();
  unsigned firstInit = count - state.size();
  State next(tiled->getResults());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMapOf(operand);
    if (!map)
      continue;
    unsigned number = operand.getOperandNumber();
    unsigned at = number < position ? number : tiledCount - (count - number);
    bool isInit = number >= firstInit;
    bool isCut = llvm::any_of(
        dims, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
    auto slice = tiled->getOperand(at).getDefiningOp<tensor::ExtractSliceOp>();
    Value whole = isInit ? state[number - firstInit] : operand.get();
    if (!isCut) {
      tiled->setOperand(at, whole);
      if (slice && slice->use_empty())
        rewriter.eraseOp(slice);
      if (isInit)
        next[number - firstInit].setType(whole.getType());
    } else if (isInit) {
      slice.getSourceMutable().assign(whole);
      Value &result = next[number - firstInit];
      result = tensor::InsertSliceOp::create(
          rewriter, loc, result, whole, slice.getMixedOffsets(),
          slice.getMixedSizes(), slice.getMixedStrides());
    }
  }
  return next;
}

FailureOr<BlockTiler::State>
BlockTiler::branch(Value condition, const State &state,
                   function_ref<FailureOr<State>()> then,
                   function_ref<FailureOr<State>()> otherwise) {
  auto ifOp = scf::IfOp::create(rewriter, loc, TypeRange(ValueRange(state)),
                                condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  auto fill = [&](Block *block, function_ref<FailureOr<State>()> build) {
    rewriter.setInsertionPointToEnd(block);
    FailureOr<State> result = build();
    if (succeeded(result))
      scf::YieldOp::create(rewriter, loc, *result);
    return LogicalResult(result);
  };
  if (failed(fill(ifOp.thenBlock(), then)) ||
      failed(fill(ifOp.elseBlock(), otherwise)))
    return failure();
  return State(ifOp.getResults());
}

/// The element of a block-sparse mask that decides over the whole tile; null
/// where the op has none or the tile may lie in several blocks.
Value BlockTiler::blockIsSeen() {
  if (!op.getBlocks() || !skips)
    return Value();
  auto mostOf = [&](unsigned dim) -> int64_t {
    auto tiled = llvm::find(dims, dim);
    if (tiled != dims.end())
      return blocks[tiled - dims.begin()];
    FailureOr<int64_t> most = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::UB, blockSizes[dim], /*stopCondition=*/nullptr,
        /*closedUB=*/true);
    return succeeded(most) ? *most : std::numeric_limits<int64_t>::max();
  };
  SmallVector<Value> indices;
  for (AffineExpr expr : blocksMap(op).getResults()) {
    int64_t extent = 1;
    AffineExpr position = expr;
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
      extent = cast<AffineConstantExpr>(binary.getRHS()).getValue();
      position = binary.getLHS();
    }
    OpFoldResult at = index(0);
    if (auto dim = dyn_cast<AffineDimExpr>(position)) {
      if (mostOf(dim.getPosition()) > extent)
        return Value();
      at = apply(rewriter.getAffineDimExpr(0).floorDiv(extent),
                 {offsets[dim.getPosition()]});
    }
    indices.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, at));
  }
  return tensor::ExtractOp::create(rewriter, loc, op.getBlocks(), indices);
}

template <typename OpTy>
static void dropBlocksOperand(RewriterBase &rewriter, OpTy op) {
  SmallVector<AffineMap> maps = op.getMapArray();
  unsigned mapped = llvm::count_if(op.getSymbols(), [](Value symbol) {
    return isa<ShapedType>(symbol.getType());
  });
  maps.erase(maps.begin() + 3 + op.getExtras().size() + mapped);
  op.getBlocksMutable().clear();
  op.setMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

/// One tile; under a test of its element, if it lies in one block of a
/// block-sparse mask.
FailureOr<BlockTiler::State> BlockTiler::fold(bool full, State state) {
  Value seen = blockIsSeen();
  if (!seen)
    return foldSeen(full, /*dropBlocks=*/false, state);
  return branch(
      seen, state, [&] { return foldSeen(full, /*dropBlocks=*/true, state); },
      [&]() -> FailureOr<State> { return state; });
}

FailureOr<BlockTiler::State> BlockTiler::foldSeen(bool full, bool dropBlocks,
                                                  State state) {
  SmallVector<OpFoldResult> tileOffsets(offsets), tileSizes(blockSizes);
  FailureOr<TilingResult> tile =
      cast<TilingInterface>(op.getOperation())
          .getTiledImplementation(rewriter, tileOffsets, tileSizes);
  if (failed(tile))
    return failure();
  auto tiled = cast<ScoreOpInterface>(tile->tiledOps.front());
  state = carry(tiled, state);
  if (dropBlocks)
    llvm::TypeSwitch<Operation *>(tiled.getOperation())
        .Case<OnlineAttentionOp, OnlineBackwardOp>(
            [&](auto online) { dropBlocksOperand(rewriter, online); });
  if (full) {
    tiled->removeAttr("visible");
    tiled->setAttr("hidden", HiddenAttr::getSkip(op.getContext()));
    if (!dependsOnPosition(tiled))
      tiled.setPosition({}, {});
  }
  return state;
}

FailureOr<BlockTiler::State> BlockTiler::testedBlock(State state) {
  // if (may see something) { if (sees everything) full else partial }
  auto anyOf = [&](auto conditions) -> Value {
    Value any;
    for (const ::attn::AffineSet &set : visible.sets()) {
      Value holds = allNonNegative(conditions(set));
      any = any ? arith::OrIOp::create(rewriter, loc, any, holds).getResult()
                : holds;
    }
    return any;
  };
  Value everything = anyOf([](const ::attn::AffineSet &s) {
    return ::attn::tile::fullConditions(s);
  });
  auto folded = [&] {
    return branch(
        everything, state, [&] { return fold(true, state); },
        [&] { return fold(false, state); });
  };
  if (!skips)
    return folded();
  Value something = anyOf([](const ::attn::AffineSet &s) {
    return ::attn::tile::anyConditions(s);
  });
  return branch(something, state, folded,
                [&]() -> FailureOr<State> { return State(state); });
}

FailureOr<BlockTiler::State> BlockTiler::block(unsigned number, bool full,
                                               State state) {
  if (number + 1 < dims.size())
    return tileDim(number + 1, state);
  if (full || visible.isAll())
    return fold(true, state);
  SmallVector<unsigned> setDims = roles.setDims();
  unsigned setDim = llvm::find(setDims, dims[number]) - setDims.begin();
  if (!boundable(setDim) && !visible.isNone())
    return testedBlock(state);
  return fold(false, state);
}

FailureOr<BlockTiler::State> BlockTiler::loop(unsigned number,
                                              OpFoldResult from,
                                              OpFoldResult to, bool full,
                                              State state) {
  std::optional<int64_t> first = getConstantIntValue(from);
  std::optional<int64_t> last = getConstantIntValue(to);
  if (first && last && *first >= *last)
    return state;
  unsigned dim = dims[number];
  int64_t size = blocks[number];
  auto asValue = [&](OpFoldResult v) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, v);
  };
  auto forOp = scf::ForOp::create(rewriter, loc, asValue(from), asValue(to),
                                  asValue(index(size)), state);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(forOp.getBody());
  offsets[dim] = forOp.getInductionVar();
  if (full) {
    blockSizes[dim] = index(size);
  } else {
    AffineExpr d0, d1;
    bindDims(rewriter.getContext(), d0, d1);
    AffineMap left =
        AffineMap::get(2, 0, {rewriter.getAffineConstantExpr(size), d0 - d1},
                       rewriter.getContext());
    std::optional<int64_t> whole = getConstantIntValue(sizes[dim]);
    bool divides = whole && *whole % size == 0;
    blockSizes[dim] =
        divides ? index(size)
                : affine::makeComposedFoldedAffineMin(
                      rewriter, loc, left, {sizes[dim], offsets[dim]});
  }
  updateTileSpace();
  FailureOr<State> result =
      block(number, full, State(forOp.getRegionIterArgs()));
  if (failed(result))
    return failure();
  scf::YieldOp::create(rewriter, loc, *result);
  // Back to the whole of this dim.
  offsets[dim] = index(0);
  blockSizes[dim] = sizes[dim];
  return State(forOp.getResults());
}

FailureOr<BlockTiler::State> BlockTiler::tileDim(unsigned number, State state) {
  updateTileSpace();
  Bounds b = bounds(number);
  FailureOr<State> result = state;
  SmallVector<unsigned> setDims = roles.setDims();
  unsigned setDim = llvm::find(setDims, dims[number]) - setDims.begin();
  bool isLast = number + 1 == dims.size();
  bool isSplit = isLast && (visible.isAll() || boundable(setDim));
  if (!isSplit) // outer dims, and what has to be tested block by block
    return loop(number, b.begin, b.end, false, state);
  // The first loop ends where the full one begins; without full blocks that is
  // the end.
  std::optional<int64_t> first = getConstantIntValue(b.begin);
  if (!first || first != getConstantIntValue(b.full))
    result =
        loop(number, b.begin, extremum({b.full, b.end}, false), false, *result);
  if (succeeded(result))
    result = loop(number, b.full, b.rest, true, *result);
  if (succeeded(result))
    result = loop(number, b.rest, b.end, false, *result);
  return result;
}

LogicalResult BlockTiler::run() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  sizes = iterationSizes(rewriter, op);
  offsets.assign(sizes.size(), index(0));
  blockSizes = sizes;
  if (!visible.isAll()) {
    position = getPosition(rewriter, op);
    tileOperands.resize(2 * visible.numDims());
    llvm::append_range(tileOperands,
                       symbolValues(rewriter, op, roles, position));
  } else {
    position.origin.assign(sizes.size(), index(0));
    position.extents = sizes;
    tileOperands.resize(2 * visible.numDims());
  }
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  FailureOr<State> result = tileDim(0, State(destination.getDpsInits()));
  if (failed(result))
    return failure();
  rewriter.replaceOp(op, *result);
  return success();
}

LogicalResult mlir::attn::tileBlocks(RewriterBase &rewriter,
                                     ScoreOpInterface op,
                                     ArrayRef<unsigned> dims,
                                     ArrayRef<int64_t> blocks,
                                     bool visitHidden) {
  return BlockTiler(rewriter, op, dims, blocks, visitHidden).run();
}

LogicalResult mlir::attn::tileKeys(RewriterBase &rewriter, OnlineAttentionOp op,
                                   ArrayRef<int64_t> keyBlock) {
  SmallVector<unsigned> keys = inferRoles(op).key;
  if (!needsCompletion(op))
    return tileBlocks(rewriter, op, keys, keyBlock);
  // The visible keys, then, where they may count, the hidden ones.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto seen = cast<OnlineAttentionOp>(rewriter.clone(*op));
  dropHiddenKeys(seen);
  op.getDpsInitsMutable().assign(seen->getResults());
  if (failed(completeHiddenKeys(rewriter, op, keyBlock)))
    return failure();
  return tileBlocks(rewriter, seen, keys, keyBlock);
}
