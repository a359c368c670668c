//===- Mask.cpp - which keys a thread array visits ------------------------===//
#include "Mask.h"
#include "attn/IR/VisibleAttr.h"
#include "attn/Support/TileBounds.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;
using ::attn::Expr;

Mask::Mask(KernelEmit &b, const Geometry &geometry, ScoreOpInterface op,
           Side side, SmallVector<Value> symbolValues, bool skips)
    : b(b), geometry(geometry), op(op), visible(getVisible(op)),
      symbols(std::move(symbolValues)), side(side), skips(skips) {
  if (side == Side::Hidden)
    visible = visible.complement();
  findRanges();
}

void Mask::restrictTo(KeyPart part) {
  begin = b.max(begin, part.begin);
  end = b.min(end, part.end);
}

void Mask::restrictTo(const DeviceBuffer &buffer) { blocks = buffer; }

void Mask::widen(Value all) {
  visitsAll = all;
  begin = b.select(all, b.index(0), begin);
  end = b.select(all, geometry.keys, end);
}

Value Mask::visibleAt(ScoreEmitter &emit, const Point &point, Value key) {
  Value seen = emit.visible(symbols);
  if (side == Side::Hidden)
    seen = seen ? b.createOrFold<arith::XOrIOp>(seen, b.boolean(true))
                : b.boolean(false);
  if (!blocks)
    return seen;
  Point inside = point;
  geometry.clampRow(inside);
  geometry.clampKey(inside, key);
  return b.both(seen, blockAt(inside));
}

Value Mask::blockAt(const Point &point) {
  return b.load(blocks->pointer, blocks->offset(b, point), blocks->element);
}

/// Is any of the sparse blocks that the tile touches to be seen? C13 has them
/// cut the last row dim and the key dim only.
Value Mask::anyBlock(Value key) {
  auto sizeAlong = [&](unsigned dim) -> int64_t {
    for (AffineExpr expr : blocks->map.getResults())
      if (auto cut = dyn_cast<AffineBinaryOpExpr>(expr);
          cut && cut.isFunctionOfDim(dim))
        return cast<AffineConstantExpr>(cut.getRHS()).getValue();
    return 1;
  };
  Point point = geometry.batchPoint();
  geometry.setRow(point, b.index(0));
  // for block of rows { for block of keys { any |= blocks[..] } }
  auto walk = [&](unsigned dim, Value first, Value last, Value any,
                  function_ref<Value(Value any)> body) -> Value {
    int64_t size = sizeAlong(dim);
    Value from = b.roundDown(first, size);
    auto loop = scf::ForOp::create(b, from, b.add(last, 1), b.index(size), any);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    point[dim] = loop.getInductionVar();
    scf::YieldOp::create(b, body(loop.getRegionIterArg(0)));
    return loop.getResult(0);
  };
  unsigned keyDim = geometry.roles.key[0];
  Value lastKey =
      b.sub(b.min(b.add(key, geometry.keyBlock), geometry.keys), b.index(1));
  auto keys = [&](Value any) {
    return walk(keyDim, key, lastKey, any,
                [&](Value found) { return b.either(found, blockAt(point)); });
  };
  if (geometry.roles.row.empty())
    return keys(b.boolean(false));
  unsigned rowDim = geometry.roles.row.back();
  auto [firstRow, lastRow] = geometry.rowRange(rowDim, /*ofWarp=*/false);
  return walk(rowDim, firstRow, lastRow, b.boolean(false), keys);
}

void Mask::findRanges() {
  for (unsigned dim : geometry.roles.setDims())
    tileSymbols.push_back(geometry.extents[dim]);
  llvm::append_range(tileSymbols, symbols);

  Value zero = b.index(0);
  begin = zero;
  end = geometry.keys;
  if (visible.isAll())
    return;
  // A key that is not skipped counts wherever it is.
  if (visible.isNone()) {
    if (skips)
      end = zero;
    return;
  }
  // With several key dims no range says which blocks see something.
  if (geometry.roles.key.size() != 1)
    return;
  auto wholeRange = [&](unsigned) {
    return std::pair(zero, b.sub(geometry.keys, b.index(1)));
  };
  if (skips) {
    setTile(wholeRange, /*ofWarp=*/false);
    Range any = anyRange();
    Value lo = b.max(any.lo, zero);
    begin = b.roundDown(lo, geometry.keyBlock);
    end = b.min(any.hi, geometry.keys);
    // Rounding must not find a block where there is no key.
    if (!matchPattern(lo, m_Zero()))
      end = b.select(b.less(lo, end), end, zero);
  }
  if (!boundable())
    return;
  setTile(wholeRange, /*ofWarp=*/true);
  full = fullRange();
  full->hi = b.min(full->hi, geometry.keys);
}

unsigned Mask::keySetDim() const {
  SmallVector<unsigned> dims = geometry.roles.setDims();
  return llvm::find(dims, geometry.roles.key[0]) - dims.begin();
}

bool Mask::boundable() const {
  if (visible.sets().size() != 1)
    return false;
  unsigned key = keySetDim();
  return llvm::none_of(visible.sets()[0].constraints,
                       [&](const ::attn::Constraint &constraint) {
                         return constraint.expr.isDimUnderDivision(key);
                       });
}

