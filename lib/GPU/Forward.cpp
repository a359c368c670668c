//===- Forward.cpp - the forward kernel -----------------------------------===//
//
// A thread array folds the keys its rows see into their softmax states
// (attn/Support/Algebra.h). With one stage K and V have one buffer each; the
// copy into one runs while the other is multiplied:
//
//     Q, K(0) copied
//     for each visited block j:
//       wait; barrier              K(j) is there, V(j-1) no longer needed
//       copy V(j)
//       S = Q K(j)^T
//       wait; barrier              V(j) is there, K(j) no longer needed
//       copy K(j+1)
//       m = max over S, across lanes
//       if m of some row is more than 8 log2 units above the reference:
//         reference = m, state rescaled
//       P = exp2(..);  l += P, per lane;  acc += P V(j)
//     l across lanes;  O = acc / l;  log-sum-exp
//
// With two stages the blocks of even and odd j have buffers of their own, both
// K(j+1) and V(j+1) are copied during block j, and there is one wait and one
// barrier.
//
// Rows that do not exist have Q = 0 and are not stored.
//
// Where a hidden key's score is replaced, the keys that are seen are folded
// first, and the others after them, all with one score and without their K, if
// that can be noticed in some row.
//
// With key splits, thread arrays take parts of the keys and leave their states
// in scratch buffers; a second kernel merges them and finishes.
//
//===----------------------------------------------------------------------===//
#include "Forward.h"
#include "AttentionKernel.h"
#include "Operands.h"
#include "Requirements.h"
#include "Tiles.h"
#include "attn/IR/VisibleAttr.h"
#include "attn/Support/Algebra.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using attn_gpu::FragmentType;
using attn_gpu::SharedType;

/// How far a row's maximum may be above its reference, in log2 units: P stays
/// below 2^8, far from f16's largest number.
static constexpr double slack = 8;
/// Registers of a lane for accumulators, scores and Q, if Q is to be held.
static constexpr int64_t heldRegisters = 160;
/// A complement of more sets than this is not walked: hidden keys are then
/// folded with the others.
static constexpr uint64_t maxComplementSets = 16;

namespace {

class ForwardKernel : AttentionKernel {
public:
  using AttentionKernel::AttentionKernel;

  /// Scratch for the states of `parts` parts of the keys.
  Partials allocate(int64_t parts);
  /// `host` null: the whole attention; else states of parts of the keys.
  void build(const Partials *host);

private:
  /// One fold of keys: which, and with what scores.
  struct Pass {
    Mask mask;
    Scores scores;
  };

  void addOperands(const Partials *host);
  void setUpTiles();
  Mask makeMask(Mask::Side side, bool skips);
  Pass firstPass();
  Pass completionPass();
  bool completes(); ///< are hidden keys folded in a pass of their own?

  // The schedule.
  void copyQuery() { tiles.copyRows(operands.query, roles.depth, queryTile); }
  void copyKeys(Value first) {
    if (keysAcross)
      tiles.copyKeysAcross(operands.key, roles.depth, keyTile, first);
    else
      tiles.copyKeys(operands.key, roles.depth, keyTile, first);
  }
  void copyValues(Value first) {
    tiles.copyKeys(operands.value, roles.value, valueTile, first);
  }
  /// What is copied ahead of a block's visit.
  void prefetch(const Pass &pass, Value first);
  bool isRing() const { return geometry.stages > 1; }
  State run(Pass &pass, State state);
  State fold(Pass &pass, State state, Value first, Value next,
             Value nextVisited);
  State complete(State state);
  Value product(Value first, Value zeros);
  bool holdsQuery(); ///< Q stays in registers
  Value blockMaximum(Value kept, Value start);
  State follow(State state, Value maximum);
  State followShift(State state, Value maximum, double unit);
  State ifAny(Value flags, State state, function_ref<State(State)> change);
  State withShift(State state);
  State withReference(State state);
  void leave(State state);

