//===- BackwardLoop.cpp - the loops of a backward -------------------------===//
//
//   D = rowsum(dO . O) - dlse
//   forall b, s {                  batch dims that index every gradient; parts
//   of
//                                  the keys
//     for the other batch dims {
//       kv_outer  for n { dK[n] = dV[n] = 0   for m { online_backward } }
//       q_outer   for m { dQ[m] = 0           for n { online_backward } } } }
//   dQ = sum over s                where there are several parts
//
// A gradient that the outer blocks own (dK and dV of a key block) starts at 0
// and is rounded once per block; the others are accumulated in memory, by one
// iteration of the forall each. So the order of every sum is that of the loops:
// it does not depend on the number of threads. Parts of the keys have a dQ of
// their own, and the parts are summed in order.
//
// What the mask hides is skipped where that is exact. It is not where a hidden
// key may count: where it is replaced and close to some row's LSE, or where a
// row without any key makes NaN of everything. So each iteration of the forall
// chooses between two nests, with and without skipping.
//
//===----------------------------------------------------------------------===//
#include "BackwardLoop.h"
#include "BlockLoop.h"
#include "attn/IR/Roles.h"
#include "attn/IR/Transforms.h"
#include "attn/Support/Algebra.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::attn;

namespace {

class BackwardTiler {
public:
  BackwardTiler(RewriterBase &rewriter, AttentionBackwardOp op,
                Blocking blocking)
      : rewriter(rewriter), loc(op.getLoc()), op(op), roles(inferRoles(op)),
        type(accumulateType(op)), blocking(std::move(blocking)) {}

  LogicalResult run();

private:
  /// A part of the iteration space.
  struct Space {
    SmallVector<OpFoldResult> offsets, sizes;
  };
  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes;
  };
  using State = SmallVector<Value>; // one per gradient

  void plan();
  bool indexes(unsigned gradient, unsigned dim);
  bool isOwned(unsigned gradient);
  Space partSpace(scf::ForallOp loop);
  Slice sliceAt(unsigned gradient, const Space &space);
  Value slice(Value tensor, const Slice &at);
  Value zeros(ArrayRef<OpFoldResult> sizes);
  Value zeroed(Value tensor);

  FailureOr<State> iteration(OnlineBackwardOp whole, const Space &space,
                             ValueRange outs);
  Value someRowNeedsHidden(OnlineBackwardOp tile);
  FailureOr<State> nest(OnlineBackwardOp tile, ArrayRef<unsigned> dims,
                        ArrayRef<int64_t> blocks, Space space, State state,
                        bool visitHidden);
  FailureOr<State> outerBlock(OnlineBackwardOp tile, const Space &space,
                              State state, bool visitHidden);
  Value sumOfParts(Value partial, Value destination);

  OpFoldResult index(int64_t value) { return rewriter.getIndexAttr(value); }
  Value asValue(OpFoldResult v) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, v);
  }
  bool isRounded(unsigned gradient) {
    return getElementTypeOrSelf(outs[gradient]) != type;
  }

  RewriterBase &rewriter;
  Location loc;
  AttentionBackwardOp op;
  Roles roles;
  FloatType type;
  Blocking blocking;

  SmallVector<Value> outs; ///< destinations, without the sink's
  SmallVector<AffineMap> maps;
  SmallVector<OpFoldResult> domain;
  SmallVector<unsigned> parallel, sequential; ///< batch dims
  SmallVector<unsigned> outer, inner;         ///< key and row dims
  SmallVector<int64_t> outerBlocks, innerBlocks;
  OpFoldResult chunk; ///< keys of a part
  int64_t parts = 1;
  bool mayBeHidden = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// Does the dim index this gradient by itself?
bool BackwardTiler::indexes(unsigned gradient, unsigned dim) {
  return llvm::is_contained(maps[gradient].getResults(),
                            rewriter.getAffineDimExpr(dim));
}

/// Does each outer block have a part of this gradient to itself?
bool BackwardTiler::isOwned(unsigned gradient) {
  return llvm::all_of(llvm::concat<unsigned>(sequential, outer),
                      [&](unsigned dim) { return indexes(gradient, dim); });
}

