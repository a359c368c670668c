//===- QueryLoop.cpp - the loops over query blocks ------------------------===//
//
// Three schedules of the same fold:
//
//   q_outer          forall b, m { for n { online }  finish }
//   q_outer, splits  forall b, m, s { for n in part s { online } }   partial
//   states
//                    forall b, m { for s { merge }  finish }
//   kv_outer         for n { forall b, m { online } }                 state in
//   memory
//                    forall b, m { finish }
//
// In each, the fold of one tile is `tileKeys`, which skips what the mask hides;
// replaced hidden keys are completed where the visible ones are all folded.
//
//===----------------------------------------------------------------------===//
#include "QueryLoop.h"
#include "BlockLoop.h"
#include "Completion.h"
#include "attn/CostModel/Tiling.h"
#include "attn/IR/Roles.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Block sizes
//===----------------------------------------------------------------------===//

SmallVector<std::pair<unsigned, int64_t>>
mlir::attn::groupedDims(ScoreOpInterface op) {
  SmallVector<std::pair<unsigned, int64_t>> grouped;
  for (AffineMap map : op.getMapArray())
    for (AffineExpr expr : map.getResults())
      if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr))
        grouped.push_back(
            {cast<AffineDimExpr>(binary.getLHS()).getPosition(),
             cast<AffineConstantExpr>(binary.getRHS()).getValue()});
  return grouped;
}

AffineMap mlir::attn::blocksMap(ScoreOpInterface op) {
  // The same value may be an extra as well: the operand is found by its place,
  // after the symbols.
  OperandRange symbols = op.getSymbols();
  auto indexed = cast<IndexedOpInterface>(op.getOperation());
  return indexed.getMapOf(
      op->getOpOperand(symbols.getBeginOperandIndex() + symbols.size()));
}

/// The largest block of at most `block` that each divisor allows: its groups
/// lie in the block whole, or the block in one of them. All of the dim, if the
/// block holds that, is cut nowhere.
static int64_t alignToAll(int64_t block, ArrayRef<int64_t> divisors,
                          int64_t extent) {
  auto allowed = [&](int64_t size) {
    return llvm::all_of(divisors, [&](int64_t divisor) {
      return size % divisor == 0 || divisor % size == 0;
    });
  };
  int64_t aligned = block;
  for (int64_t divisor : divisors)
    aligned = ::attn::alignedBlock(aligned, divisor);
  if (allowed(aligned))
    return aligned;
  if (!ShapedType::isDynamic(extent) && block >= extent)
    return block;
  int64_t together = 1;
  for (int64_t divisor : divisors) {
    if (together > block)
      break;
    // A larger one is not multiplied: that might overflow.
    together = divisor > block ? divisor : std::lcm(together, divisor);
  }
  if (together <= block)
    return ::attn::alignedBlock(block, together);
  // What is no multiple of the largest divisor divides it.
  aligned = std::min(block, *llvm::max_element(divisors));
  while (!allowed(aligned))
    --aligned;
  return aligned;
}

/// What one block of a block-sparse mask spans of a dim: a tile that lies in it
/// can be skipped. Without such a mask, all.
static int64_t sparseBlock(ScoreOpInterface op, unsigned dim) {
  int64_t span = std::numeric_limits<int64_t>::max();
  if (!op.getBlocks())
    return span;
  for (AffineExpr expr : blocksMap(op).getResults())
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
        binary && binary.getLHS() == getAffineDimExpr(dim, op.getContext()))
      span =
          std::min(span, cast<AffineConstantExpr>(binary.getRHS()).getValue());
  return span;
}

void mlir::attn::alignBlocks(ScoreOpInterface op, const Roles &roles,
                             Blocking &blocking) {
  SmallVector<int64_t> extents = staticSizes(op);
  auto align = [&](ArrayRef<unsigned> dims, MutableArrayRef<int64_t> blocks) {
    for (auto [dim, block] : llvm::zip_equal(dims, blocks)) {
      SmallVector<int64_t> divisors;
      for (auto [grouped, divisor] : groupedDims(op))
        if (grouped == dim)
          divisors.push_back(divisor);
      block = alignToAll(std::min(block, sparseBlock(op, dim)), divisors,
                         extents[dim]);
    }
  };
  align(roles.row, blocking.query);
  align(roles.key, blocking.key);
}