  ScoreOperands operands{kernel, op};
  Tiles tiles{b, geometry};
  SmallVector<Value> symbolNumbers;
  Value queryTile, keyTile, valueTile; ///< in shared memory
  bool keysAcross = false;             ///< keys are columns of keyTile
  Value queryFragment;                 ///< if it is held
};

} // namespace

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void ForwardKernel::addOperands(const Partials *host) {
  operands.addInputs();
  if (!host)
    addSink();
  operands.addMask();
  if (host)
    addPartials(*host, attn_gpu::Access::Scratch);
  else
    addResults();
  operands.importScalars();
  importResultStrides();
}

void ForwardKernel::setUpTiles() {
  Type element = operands.query.element;
  int64_t keys = geometry.stages * geometry.keyBlock;
  queryTile = tiles.make(geometry.rowsPerBlock(), roles.depth, element);
  keysAcross = tiles.keysLieAcross(operands.key, roles.depth);
  keyTile = keysAcross ? tiles.makeAcross(roles.depth, element)
                       : tiles.make(keys, roles.depth, element);
  valueTile = tiles.make(keys, roles.value, element);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

bool ForwardKernel::completes() {
  return !op.getHidden().isSkip() && op.getVisible() && !op.getBlocks() &&
         getVisible(op).complementBound() <= maxComplementSets;
}

Mask ForwardKernel::makeMask(Mask::Side side, bool skips) {
  Mask mask(b, geometry, op, side, symbolNumbers, skips);
  if (operands.blocks)
    mask.restrictTo(*operands.blocks);
  if (geometry.parts == 1)
    return mask;
  // Whole blocks for each part, the last one gets what is left.
  Value part = geometry.part;
  Value count = b.ceilDiv(geometry.keys, geometry.keyBlock * geometry.parts);
  Value size = b.mul(count, geometry.keyBlock);
  Value begin = b.mul(part, size);
  mask.restrictTo(KeyPart{begin, b.add(begin, size)});
  return mask;
}

ForwardKernel::Pass ForwardKernel::firstPass() {
  bool skips = op.getHidden().isSkip() || completes();
  double fill = skips ? -inf : op.getHidden().getValue().getValueAsDouble();
  Mask mask = makeMask(Mask::Side::Visible, skips);
  return {mask, Scores(b, geometry, op, operands.extras, fill, std::nullopt)};
}

ForwardKernel::Pass ForwardKernel::completionPass() {
  double constant = op.getHidden().getValue().getValueAsDouble();
  Mask mask = makeMask(Mask::Side::Hidden, /*skips=*/true);
  return {mask, Scores(b, geometry, op, operands.extras, -inf, constant)};
}

void ForwardKernel::prefetch(const Pass &pass, Value first) {
  if (!pass.scores.isConstant())
    copyKeys(first);
  if (isRing())
    copyValues(first);
}

//===----------------------------------------------------------------------===//
// One block of keys
//===----------------------------------------------------------------------===//

/// Q in registers saves its loads for every block, where accumulators, scores
/// and it leave room for addresses and fragments.
bool ForwardKernel::holdsQuery() {
  if (operands.query.element.getIntOrFloatBitWidth() != 16)
    return false;
  int64_t elements =
      geometry.rowsPerWarp * (accType().getColumns() + geometry.keyBlock +
                              geometry.paddedColumns(roles.depth) / 2);
  return elements / attn_gpu::kWarpSize <= heldRegisters;
}

/// Q K^T of this warp's rows.
Value ForwardKernel::product(Value first, Value zeros) {
  Value rows = queryFragment ? queryFragment : tiles.warpRows(queryTile);
  return attn_gpu::MmaOp::create(b, rows, tiles.stage(keyTile, first), zeros,
                                 /*transposed=*/!keysAcross);
}

/// The largest of a block's scores and `start`.
Value ForwardKernel::blockMaximum(Value kept, Value start) {
  Value maximum =
      attn_gpu::ReduceOp::create(b, attn_gpu::Reduction::Max, kept, start);
  return attn_gpu::AcrossOp::create(b, attn_gpu::Reduction::Max, maximum);
}

/// Moves the reference to `maximum` if some row of the warp is far below it.
ForwardKernel::State ForwardKernel::follow(State state, Value maximum) {
  FragmentType flags = rowType().with(b.getI1Type());
  Value above =
      b.map({maximum, state.reference}, flags, [&](ValueRange v, Value, Value) {
        Value limit =
            arith::AddFOp::create(b, v[1], b.f32(slack * llvm::numbers::ln2));
        Value grew =
            arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, v[0], limit);
        return SmallVector<Value>{grew};
      })[0];
  return ifAny(above, state, [&](State old) { return rescaled(old, maximum); });
}