void BackwardTiler::plan() {
  outs.assign(op.getGrads().begin(), op.getGrads().end());
  for (OpOperand &grad : op.getGradsMutable())
    maps.push_back(op.getMapOf(grad));
  if (op.getSink()) {
    outs.erase(outs.begin() + 3);
    maps.erase(maps.begin() + 3);
  }
  domain = iterationSizes(rewriter, op);
  alignBlocks(op, roles, blocking);
  unsigned gradients = outs.size();
  for (unsigned dim : roles.batch) {
    bool inAll = llvm::all_of(llvm::seq(gradients),
                              [&](unsigned g) { return indexes(g, dim); });
    (inAll ? parallel : sequential).push_back(dim);
  }
  outer = roles.key;
  outerBlocks = blocking.key;
  inner = roles.row;
  innerBlocks = blocking.query;
  if (blocking.order == Order::QOuter) {
    std::swap(outer, inner);
    std::swap(outerBlocks, innerBlocks);
  }

  // Parts share what the keys do not index; of that only dQ has a copy for
  // each.
  unsigned keyDim = roles.key.front();
  parts = blocking.keySplits;
  for (unsigned g = 1; g < gradients; ++g)
    if (!indexes(g, keyDim))
      parts = 1;
  int64_t block = blocking.key.front();
  for (auto [dim, divisor] : groupedDims(op)) {
    if (dim != keyDim)
      continue;
    block = std::lcm(block, divisor);
    if (!getConstantIntValue(domain[keyDim]))
      parts = 1;
  }
  if (parts > 1) {
    AffineExpr d0 = rewriter.getAffineDimExpr(0);
    chunk = affine::makeComposedFoldedAffineApply(
        rewriter, loc, d0.ceilDiv(block * parts) * block, {domain[keyDim]});
  }
  bool hides = op.getVisibleAttr() || op.getBlocks();
  mayBeHidden = hides && !(op.getHidden().isSkip() &&
                           op.getEmptyRows() == EmptyRows::Zero);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Where a part of the forall lies in a gradient.
BackwardTiler::Slice BackwardTiler::sliceAt(unsigned gradient,
                                            const Space &space) {
  Slice result;
  OpFoldResult zero = index(0);
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(rewriter, loc, outs[gradient]);
  for (auto [expr, size] :
       llvm::zip_equal(maps[gradient].getResults(), shape)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    result.offsets.push_back(dim ? space.offsets[dim.getPosition()] : zero);
    result.sizes.push_back(dim ? space.sizes[dim.getPosition()] : size);
  }
  return result;
}

Value BackwardTiler::slice(Value tensor, const Slice &at) {
  if (at.sizes.empty()) // a scalar has no slice
    return tensor;
  SmallVector<OpFoldResult> ones(at.sizes.size(), index(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, tensor, at.offsets,
                                        at.sizes, ones);
}

Value BackwardTiler::zeroed(Value tensor) {
  Value zero = arith::ConstantOp::create(rewriter, loc,
                                         rewriter.getFloatAttr(type, 0.0));
  return linalg::FillOp::create(rewriter, loc, zero, tensor).getResult(0);
}

Value BackwardTiler::zeros(ArrayRef<OpFoldResult> sizes) {
  return zeroed(tensor::EmptyOp::create(rewriter, loc, sizes, type));
}

//===----------------------------------------------------------------------===//
// The two loop nests of an iteration
//===----------------------------------------------------------------------===//

/// i1: is some row's LSE so low that keys which the mask hides count?
Value BackwardTiler::someRowNeedsHidden(OnlineBackwardOp tile) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  HiddenAttr hidden = op.getHidden();
  double limit = -inf; // only rows without any key
  if (!hidden.isSkip()) {
    limit = type.isF64() ? ::attn::CompletionThreshold<double>::natural
                         : ::attn::CompletionThreshold<float>::natural;
    limit += hidden.getValue().getValueAsDouble();
  }
  Value no =
      arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(false));
  Value out = tensor::FromElementsOp::create(
      rewriter, loc, RankedTensorType::get({}, rewriter.getI1Type()), no);
  unsigned rank = cast<ShapedType>(tile.getLse().getType()).getRank();
  SmallVector<AffineMap> maps = {
      rewriter.getMultiDimIdentityMap(rank),
      AffineMap::get(rank, 0, {}, rewriter.getContext())};
  SmallVector<utils::IteratorType> types(rank, utils::IteratorType::reduction);
  auto any = linalg::GenericOp::create(
      rewriter, loc, TypeRange{out.getType()}, tile.getLse(), out, maps, types,
      [&](OpBuilder &n, Location at, ValueRange args) {
        Value bound =
            arith::ConstantOp::create(n, at, n.getFloatAttr(type, limit));
        Value low = arith::CmpFOp::create(n, at, arith::CmpFPredicate::OLE,
                                          args[0], bound);
        Value either = arith::OrIOp::create(n, at, args[1], low);
        linalg::YieldOp::create(n, at, either);
      });
  return tensor::ExtractOp::create(rewriter, loc, any.getResult(0),
                                   ValueRange{});
}