OpFoldResult mlir::attn::tileSize(OpBuilder &b, Location loc, int64_t block,
                                  OpFoldResult size, OpFoldResult offset) {
  std::optional<int64_t> whole = getConstantIntValue(size);
  if (block == 1 || (whole && *whole % block == 0))
    return b.getIndexAttr(block);
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  AffineMap map = AffineMap::get(
      2, 0, {b.getAffineConstantExpr(block), d0 - d1}, b.getContext());
  return affine::makeComposedFoldedAffineMin(b, loc, map, {size, offset});
}

//===----------------------------------------------------------------------===//
// Initial states
//===----------------------------------------------------------------------===//

/// A slice of a tensor.empty becomes a tensor.empty of the slice's size: nobody
/// needs the whole one.
static void shrinkEmptyDestinations(RewriterBase &rewriter,
                                    ArrayRef<Operation *> tiledOps) {
  for (Operation *op : tiledOps)
    for (OpOperand &operand : op->getOpOperands()) {
      auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice || !slice.getSource().getDefiningOp<tensor::EmptyOp>())
        continue;
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(slice);
      Value empty = tensor::EmptyOp::create(rewriter, slice.getLoc(),
                                            slice.getMixedSizes(),
                                            slice.getType().getElementType());
      operand.set(empty);
      if (slice->use_empty())
        rewriter.eraseOp(slice);
    }
}

static Value sliceOf(OpBuilder &b, Location loc, Value tensor,
                     ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes, ones);
}

/// The tile of an initial state, computed in place where its producer can be
/// tiled, so that no state of the whole problem is made.
static Value tileOfInit(RewriterBase &rewriter, Location loc, Value init,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes) {
  auto result = dyn_cast<OpResult>(init);
  auto producer =
      result ? dyn_cast<TilingInterface>(result.getOwner()) : TilingInterface();
  if (producer && isa<linalg::LinalgOp>(result.getOwner())) {
    FailureOr<TilingResult> tile = producer.generateResultTileValue(
        rewriter, result.getResultNumber(), offsets, sizes);
    if (succeeded(tile)) {
      shrinkEmptyDestinations(rewriter, tile->tiledOps);
      return tile->tiledValues.front();
    }
  }
  return sliceOf(rewriter, loc, init, offsets, sizes);
}

//===----------------------------------------------------------------------===//
// The tiler
//===----------------------------------------------------------------------===//

namespace {

class QueryTiler {
public:
  QueryTiler(RewriterBase &rewriter, FinishOp finish, OnlineAttentionOp online,
             Blocking blocking)
      : rewriter(rewriter), loc(finish.getLoc()), finish(finish),
        online(online), roles(inferRoles(online)),
        blocking(std::move(blocking)) {}

  LogicalResult run();

private:
  /// A part of the iteration space of `online`.
  struct Tile {
    SmallVector<OpFoldResult> offsets, sizes;
  };
  using State = SmallVector<Value>; // acc, max, sum
  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes;
  };

  LogicalResult runQueryOuter();
  LogicalResult runSplit();
  LogicalResult runKeyOuter();
  LogicalResult finishLoop(function_ref<FailureOr<State>(const Tile &)> state);

  scf::ForallOp forall(ValueRange outs, std::optional<int64_t> parts = {});
  Tile rowTile(scf::ForallOp loop);
  Slice stateSlice(const Tile &tile, unsigned result);
  State initialState(const Tile &tile);
  State identityState(const Tile &tile);
  State stateOf(ValueRange whole, const Tile &tile);
  FailureOr<OnlineAttentionOp> cut(const Tile &tile, ValueRange state);
  void insert(scf::ForallOp loop, ValueRange tiles, ArrayRef<Slice> slices,
              OpFoldResult part = {});
  FailureOr<State> mergeParts(ValueRange partial, const Tile &tile);
  FailureOr<State> complete(const Tile &tile, State state);
  SmallVector<unsigned> onlineDims();

