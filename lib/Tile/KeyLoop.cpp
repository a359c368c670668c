//===- KeyLoop.cpp - the loop over key blocks -----------------------------===//
//
// The last key dim's range is cut into three loops,
//
//     [begin, full)  blocks that the mask may cut         partial
//     [full, rest)   blocks that every row sees whole     full, static size
//     [rest, end)    blocks that the mask or the end cuts partial
//
// whose bounds are the expressions of attn/Support/TileBounds.h, evaluated for
// the rows of the tile. Where bounds cannot tell (a union of sets, a key under
// floordiv or mod) every block in [begin, end) is tested instead.
//
//===----------------------------------------------------------------------===//
#include "KeyLoop.h"
#include "Completion.h"
#include "attn/IR/Roles.h"
#include "attn/IR/VisibleAttr.h"
#include "attn/Support/TileBounds.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;
using ::attn::Expr;

namespace {

/// Loop bounds of one key dim, as local indices: begin <= full <= rest, and the
/// last loop ends at end.
struct Bounds {
  OpFoldResult begin, full, rest, end;
};

class KeyTiler {
public:
  KeyTiler(RewriterBase &rewriter, OnlineAttentionOp op,
           ArrayRef<int64_t> keyBlock)
      : rewriter(rewriter), loc(op.getLoc()), op(op), roles(inferRoles(op)),
        visible(getVisible(op)), keyBlock(keyBlock) {}

  LogicalResult run();

private:
  using State = SmallVector<Value>;

  /// Tiles key dim number `key` and those after it, offsets and sizes of the
  /// dims before it being fixed.
  FailureOr<State> tileDim(unsigned key, State state);
  FailureOr<State> loop(unsigned key, OpFoldResult from, OpFoldResult to,
                        bool full, State state);
  FailureOr<State> block(unsigned key, bool full, State state);
  FailureOr<State> testedBlock(State state);
  FailureOr<State> fold(bool full, State state);