/// One block of the outer dims against all of the inner ones.
FailureOr<BackwardTiler::State> BackwardTiler::outerBlock(OnlineBackwardOp tile,
                                                          const Space &space,
                                                          State state,
                                                          bool visitHidden) {
  FailureOr<TilingResult> cut =
      tile.getTiledImplementation(rewriter, space.offsets, space.sizes);
  if (failed(cut))
    return failure();
  auto block = cast<OnlineBackwardOp>(cut->tiledOps.front());
  if (!visitHidden && mayBeHidden)
    block.setHiddenAttr(HiddenAttr::getSkip(op.getContext()));
  SmallVector<Slice> slices;
  SmallVector<Value> destinations;
  rewriter.setInsertionPoint(block);
  for (unsigned g = 0; g < state.size(); ++g) {
    OpOperand &init = *block.getDpsInitOperand(g);
    auto unused = init.get().getDefiningOp<tensor::ExtractSliceOp>();
    Slice at;
    if (!maps[g].getResults().empty())
      at = {unused.getMixedOffsets(), unused.getMixedSizes()};
    slices.push_back(at);
    destinations.push_back(slice(state[g], at));
    Value sums = destinations[g];
    if (isOwned(g))
      sums = isRounded(g) ? zeros(slices[g].sizes) : zeroed(sums);
    init.set(sums);
    block->getResult(g).setType(cast<RankedTensorType>(sums.getType()));
    if (unused && unused->use_empty())
      rewriter.eraseOp(unused);
  }
  rewriter.setInsertionPointAfter(block);
  // The op is replaced by its loops; hold its results by a user.
  auto holder = UnrealizedConversionCastOp::create(
      rewriter, loc, block->getResultTypes(), block->getResults());
  if (!inner.empty() &&
      failed(tileBlocks(rewriter, block, inner, innerBlocks, visitHidden)))
    return failure();
  State results(holder.getOperands());
  rewriter.setInsertionPointAfter(holder);
  rewriter.eraseOp(holder);
  for (unsigned g = 0; g < state.size(); ++g) {
    if (isOwned(g) && isRounded(g))
      results[g] = emitRounded(rewriter, loc, results[g], destinations[g]);
    if (slices[g].sizes.empty()) {
      state[g] = results[g];
      continue;
    }
    SmallVector<OpFoldResult> ones(slices[g].sizes.size(), index(1));
    state[g] =
        tensor::InsertSliceOp::create(rewriter, loc, results[g], state[g],
                                      slices[g].offsets, slices[g].sizes, ones);
  }
  return state;
}

/// Loops over `dims`, around one outer block.
FailureOr<BackwardTiler::State> BackwardTiler::nest(OnlineBackwardOp tile,
                                                    ArrayRef<unsigned> dims,
                                                    ArrayRef<int64_t> blocks,
                                                    Space space, State state,
                                                    bool visitHidden) {
  if (dims.empty())
    return outerBlock(tile, space, state, visitHidden);
  unsigned dim = dims.front();
  OpFoldResult whole = space.sizes[dim];
  auto loop =
      scf::ForOp::create(rewriter, loc, asValue(index(0)), asValue(whole),
                         asValue(index(blocks.front())), state);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  space.offsets[dim] = loop.getInductionVar();
  space.sizes[dim] =
      tileSize(rewriter, loc, blocks.front(), whole, loop.getInductionVar());
  FailureOr<State> next =
      nest(tile, dims.drop_front(), blocks.drop_front(), space,
           State(loop.getRegionIterArgs()), visitHidden);
  if (failed(next))
    return failure();
  scf::YieldOp::create(rewriter, loc, *next);
  return State(loop.getResults());
}