  OpFoldResult index(int64_t value) { return rewriter.getIndexAttr(value); }
  Value asValue(OpFoldResult v) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, v);
  }
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(rewriter, loc, expr, operands);
  }

  RewriterBase &rewriter;
  Location loc;
  FinishOp finish;
  OnlineAttentionOp online;
  Roles roles;
  Blocking blocking;

  SmallVector<unsigned> loopDims;  ///< dims of `online` with a loop
  SmallVector<int64_t> loopBlocks; ///< tile size of each
  SmallVector<OpFoldResult> domain;
};

} // namespace

/// The dim of the online attention that each dim of the finish is.
SmallVector<unsigned> QueryTiler::onlineDims() {
  SmallVector<unsigned> dims(finish.getNumLoops());
  AffineMap from = finish.getMapArray()[0];
  AffineMap to = online.getMapOf(*online.getDpsInitOperand(0));
  for (auto [f, o] : llvm::zip_equal(from.getResults(), to.getResults()))
    dims[cast<AffineDimExpr>(f).getPosition()] =
        cast<AffineDimExpr>(o).getPosition();
  return dims;
}

/// A loop over batch dims, query blocks and, if given, `parts` parts.
scf::ForallOp QueryTiler::forall(ValueRange outs,
                                 std::optional<int64_t> parts) {
  SmallVector<OpFoldResult> lower, upper, step;
  auto add = [&](OpFoldResult size, int64_t block) {
    lower.push_back(index(0));
    upper.push_back(size);
    step.push_back(index(block));
  };
  for (auto [dim, block] : llvm::zip_equal(loopDims, loopBlocks))
    add(domain[dim], block);
  if (parts || loopDims.empty())
    add(index(parts.value_or(1)), 1);
  auto loop = scf::ForallOp::create(rewriter, loc, lower, upper, step, outs,
                                    /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(loop.getTerminator());
  return loop;
}

QueryTiler::Tile QueryTiler::rowTile(scf::ForallOp loop) {
  Tile tile{SmallVector<OpFoldResult>(domain.size(), index(0)), domain};
  for (auto [dim, block, iv] :
       llvm::zip(loopDims, loopBlocks, loop.getInductionVars())) {
    tile.offsets[dim] = iv;
    tile.sizes[dim] = tileSize(rewriter, loc, block, domain[dim], iv);
  }
  return tile;
}

QueryTiler::Slice QueryTiler::stateSlice(const Tile &tile, unsigned result) {
  AffineMap map = online.getMapOf(*online.getDpsInitOperand(result));
  Slice slice;
  for (AffineExpr expr : map.getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    slice.offsets.push_back(tile.offsets[dim]);
    slice.sizes.push_back(tile.sizes[dim]);
  }
  return slice;
}

QueryTiler::State QueryTiler::initialState(const Tile &tile) {
  State state;
  for (unsigned i = 0; i < 3; ++i) {
    Slice slice = stateSlice(tile, i);
    state.push_back(tileOfInit(rewriter, loc, online.getDpsInits()[i],
                               slice.offsets, slice.sizes));
  }
  return state;
}

QueryTiler::State QueryTiler::identityState(const Tile &tile) {
  Type type = accumulateType(online);
  double identity[] = {0.0, -std::numeric_limits<double>::infinity(), 0.0};
  State state;
  for (unsigned i = 0; i < 3; ++i) {
    Value value = arith::ConstantOp::create(
        rewriter, loc, rewriter.getFloatAttr(type, identity[i]));
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, stateSlice(tile, i).sizes, type);
    state.push_back(
        linalg::FillOp::create(rewriter, loc, value, empty).getResult(0));
  }
  return state;
}