/// The same of raw scores: `maximum` is one of them, the state has a shift.
ForwardKernel::State ForwardKernel::followShift(State state, Value maximum,
                                                double unit) {
  FragmentType flags = rowType().with(b.getI1Type());
  Value factor = b.f32(-llvm::numbers::log2e * unit);
  Value above =
      b.map({maximum, state.reference}, flags, [&](ValueRange v, Value, Value) {
        Value limit = math::FmaOp::create(b, v[0], factor, b.f32(slack));
        Value grew =
            arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, limit, v[1]);
        return SmallVector<Value>{grew};
      })[0];
  return ifAny(above, state, [&](State old) {
    Value shift = rowMap({maximum, old.reference}, [&](ValueRange v, Value) {
      Value x = arith::MulFOp::create(b, v[0], factor);
      return LLVM::MinNumOp::create(b, x, v[1]).getResult();
    });
    Value correction = rowMap({shift, old.reference}, [&](ValueRange v, Value) {
      return exp2(b, arith::SubFOp::create(b, v[0], v[1]));
    });
    return scaled(old, correction, shift);
  });
}

/// `change` of a state, in all lanes of a warp, if some row has its flag.
ForwardKernel::State ForwardKernel::ifAny(Value flags, State state,
                                          function_ref<State(State)> change) {
  Value any = attn_gpu::AnyOp::create(b, b.getI1Type(), flags);
  SmallVector<Value> old = state.values();
  SmallVector<Value> updated = b.branch(
      any, TypeRange(ValueRange(old)), [&] { return change(state).values(); },
      [&] { return old; });
  return {updated[0], updated[1], updated[2]};
}

/// What a shift is at most: that of the lowest reference.
static constexpr double mostShift = std::numeric_limits<float>::max();

/// The state of raw scores, and back.
ForwardKernel::State ForwardKernel::withShift(State state) {
  state.reference = rowMap(state.reference, [&](ValueRange r, Value) {
    Value x = arith::MulFOp::create(b, r[0], b.f32(-llvm::numbers::log2e));
    return LLVM::MinNumOp::create(b, x, b.f32(mostShift)).getResult();
  });
  return state;
}

ForwardKernel::State ForwardKernel::withReference(State state) {
  state.reference = rowMap(state.reference, [&](ValueRange shift, Value) {
    Value x = arith::MulFOp::create(b, shift[0], b.f32(-llvm::numbers::ln2));
    return b.select(isEqual(shift[0], mostShift), b.f32(lowestScore), x);
  });
  return state;
}