//===----------------------------------------------------------------------===//
// The forall
//===----------------------------------------------------------------------===//

BackwardTiler::Space BackwardTiler::partSpace(scf::ForallOp loop) {
  Space space{SmallVector<OpFoldResult>(domain.size(), index(0)), domain};
  for (auto [dim, iv] : llvm::zip(parallel, loop.getInductionVars())) {
    space.offsets[dim] = iv;
    space.sizes[dim] = index(1);
  }
  if (parts == 1)
    return space;
  unsigned keyDim = roles.key.front();
  MLIRContext *context = rewriter.getContext();
  AffineExpr d0, d1, d2;
  bindDims(context, d0, d1, d2);
  Value begin = arith::MulIOp::create(
      rewriter, loc, loop.getInductionVars().back(), asValue(chunk));
  OpFoldResult start = affine::makeComposedFoldedAffineMin(
      rewriter, loc, AffineMap::getMultiDimIdentityMap(2, context),
      {OpFoldResult(begin), domain[keyDim]});
  space.sizes[keyDim] = affine::makeComposedFoldedAffineMin(
      rewriter, loc, AffineMap::get(3, 0, {d0, d1 - d2}, context),
      {chunk, domain[keyDim], start});
  space.offsets[keyDim] = start;
  return space;
}

/// The gradients of one iteration's part, in the destinations' types.
FailureOr<BackwardTiler::State>
BackwardTiler::iteration(OnlineBackwardOp whole, const Space &space,
                         ValueRange destinations) {
  FailureOr<TilingResult> cut =
      whole.getTiledImplementation(rewriter, space.offsets, space.sizes);
  if (failed(cut))
    return failure();
  auto tile = cast<OnlineBackwardOp>(cut->tiledOps.front());
  // The tile only stands for its inputs: gradients are handed on beside it.
  State start;
  for (auto [g, destination] : llvm::enumerate(destinations)) {
    SmallVector<OpFoldResult> sizes = sliceAt(g, space).sizes;
    Value sums = destination;
    if (!isOwned(g))
      sums = isRounded(g) && !(parts > 1 && g == 0) ? zeros(sizes)
                                                    : zeroed(destination);
    start.push_back(sums);
  }
  SmallVector<unsigned> dims(sequential);
  SmallVector<int64_t> blocks(sequential.size(), 1);
  llvm::append_range(dims, outer);
  llvm::append_range(blocks, outerBlocks);
  // Positions within the tile.
  Space local{SmallVector<OpFoldResult>(domain.size(), index(0)), space.sizes};
  auto loops = [&](bool visitHidden) {
    return nest(tile, dims, blocks, local, start, visitHidden);
  };
  FailureOr<State> sums;
  if (mayBeHidden) {
    Value needed = someRowNeedsHidden(tile);
    auto branch = scf::IfOp::create(rewriter, loc, TypeRange(ValueRange(start)),
                                    needed, /*withElseRegion=*/true);
    for (bool visitHidden : {true, false}) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToEnd(visitHidden ? branch.thenBlock()
                                                  : branch.elseBlock());
      FailureOr<State> result = loops(visitHidden);
      if (failed(result))
        return failure();
      scf::YieldOp::create(rewriter, loc, *result);
    }
    sums = State(branch.getResults());
  } else {
    sums = loops(false);
  }
  if (failed(sums))
    return failure();
  rewriter.eraseOp(tile);
  for (auto [g, sum] : llvm::enumerate(*sums))
    if (getElementTypeOrSelf(sum) != getElementTypeOrSelf(destinations[g]))
      sum = emitRounded(rewriter, loc, sum, destinations[g]);
  return sums;
}