QueryTiler::State QueryTiler::stateOf(ValueRange whole, const Tile &tile) {
  State state;
  for (unsigned i = 0; i < 3; ++i) {
    Slice slice = stateSlice(tile, i);
    state.push_back(
        sliceOf(rewriter, loc, whole[i], slice.offsets, slice.sizes));
  }
  return state;
}

/// The online attention on a tile, continuing from `state`.
FailureOr<OnlineAttentionOp> QueryTiler::cut(const Tile &tile,
                                             ValueRange state) {
  FailureOr<TilingResult> result =
      online.getTiledImplementation(rewriter, tile.offsets, tile.sizes);
  if (failed(result))
    return failure();
  auto tiled = cast<OnlineAttentionOp>(result->tiledOps.front());
  for (auto [i, value] : llvm::enumerate(state)) {
    OpOperand &init = *tiled.getDpsInitOperand(i);
    auto slice = init.get().getDefiningOp<tensor::ExtractSliceOp>();
    init.set(value);
    tiled->getResult(i).setType(cast<RankedTensorType>(value.getType()));
    if (slice && slice->use_empty())
      rewriter.eraseOp(slice);
  }
  rewriter.setInsertionPointAfter(tiled);
  return tiled;
}

/// Writes tiles back to the loop's shared outputs; with `part`, into that slot
/// of their leading dim.
void QueryTiler::insert(scf::ForallOp loop, ValueRange tiles,
                        ArrayRef<Slice> slices, OpFoldResult part) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(loop.getTerminator().getBody());
  for (auto [tile, slice, output] :
       llvm::zip_equal(tiles, slices, loop.getRegionIterArgs())) {
    SmallVector<OpFoldResult> offsets(slice.offsets), sizes(slice.sizes);
    if (part) {
      offsets.insert(offsets.begin(), part);
      sizes.insert(sizes.begin(), index(1));
    }
    SmallVector<OpFoldResult> ones(sizes.size(), index(1));
    tensor::ParallelInsertSliceOp::create(rewriter, loc, tile, output, offsets,
                                          sizes, ones);
  }
}

/// The hidden keys of a tile whose visible keys are all folded.
FailureOr<QueryTiler::State> QueryTiler::complete(const Tile &tile,
                                                  State state) {
  if (!needsCompletion(online))
    return state;
  FailureOr<OnlineAttentionOp> tiled = cut(tile, state);
  if (failed(tiled))
    return failure();
  // The op is replaced by its completion; hold its results by a user.
  auto holder = UnrealizedConversionCastOp::create(
      rewriter, loc, (*tiled)->getResultTypes(), (*tiled)->getResults());
  if (failed(completeHiddenKeys(rewriter, *tiled, blocking.key)))
    return failure();
  State results(holder.getOperands());
  rewriter.eraseOp(holder);
  return results;
}

/// forall b, m { finish(state) } in the place of `finish`.
LogicalResult
QueryTiler::finishLoop(function_ref<FailureOr<State>(const Tile &)> makeState) {
  rewriter.setInsertionPoint(finish);
  scf::ForallOp loop = forall(finish.getDpsInits());
  Tile tile = rowTile(loop);
  FailureOr<State> state = makeState(tile);
  if (failed(state))
    return failure();
  SmallVector<OpFoldResult> offsets, sizes;
  for (unsigned dim : onlineDims()) {
    offsets.push_back(tile.offsets[dim]);
    sizes.push_back(tile.sizes[dim]);
  }
  FailureOr<TilingResult> result =
      finish.getTiledImplementation(rewriter, offsets, sizes);
  if (failed(result))
    return failure();
  auto tiled = cast<FinishOp>(result->tiledOps.front());
  for (unsigned i = 0; i < 3; ++i) {
    auto slice = tiled->getOperand(i).getDefiningOp<tensor::ExtractSliceOp>();
    tiled->setOperand(i, (*state)[i]);
    if (slice && slice->use_empty())
      rewriter.eraseOp(slice);
  }
  SmallVector<Slice> slices;
  for (auto [i, output] : llvm::enumerate(loop.getRegionIterArgs())) {
    OpOperand &init = *tiled.getDpsInitOperand(i);
    if (cast<ShapedType>(init.get().getType()).getRank() == 0) {
      init.set(output); // a scalar has no slice
      slices.push_back({});
      continue;
    }
    auto slice = init.get().getDefiningOp<tensor::ExtractSliceOp>();
    slice.getSourceMutable().assign(output);
    slices.push_back({slice.getMixedOffsets(), slice.getMixedSizes()});
  }
  insert(loop, tiled->getResults(), slices);
  rewriter.replaceOp(finish, loop.getResults());
  return success();
}