ForwardKernel::State ForwardKernel::fold(Pass &pass, State state, Value first,
                                         Value next, Value nextVisited) {
  bool usesKeys = !pass.scores.isConstant();
  auto ahead = [&] {
    b.when(nextVisited, [&] { prefetch(pass, next); });
    tiles.commit();
  };
  auto type = FragmentType::getAcc(geometry.rowsPerWarp, geometry.keyBlock,
                                   b.getF32Type());
  Value raw = b.fill(b.f32(0), type);
  tiles.arrive();
  if (isRing()) {
    ahead();
  } else {
    copyValues(first);
    tiles.commit();
  }
  if (usesKeys)
    raw = product(first, raw);
  if (!isRing()) {
    tiles.arrive();
    ahead();
  }

  Value kept = pass.scores.keep(pass.mask, raw, first);
  if (pass.scores.isRaw()) {
    Value lowest = b.fill(b.f32(-inf), rowType());
    state = followShift(state, blockMaximum(kept, lowest), pass.scores.unit());
  } else {
    state = follow(state, blockMaximum(kept, state.reference));
  }
  Scores::Probabilities p =
      pass.scores.probabilities(kept, raw, state.reference, first);
  state.sum =
      attn_gpu::ReduceOp::create(b, attn_gpu::Reduction::Sum, p.sum, state.sum);
  auto lhs = FragmentType::get(b.getContext(), type.getShape(),
                               operands.value.element, attn_gpu::Layout::Lhs);
  Value rounded = attn_gpu::ToLhsOp::create(b, lhs, p.product);
  state.acc = attn_gpu::MmaOp::create(b, rounded, tiles.stage(valueTile, first),
                                      state.acc, /*transposed=*/false);
  return state;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

ForwardKernel::State ForwardKernel::run(Pass &pass, State state) {
  Value first = pass.mask.begin, end = pass.mask.end;
  auto visited = [&](Value key) {
    return b.both(b.less(key, end), pass.mask.visits(key));
  };
  b.when(b.less(first, end), [&] {
    b.when(pass.mask.visits(first), [&] { prefetch(pass, first); });
  });
  tiles.commit();
  if (holdsQuery() && !queryFragment) {
    tiles.arrive();
    Value rows = tiles.warpRows(queryTile);
    auto tile = cast<SharedType>(rows.getType());
    auto type = FragmentType::get(b.getContext(), tile.getShape(),
                                  tile.getElementType(), attn_gpu::Layout::Lhs);
    queryFragment = attn_gpu::LoadOp::create(b, type, rows);
  }
  if (pass.scores.isRaw())
    state = withShift(state);
  auto loop = scf::ForOp::create(b, first, end, b.index(geometry.keyBlock),
                                 state.values());
  OpBuilder::InsertPoint behind = b.saveInsertionPoint();
  b.setInsertionPointToStart(loop.getBody());
  Value j = loop.getInductionVar();
  ValueRange carried = loop.getRegionIterArgs();
  State before{carried[0], carried[1], carried[2]};
  Value next = b.add(j, geometry.keyBlock);
  Value nextVisited = visited(next);
  Value here = pass.mask.visits(j);
  auto visit = [&] {
    return fold(pass, before, j, next, nextVisited).values();
  };
  SmallVector<Value> after =
      !here ? visit() : b.branch(here, TypeRange(carried), visit, [&] {
        // The buffer that is filled now may still be read from.
        if (isRing())
          gpu::BarrierOp::create(b);
        b.when(nextVisited, [&] { prefetch(pass, next); });
        tiles.commit();
        return SmallVector<Value>(carried);
      });
  scf::YieldOp::create(b, after);
  b.restoreInsertionPoint(behind);
  state = {loop.getResult(0), loop.getResult(1), loop.getResult(2)};
  return pass.scores.isRaw() ? withReference(state) : state;
}

/// Folds the keys whose score is replaced by c, unless exp(c - r) vanishes in
/// all rows of the thread array.
ForwardKernel::State ForwardKernel::complete(State state) {
  double c = op.getHidden().getValue().getValueAsDouble();
  FragmentType flags = rowType().with(b.getI1Type());
  Value close =
      b.map(state.reference, flags, [&](ValueRange r, Value row, Value) {
        Point point = geometry.batchPoint();
        geometry.setRow(point, b.add(geometry.warpRow, row));
        Value gap = arith::SubFOp::create(b, r[0], b.f32(c));
        Value counts = arith::CmpFOp::create(
            b, arith::CmpFPredicate::OLT, gap,
            b.f32(::attn::CompletionThreshold<float>::natural));
        return SmallVector<Value>{b.both(counts, geometry.rowExists(point))};
      })[0];
  Value any = attn_gpu::AnyOp::create(b, b.getI1Type(), close);
  Value needed = b.anyThread(any);
  Pass pass = completionPass();
  SmallVector<Value> old = state.values();
  SmallVector<Value> completed = b.branch(
      needed, TypeRange(ValueRange(old)),
      [&] { return run(pass, state).values(); }, [&] { return old; });
  return {completed[0], completed[1], completed[2]};
}

/// Leaves the state of a part of the keys for the merging kernel.
void ForwardKernel::leave(State state) {
  auto store = [&](Value rows, Value base) {
    emitStore(b, rows, base, b.getF32Type(), 1,
              [&](Value row, Value column) -> std::pair<Value, Value> {
                return {partialOffset(geometry.part, row, column, 1),
                        b.boolean(true)};
              });
  };
  int64_t columns = accType().getColumns();
  Value at = partialOffset(geometry.part, b.index(0), b.index(0), columns);
  attn_gpu::StoreSumsOp::create(b, state.acc, partials.acc, at, columns / 8);
  store(state.reference, partials.reference);
  store(state.sum, partials.sum);
}

void ForwardKernel::build(const Partials *host) {
  kernel.useAllRegisters();
  addOperands(host);
  if (host)
    geometry.parts = host->parts;
  geometry.locate();
  symbolNumbers = operands.symbolValues(geometry.batchPoint());
  setUpTiles();
  Pass pass = firstPass();
  State state = initialState(/*withSink=*/!host);
  if (holdsQuery())
    copyQuery();
  else
    b.when(b.less(pass.mask.begin, pass.mask.end), [&] { copyQuery(); });
  state = run(pass, state);
  if (completes())
    state = complete(state);
  state.sum =
      attn_gpu::AcrossOp::create(b, attn_gpu::Reduction::Sum, state.sum);
  if (host)
    leave(state);
  else
    finish(state);
  Value grid = kernel.host.mul(geometry.grid, geometry.parts);
  kernel.launch(grid, geometry.warps * attn_gpu::kWarpSize, tiles.bytes());
}

Partials ForwardKernel::allocate(int64_t parts) {
  KernelEmit &host = kernel.host;
  auto buffer = [&](int64_t perRow) -> Value {
    Value size =
        host.mul(geometry.grid, parts * geometry.rowsPerBlock() * perRow);
    std::optional<int64_t> known = getConstantIntValue(size);
    auto type = MemRefType::get({known.value_or(ShapedType::kDynamic)},
                                host.getF32Type());
    return memref::AllocOp::create(host, type,
                                   known ? ValueRange() : ValueRange(size));
  };
  return {buffer(accType().getColumns()), buffer(1), buffer(1), parts};
}

LogicalResult mlir::attn::lowerForward(AttentionOp op,
                                       const ::attn::Target &target) {
  if (failed(checkRequirements(op, target)))
    return failure();
  std::string name = kernelStem(op);
  int64_t parts = op.getTiling()->getKeySplits();
  // The test for hidden keys that count is one of all parts together.
  bool replaces = !op.getHidden().isSkip() && op.getVisible();
  if (parts == 1 || replaces) {
    ForwardKernel(op, target, name).build(nullptr);
    op.erase();
    return success();
  }
  ForwardKernel forward(op, target, name);
  Partials partials = forward.allocate(parts);
  forward.build(&partials);
  mergePartials(op, target, name + "_merge", partials);
  KernelEmit host(op.getLoc(), op);
  for (Value buffer : {partials.acc, partials.reference, partials.sum})
    memref::DeallocOp::create(host, buffer);
  op.erase();
  return success();
}