  Bounds bounds(unsigned key);
  Bounds alignedBounds(unsigned key, OpFoldResult lo, OpFoldResult hi,
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
  OnlineAttentionOp op;
  Roles roles;
  ::attn::Visible visible;
  ArrayRef<int64_t> keyBlock;

  Position position;
  SmallVector<OpFoldResult> sizes;        ///< local sizes of the op
  SmallVector<OpFoldResult> offsets;      ///< of the current block
  SmallVector<OpFoldResult> blockSizes;   ///< of the current block
  SmallVector<OpFoldResult> tileOperands; ///< dims, then symbols
};

/// The symbols of `visible`: extents of the set dims, then symbol operands, of
/// which tensors hold one element per batch tile.
SmallVector<OpFoldResult> symbolValues(OpBuilder &b, OnlineAttentionOp op,
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

void KeyTiler::updateTileSpace() {
  SmallVector<unsigned> dims = roles.setDims();
  AffineExpr d0, d1;
  bindDims(rewriter.getContext(), d0, d1);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    OpFoldResult first = apply(d0 + d1, {position.origin[dim], offsets[dim]});
    tileOperands[2 * i] = first;
    tileOperands[2 * i + 1] = apply(d0 + d1 - 1, {first, blockSizes[dim]});
  }
}

OpFoldResult KeyTiler::evaluate(const Expr &expr) {
  unsigned dims = 2 * visible.numDims();
  AffineMap map = AffineMap::get(dims, visible.numSymbols(),
                                 toAffineExpr(expr, rewriter.getContext()));
  return affine::makeComposedFoldedAffineApply(rewriter, loc, map,
                                               tileOperands);
}

OpFoldResult KeyTiler::extremum(ArrayRef<OpFoldResult> values, bool max) {
  MLIRContext *context = rewriter.getContext();
  AffineMap map = AffineMap::getMultiDimIdentityMap(values.size(), context);
  return max ? affine::makeComposedFoldedAffineMax(rewriter, loc, map, values)
             : affine::makeComposedFoldedAffineMin(rewriter, loc, map, values);
}

OpFoldResult KeyTiler::extremum(ArrayRef<Expr> exprs, bool max) {
  SmallVector<OpFoldResult> values;
  for (const Expr &expr : exprs)
    values.push_back(evaluate(expr));
  return extremum(values, max);
}

Value KeyTiler::allNonNegative(ArrayRef<Expr> exprs) {
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

bool KeyTiler::boundable(unsigned setDim) const {
  if (visible.sets().size() != 1)
    return false;
  return llvm::none_of(visible.sets()[0].constraints,
                       [&](const ::attn::Constraint &constraint) {
                         return constraint.expr.isDimUnderDivision(setDim);
                       });
}

/// Turns key ranges (local indices) into block-aligned loop bounds.
Bounds KeyTiler::alignedBounds(unsigned key, OpFoldResult lo, OpFoldResult hi,
                               OpFoldResult fullLo, OpFoldResult fullHi) {
  int64_t block = keyBlock[key];
  OpFoldResult size = sizes[roles.key[key]];
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  AffineExpr down = d0.floorDiv(block) * block;
  AffineExpr up = d0.ceilDiv(block) * block;
  Bounds bounds;
  bounds.begin = apply(down, {extremum({lo, index(0)}, /*max=*/true)});
  bounds.end = extremum({hi, size}, /*max=*/false);
  // The full range lies inside of the keys; empty or inverted ones move to
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

Bounds KeyTiler::bounds(unsigned key) {
  unsigned dim = roles.key[key];
  SmallVector<unsigned> setDims = roles.setDims();
  unsigned setDim = llvm::find(setDims, dim) - setDims.begin();
  OpFoldResult size = sizes[dim], zero = index(0);
  bool skips = op.getHidden().isSkip();
  if (visible.isAll())
    return alignedBounds(key, zero, size, zero, size);

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
    los.push_back(lo);
    his.push_back(hi);
    if (!boundable(setDim))
      continue;
    fullLo = b.fullLo.empty() ? zero : local(extremum(b.fullLo, true));
    fullHi = b.fullHi.empty() ? size : local(extremum(b.fullHi, false));
    if (!b.fullIf.empty())
      fullHi = select(allNonNegative(b.fullIf), fullHi, zero);
  }
  if (!skips) // a replaced key counts wherever it is
    return alignedBounds(key, zero, size, fullLo, fullHi);
  if (los.empty()) // nothing is visible
    return alignedBounds(key, zero, zero, zero, zero);
  return alignedBounds(key, extremum(los, false), extremum(his, true), fullLo,
                       fullHi);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

FailureOr<KeyTiler::State> KeyTiler::fold(bool full, State state) {
  SmallVector<OpFoldResult> tileOffsets(offsets), tileSizes(blockSizes);
  FailureOr<TilingResult> tile =
      op.getTiledImplementation(rewriter, tileOffsets, tileSizes);
  if (failed(tile))
    return failure();
  auto online = cast<OnlineAttentionOp>(tile->tiledOps.front());
  // What key dims do not index is not cut; the state is carried.
  unsigned firstInit = online->getNumOperands() - state.size();
  unsigned inputs = op.getOrigin().getBeginOperandIndex();
  auto replace = [&](unsigned i, Value value) {
    Operation *slice = online->getOperand(i).getDefiningOp();
    online->setOperand(i, value);
    if (slice && slice->use_empty())
      rewriter.eraseOp(slice);
  };
  for (unsigned i = 0; i < inputs; ++i) {
    AffineMap map = op.getMapOf(op->getOpOperand(i));
    if (map && llvm::none_of(roles.key, [&](unsigned dim) {
          return map.isFunctionOfDim(dim);
        }))
      replace(i, op->getOperand(i));
  }
  for (auto [i, value] : llvm::enumerate(state))
    replace(firstInit + i, value);
  if (full) {
    online.removeVisibleAttr();
    online.setHiddenAttr(HiddenAttr::getSkip(op.getContext()));
    if (!dependsOnPosition(online))
      cast<ScoreOpInterface>(online.getOperation()).setPosition({}, {});
  }
  return State(online->getResults());
}

FailureOr<KeyTiler::State> KeyTiler::testedBlock(State state) {
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
  auto branch = [&](Value condition, auto then,
                    auto otherwise) -> FailureOr<State> {
    auto ifOp = scf::IfOp::create(rewriter, loc, TypeRange(ValueRange(state)),
                                  condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(rewriter);
    for (const auto &[block, build] :
         {std::pair<Block *, std::function<FailureOr<State>()>>(
              ifOp.thenBlock(), then),
          std::pair<Block *, std::function<FailureOr<State>()>>(
              ifOp.elseBlock(), otherwise)}) {
      rewriter.setInsertionPointToEnd(block);
      FailureOr<State> result = build();
      if (failed(result))
        return failure();
      scf::YieldOp::create(rewriter, loc, *result);
    }
    return State(ifOp.getResults());
  };
  Value everything = anyOf([](const ::attn::AffineSet &s) {
    return ::attn::tile::fullConditions(s);
  });
  auto folded = [&] {
    return branch(
        everything, [&] { return fold(true, state); },
        [&] { return fold(false, state); });
  };
  if (!op.getHidden().isSkip())
    return folded();
  Value something = anyOf([](const ::attn::AffineSet &s) {
    return ::attn::tile::anyConditions(s);
  });
  return branch(something, folded,
                [&]() -> FailureOr<State> { return State(state); });
}

FailureOr<KeyTiler::State> KeyTiler::block(unsigned key, bool full,
                                           State state) {
  if (key + 1 < roles.key.size())
    return tileDim(key + 1, state);
  if (full || visible.isAll())
    return fold(true, state);
  SmallVector<unsigned> setDims = roles.setDims();
  unsigned setDim = llvm::find(setDims, roles.key[key]) - setDims.begin();
  if (!boundable(setDim) && !visible.isNone())
    return testedBlock(state);
  return fold(false, state);
}

FailureOr<KeyTiler::State> KeyTiler::loop(unsigned key, OpFoldResult from,
                                          OpFoldResult to, bool full,
                                          State state) {
  std::optional<int64_t> first = getConstantIntValue(from);
  std::optional<int64_t> last = getConstantIntValue(to);
  if (first && last && *first >= *last)
    return state;
  unsigned dim = roles.key[key];
  int64_t size = keyBlock[key];
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
  FailureOr<State> result = block(key, full, State(forOp.getRegionIterArgs()));
  if (failed(result))
    return failure();
  scf::YieldOp::create(rewriter, loc, *result);
  // Back to the whole of this dim.
  offsets[dim] = index(0);
  blockSizes[dim] = sizes[dim];
  return State(forOp.getResults());
}

FailureOr<KeyTiler::State> KeyTiler::tileDim(unsigned key, State state) {
  updateTileSpace();
  Bounds b = bounds(key);
  FailureOr<State> result = state;
  SmallVector<unsigned> setDims = roles.setDims();
  unsigned setDim = llvm::find(setDims, roles.key[key]) - setDims.begin();
  bool isLast = key + 1 == roles.key.size();
  bool isSplit = isLast && (visible.isAll() || boundable(setDim));
  if (!isSplit) // outer dims, and what has to be tested block by block
    return loop(key, b.begin, b.end, false, state);
  // The first loop ends where the full one begins; without full blocks that is
  // the end.
  std::optional<int64_t> first = getConstantIntValue(b.begin);
  if (!first || first != getConstantIntValue(b.full))
    result =
        loop(key, b.begin, extremum({b.full, b.end}, false), false, *result);
  if (succeeded(result))
    result = loop(key, b.full, b.rest, true, *result);
  if (succeeded(result))
    result = loop(key, b.rest, b.end, false, *result);
  return result;
}

LogicalResult KeyTiler::run() {
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
  FailureOr<State> result = tileDim(0, State(op.getDpsInits()));
  if (failed(result))
    return failure();
  rewriter.replaceOp(op, *result);
  return success();
}

LogicalResult mlir::attn::tileKeys(RewriterBase &rewriter, OnlineAttentionOp op,
                                   ArrayRef<int64_t> keyBlock) {
  if (!needsCompletion(op))
    return KeyTiler(rewriter, op, keyBlock).run();
  // The visible keys, then, where they may count, the hidden ones.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto seen = cast<OnlineAttentionOp>(rewriter.clone(*op));
  dropHiddenKeys(seen);
  op.getDpsInitsMutable().assign(seen->getResults());
  if (failed(completeHiddenKeys(rewriter, op, keyBlock)))
    return failure();
  return KeyTiler(rewriter, seen, keyBlock).run();
}