LogicalResult QueryTiler::runQueryOuter() {
  OnlineAttentionOp tiled;
  LogicalResult looped = finishLoop([&](const Tile &tile) -> FailureOr<State> {
    FailureOr<OnlineAttentionOp> op = cut(tile, initialState(tile));
    if (failed(op))
      return failure();
    tiled = *op;
    return State(tiled->getResults());
  });
  if (failed(looped))
    return failure();
  return tileKeys(rewriter, tiled, blocking.key);
}

/// for s { state = merge(partial[s], state) }, from the initial state.
FailureOr<QueryTiler::State> QueryTiler::mergeParts(ValueRange partial,
                                                    const Tile &tile) {
  State init = initialState(tile);
  ArrayAttr maps = rewriter.getAffineMapArrayAttr(
      ArrayRef(finish.getMapArray()).take_front(2));
  auto loop = scf::ForOp::create(rewriter, loc, asValue(index(0)),
                                 asValue(index(blocking.keySplits)),
                                 asValue(index(1)), init);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> operands;
  for (unsigned i = 0; i < 3; ++i) {
    Slice slice = stateSlice(tile, i);
    slice.offsets.insert(slice.offsets.begin(),
                         OpFoldResult(loop.getInductionVar()));
    slice.sizes.insert(slice.sizes.begin(), index(1));
    SmallVector<OpFoldResult> ones(slice.sizes.size(), index(1));
    operands.push_back(tensor::ExtractSliceOp::create(
        rewriter, loc, cast<RankedTensorType>(init[i].getType()), partial[i],
        slice.offsets, slice.sizes, ones));
  }
  llvm::append_range(operands, loop.getRegionIterArgs());
  auto merge = MergeOp::create(rewriter, loc, TypeRange(ValueRange(init)),
                               operands[0], operands[1], operands[2],
                               operands[3], operands[4], operands[5], maps);
  scf::YieldOp::create(rewriter, loc, merge->getResults());
  return State(loop.getResults());
}

LogicalResult QueryTiler::runSplit() {
  rewriter.setInsertionPoint(finish);
  unsigned keyDim = roles.key.front();
  int64_t block = blocking.key.front();
  AffineExpr d0, d1;
  bindDims(rewriter.getContext(), d0, d1);
  // Whole blocks per part, and whole groups of a floordiv or mod map.
  for (auto [dim, divisor] : groupedDims(online))
    if (dim == keyDim)
      block = std::lcm(block, divisor);
  OpFoldResult chunk =
      apply(d0.ceilDiv(block * blocking.keySplits) * block, {domain[keyDim]});

  Tile whole{SmallVector<OpFoldResult>(domain.size(), index(0)), domain};
  SmallVector<Value> partial;
  for (unsigned i = 0; i < 3; ++i) {
    SmallVector<OpFoldResult> shape = stateSlice(whole, i).sizes;
    shape.insert(shape.begin(), index(blocking.keySplits));
    partial.push_back(
        tensor::EmptyOp::create(rewriter, loc, shape, accumulateType(online)));
  }
  scf::ForallOp loop = forall(partial, blocking.keySplits);
  Tile tile = rowTile(loop);
  Value part = loop.getInductionVars().back();
  SmallVector<Slice> slices;
  for (unsigned i = 0; i < 3; ++i)
    slices.push_back(stateSlice(tile, i));
  OpFoldResult start = affine::makeComposedFoldedAffineMin(
      rewriter, loc,
      AffineMap::getMultiDimIdentityMap(2, rewriter.getContext()),
      {OpFoldResult(arith::MulIOp::create(rewriter, loc, part, asValue(chunk))
                        .getResult()),
       domain[keyDim]});
  tile.offsets[keyDim] = start;
  tile.sizes[keyDim] = affine::makeComposedFoldedAffineMin(
      rewriter, loc,
      AffineMap::get(3, 0, {d0, d1 - rewriter.getAffineDimExpr(2)},
                     rewriter.getContext()),
      {chunk, domain[keyDim], start});
  FailureOr<OnlineAttentionOp> tiled = cut(tile, identityState(tile));
  if (failed(tiled))
    return failure();
  if (needsCompletion(*tiled))
    dropHiddenKeys(*tiled);
  insert(loop, (*tiled)->getResults(), slices, part);
  if (failed(tileKeys(rewriter, *tiled, blocking.key)))
    return failure();
  return finishLoop([&](const Tile &rows) -> FailureOr<State> {
    FailureOr<State> merged = mergeParts(loop.getResults(), rows);
    if (failed(merged))
      return failure();
    return complete(rows, *merged);
  });
}