/// First and last whole-problem index of every set dim.
void Mask::setTile(KeyRange keys, bool ofWarp) {
  tileDims.clear();
  for (unsigned dim : geometry.roles.setDims()) {
    Value first, last;
    if (llvm::is_contained(geometry.roles.key, dim)) {
      std::tie(first, last) = keys(dim);
    } else if (llvm::is_contained(geometry.roles.row, dim)) {
      std::tie(first, last) = geometry.rowRange(dim, ofWarp);
    } else {
      first = last = geometry.batchPoint()[dim];
    }
    tileDims.push_back(b.add(first, geometry.origin[dim]));
    tileDims.push_back(b.add(last, geometry.origin[dim]));
  }
}

Value Mask::evaluate(const Expr &expr) {
  ScoreEmitter emit(b, b.getLoc(), op);
  return emit.affine(toAffineExpr(expr, b.getContext()), tileDims, tileSymbols);
}

Value Mask::extremum(ArrayRef<Expr> exprs, bool max, Value otherwise) {
  if (exprs.empty())
    return otherwise;
  Value result;
  for (const Expr &expr : exprs) {
    Value value = evaluate(expr);
    result = !result ? value
             : max   ? b.max(result, value)
                     : b.min(result, value);
  }
  // Whole-problem to local index.
  return b.sub(result, geometry.origin[geometry.roles.key[0]]);
}

Value Mask::allNonNegative(ArrayRef<Expr> exprs) {
  Value all;
  for (const Expr &expr : exprs)
    all = b.both(
        all, b.compare(arith::CmpIPredicate::sge, evaluate(expr), b.index(0)));
  return all ? all : b.boolean(true);
}

/// Keys outside are hidden from the whole tile.
Mask::Range Mask::anyRange() {
  Range range;
  for (const ::attn::AffineSet &set : visible.sets()) {
    ::attn::tile::KeyBounds bounds = ::attn::tile::keyBounds(set, keySetDim());
    Value lo = extremum(bounds.anyLo, /*max=*/true, b.index(0));
    Value hi = extremum(bounds.anyHi, /*max=*/false, geometry.keys);
    if (!bounds.anyIf.empty())
      hi = b.select(allNonNegative(bounds.anyIf), hi, lo);
    range.lo = range.lo ? b.min(range.lo, lo) : lo;
    range.hi = range.hi ? b.max(range.hi, hi) : hi;
  }
  return range;
}

/// Keys inside are visible to the whole tile.
Mask::Range Mask::fullRange() {
  ::attn::tile::KeyBounds bounds =
      ::attn::tile::keyBounds(visible.sets()[0], keySetDim());
  Range range;
  range.lo = extremum(bounds.fullLo, /*max=*/true, b.index(0));
  range.hi = extremum(bounds.fullHi, /*max=*/false, geometry.keys);
  if (!bounds.fullIf.empty())
    range.hi = b.select(allNonNegative(bounds.fullIf), range.hi, b.index(0));
  return range;
}

Value Mask::anySet(
    function_ref<SmallVector<Expr, 4>(const ::attn::AffineSet &)> conditions) {
  Value any;
  for (const ::attn::AffineSet &set : visible.sets())
    any = b.either(any, allNonNegative(conditions(set)));
  return any;
}

Value Mask::visits(Value key) {
  Value here = visitsByMask(key);
  return here && visitsAll ? b.either(here, visitsAll) : here;
}

Value Mask::visitsByMask(Value key) {
  Value here = visitsByRule(key);
  // A loop over blocks, so only where a block may be visited at all.
  if (!blocks || geometry.roles.key.size() != 1 || leadingRows())
    return here;
  Value inside = b.both(here, b.less(key, geometry.keys));
  return b.branch(
      inside, b.getI1Type(), [&] { return SmallVector<Value>{anyBlock(key)}; },
      [&] { return SmallVector<Value>{b.boolean(false)}; })[0];
}

/// Do a thread array's rows have several indices in a row dim before the last?
bool Mask::leadingRows() const {
  ArrayRef<int64_t> block = geometry.ownBlock();
  return !block.empty() &&
         llvm::any_of(block.drop_back(), [](int64_t size) { return size > 1; });
}

Value Mask::visitsByRule(Value key) {
  bool tested = skips && !visible.isAll() && !visible.isNone() && !full &&
                geometry.blocksAreRanges();
  if (!tested)
    return {};
  setTile([&](unsigned dim) { return geometry.keyRange(dim, key); },
          /*ofWarp=*/false);
  return anySet(::attn::tile::anyConditions);
}

Value Mask::sees(Value key) {
  if (blocks)
    return b.boolean(false);
  if (visible.isAll())
    return geometry.blockExists(key);
  if (full)
    return b.both(b.atMost(b.add(key, geometry.keyBlock), full->hi),
                  b.atMost(full->lo, key));
  if (visible.isNone() || !geometry.blocksAreRanges())
    return b.boolean(false);
  setTile([&](unsigned dim) { return geometry.keyRange(dim, key); },
          /*ofWarp=*/true);
  return b.both(geometry.blockExists(key),
                anySet(::attn::tile::fullConditions));
}