/// dQ = the sum of the parts' dQ, in order.
Value BackwardTiler::sumOfParts(Value partial, Value destination) {
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(rewriter, loc, destination);
  bool round = getElementTypeOrSelf(destination) != type;
  Value start = round ? zeros(shape) : zeroed(destination);
  unsigned rank = shape.size();
  SmallVector<AffineMap> accesses = {
      rewriter.getMultiDimIdentityMap(rank + 1),
      rewriter.getMultiDimIdentityMap(rank + 1).dropResult(0)};
  SmallVector<utils::IteratorType> types(rank + 1,
                                         utils::IteratorType::parallel);
  types[0] = utils::IteratorType::reduction;
  Value sum = linalg::GenericOp::create(
                  rewriter, loc, TypeRange{start.getType()}, partial, start,
                  accesses, types,
                  [](OpBuilder &n, Location at, ValueRange args) {
                    Value next = arith::AddFOp::create(n, at, args[1], args[0]);
                    linalg::YieldOp::create(n, at, next);
                  })
                  .getResult(0);
  return round ? emitRounded(rewriter, loc, sum, destination) : sum;
}

LogicalResult BackwardTiler::run() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  plan();
  Value delta = emitDelta(rewriter, op);
  Value sinkGrad;
  if (op.getSink())
    sinkGrad = emitSinkGradient(rewriter, op, delta);

  // Stands for the whole problem while tiles are cut from it.
  SmallVector<Value> placeholders;
  for (Value out : outs)
    placeholders.push_back(tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, out), type));
  auto whole = OnlineBackwardOp::create(rewriter, loc, op, delta, placeholders);

  SmallVector<Value> shared(outs);
  if (parts > 1) {
    SmallVector<OpFoldResult> shape =
        tensor::getMixedSizes(rewriter, loc, outs[0]);
    shape.insert(shape.begin(), index(parts));
    shared[0] = tensor::EmptyOp::create(rewriter, loc, shape, type);
  }
  SmallVector<OpFoldResult> lower, upper, step;
  for (unsigned dim : parallel)
    upper.push_back(domain[dim]);
  if (parts > 1 || parallel.empty())
    upper.push_back(index(parts));
  lower.assign(upper.size(), index(0));
  step.assign(upper.size(), index(1));
  auto loop = scf::ForallOp::create(rewriter, loc, lower, upper, step, shared,
                                    /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(loop.getTerminator());
  Space space = partSpace(loop);
  SmallVector<Slice> slices;
  SmallVector<Value> destinations;
  for (auto [g, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    Slice at = sliceAt(g, space);
    if (parts > 1 && g == 0) {
      // One of the parts' copies, without its leading dim.
      SmallVector<int64_t> shape;
      SmallVector<Value> dynamic;
      dispatchIndexOpFoldResults(at.sizes, dynamic, shape);
      auto sliced = RankedTensorType::get(shape, type);
      at.offsets.insert(at.offsets.begin(),
                        OpFoldResult(loop.getInductionVars().back()));
      at.sizes.insert(at.sizes.begin(), index(1));
      SmallVector<OpFoldResult> ones(at.sizes.size(), index(1));
      destinations.push_back(tensor::ExtractSliceOp::create(
          rewriter, loc, sliced, argument, at.offsets, at.sizes, ones));
    } else {
      destinations.push_back(slice(argument, at));
    }
    slices.push_back(at);
  }
  FailureOr<State> results = iteration(whole, space, destinations);
  if (failed(results))
    return failure();
  rewriter.setInsertionPointToEnd(loop.getTerminator().getBody());
  for (auto [result, at, argument] :
       llvm::zip_equal(*results, slices, loop.getRegionIterArgs())) {
    SmallVector<OpFoldResult> ones(at.sizes.size(), index(1));
    tensor::ParallelInsertSliceOp::create(rewriter, loc, result, argument,
                                          at.offsets, at.sizes, ones);
  }
  rewriter.setInsertionPointAfter(loop);
  SmallVector<Value> grads(loop.getResults());
  if (parts > 1)
    grads[0] = sumOfParts(grads[0], outs[0]);
  if (sinkGrad)
    grads.insert(grads.begin() + 3, sinkGrad);
  rewriter.replaceOp(op, grads);
  rewriter.eraseOp(whole);
  return success();
}

LogicalResult mlir::attn::tileBackward(RewriterBase &rewriter,
                                       AttentionBackwardOp op,
                                       Blocking blocking) {
  return BackwardTiler(rewriter, op, std::move(blocking)).run();
}