LogicalResult QueryTiler::runKeyOuter() {
  rewriter.setInsertionPoint(finish);
  unsigned keyDim = roles.key.front();
  int64_t block = blocking.key.front();
  auto keys = scf::ForOp::create(rewriter, loc, asValue(index(0)),
                                 asValue(domain[keyDim]), asValue(index(block)),
                                 online.getDpsInits());
  rewriter.setInsertionPointToStart(keys.getBody());
  scf::ForallOp loop = forall(keys.getRegionIterArgs());
  Tile tile = rowTile(loop);
  tile.offsets[keyDim] = keys.getInductionVar();
  tile.sizes[keyDim] =
      tileSize(rewriter, loc, block, domain[keyDim], keys.getInductionVar());
  SmallVector<Slice> slices;
  for (unsigned i = 0; i < 3; ++i)
    slices.push_back(stateSlice(tile, i));
  FailureOr<OnlineAttentionOp> tiled =
      cut(tile, stateOf(loop.getRegionIterArgs(), tile));
  if (failed(tiled))
    return failure();
  if (needsCompletion(*tiled))
    dropHiddenKeys(*tiled);
  insert(loop, (*tiled)->getResults(), slices);
  rewriter.setInsertionPointAfter(loop);
  scf::YieldOp::create(rewriter, loc, loop.getResults());
  if (failed(tileKeys(rewriter, *tiled, blocking.key)))
    return failure();
  return finishLoop([&](const Tile &rows) -> FailureOr<State> {
    return complete(rows, stateOf(keys.getResults(), rows));
  });
}

LogicalResult QueryTiler::run() {
  alignBlocks(online, roles, blocking);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(finish);
  domain = iterationSizes(rewriter, online);
  for (unsigned dim : stateDims(roles)) {
    auto *row = llvm::find(roles.row, dim);
    loopDims.push_back(dim);
    loopBlocks.push_back(
        row == roles.row.end() ? 1 : blocking.query[row - roles.row.begin()]);
  }
  // Where a part of the keys begins is not known to be a multiple of a floordiv
  // or mod map's divisor if the number of keys is not known: keys stay
  // together.
  bool splits = blocking.keySplits > 1;
  for (auto [dim, divisor] : groupedDims(online))
    splits &= dim != roles.key.front() || getConstantIntValue(domain[dim]);
  LogicalResult result = blocking.order == Order::KVOuter ? runKeyOuter()
                         : splits                         ? runSplit()
                                                          : runQueryOuter();
  if (succeeded(result) && online->use_empty())
    rewriter.eraseOp(online);
  return result;
}

LogicalResult mlir::attn::tileAttention(RewriterBase &rewriter, FinishOp finish,
                                        OnlineAttentionOp online,
                                        Blocking blocking) {
  return QueryTiler(rewriter, finish, online, std::move(blocking)).run();
}
