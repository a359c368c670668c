//===- BackwardKernel.cpp - gradients of what a thread array owns ---------===//
#include "BackwardKernel.h"
#include "AttentionKernel.h"
#include "PointGradient.h"
#include "attn/IR/ScoreDerivative.h"
#include "attn/IR/VisibleRows.h"
#include "attn/Support/Algebra.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using attn_gpu::FragmentType;

BackwardKernel::BackwardKernel(AttentionBackwardOp op,
                               const ::attn::Target &target, StringRef name,
                               BackwardTask given, RowTerms rowTerms)
    : op(op), task(std::move(given)), kernel(op, name, target),
      b(kernel.device), geometry(kernel, op, task.owner, task.summed),
      roles(geometry.roles), operands(kernel, op), tiles(b, geometry),
      terms(rowTerms) {}

SmallVector<Value> BackwardKernel::State::values() const {
  SmallVector<Value> list;
  for (Value sum : {own, ownValue})
    if (sum)
      list.push_back(sum);
  return list;
}

BackwardKernel::State BackwardKernel::stateOf(ValueRange values) const {
  return {task.own ? values.front() : Value(),
          task.ownValue ? values.back() : Value()};
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void BackwardKernel::addOperands() {
  operands.addInputs();
  operands.addMask();
  auto buffer = [&](attn_gpu::Access access, OpOperand &operand,
                    StringRef name) {
    DeviceBuffer made =
        addBuffer(kernel, access, operand.get(), op.getMapOf(operand));
    kernel.nameLast(name);
    return made;
  };
  outputGrad = addBuffer(
      kernel, terms.copied ? attn_gpu::Access::Scratch : attn_gpu::Access::Read,
      terms.outputGrad, op.getMapOf(op.getOutputGradMutable()));
  kernel.nameLast(terms.copied ? "dO rounded" : "dO");
  terms.addPointer(kernel, attn_gpu::Access::Scratch);
  if (rowSums)
    rowSums->addPointer(kernel);
  MutableOperandRange grads = op.getGradsMutable();
  constexpr auto write = attn_gpu::Access::Write;
  if (task.own)
    ownGrad = ownsKeys() ? buffer(write, grads[1], "dK")
                         : buffer(write, grads[0], "dQ");
  if (task.ownValue)
    valueGrad = buffer(write, grads[2], "dV");

  operands.importScalars();
  importStrides(kernel, outputGrad, terms.outputGrad);
  terms.importStride(kernel);
  if (rowSums)
    rowSums->importStride(kernel);
  if (task.own)
    importStrides(kernel, ownGrad, op.getGrads()[ownsKeys() ? 1 : 0]);
  if (task.ownValue)
    importStrides(kernel, valueGrad, op.getGrads()[2]);
}

/// Elements that only lie as they are in shared memory: dS is put there as rows
/// x keys, or, of those that can be transposed on their way out, as keys x
/// rows.
static bool isWide(Type element) {
  return element.getIntOrFloatBitWidth() == 32;
}

void BackwardKernel::setUpTiles() {
  Type element = operands.query.element;
  int64_t walked = geometry.stages * geometry.keyBlock;
  tileA = tiles.make(geometry.rowsPerBlock(), roles.depth, element);
  if (task.own)
    tileA2 = tiles.make(geometry.rowsPerBlock(), roles.value, element);
  tileB = tiles.make(walked, roles.depth, element);
  tileB2 = tiles.make(walked, roles.value, element);
  if (!rowSums)
    return;
  int64_t owned = geometry.rowsPerBlock();
  tileS = isWide(element) ? tiles.make(geometry.keyBlock, owned, element)
                          : tiles.make(owned, geometry.keyBlock, element);
}

void BackwardKernel::copyOwn() {
  tiles.copyRows(ownsKeys() ? operands.key : operands.query, roles.depth,
                 tileA);
  if (tileA2)
    tiles.copyRows(ownsKeys() ? operands.value : outputGrad, roles.value,
                   tileA2);
}

void BackwardKernel::copyWalked(Value first) {
  tiles.copyKeys(ownsKeys() ? operands.query : operands.key, roles.depth, tileB,
                 first);
  tiles.copyKeys(ownsKeys() ? outputGrad : operands.value, roles.value, tileB2,
                 first);
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

FragmentType BackwardKernel::sums(ArrayRef<unsigned> columns) const {
  return FragmentType::getAcc(geometry.rowsPerWarp,
                              geometry.paddedColumns(columns), b.getF32Type());
}

FragmentType BackwardKernel::blockType() const {
  return FragmentType::getAcc(geometry.rowsPerWarp, geometry.keyBlock,
                              b.getF32Type());
}

BackwardKernel::State BackwardKernel::zeros() {
  State state;
  if (task.own)
    state.own = b.fill(b.f32(0), sums(roles.depth));
  if (task.ownValue)
    state.ownValue = b.fill(b.f32(0), sums(roles.value));
  return state;
}

//===----------------------------------------------------------------------===//
// Row terms
//===----------------------------------------------------------------------===//

Value BackwardKernel::batchNumber() {
  return geometry.flatten(geometry.batchPoint(), roles.batch);
}

/// The number of an owned row among all rows of the batch element.
Value BackwardKernel::ownRow(Value row) {
  Point point = geometry.batchPoint();
  geometry.setRow(point, b.add(geometry.warpRow, row));
  geometry.clampRow(point);
  return geometry.flatten(point, roles.row);
}

BackwardKernel::Terms BackwardKernel::ownTerms() {
  Value batch = batchNumber();
  auto type = FragmentType::getRow(geometry.rowsPerWarp, b.getF32Type());
  SmallVector<Value> loaded =
      b.map({}, {type, type}, [&](ValueRange, Value row, Value) {
        Value number = ownRow(row);
        return SmallVector<Value>{
            terms.load(b, batch, RowTerms::Shift, number),
            terms.load(b, batch, RowTerms::Delta, number)};
      });
  return {loaded[0], loaded[1]};
}

BackwardKernel::Terms BackwardKernel::walkedTerms(Value first) {
  Value batch = batchNumber();
  auto type = FragmentType::getCol(geometry.keyBlock, b.getF32Type());
  SmallVector<Value> loaded =
      b.map({}, {type, type}, [&](ValueRange, Value, Value column) {
        Value number = b.add(first, column);
        if (geometry.walksBoxes()) {
          Point point = geometry.batchPoint();
          geometry.clampKey(point, number);
          number = geometry.flatten(point, roles.key);
        }
        return SmallVector<Value>{
            terms.load(b, batch, RowTerms::Shift, number),
            terms.load(b, batch, RowTerms::Delta, number)};
      });
  return {loaded[0], loaded[1]};
}

//===----------------------------------------------------------------------===//
// Which blocks are visited
//===----------------------------------------------------------------------===//

/// Is this a quotient by a number other than 0?
static bool dividesByNumber(Operation &op) {
  auto quotient = dyn_cast<arith::DivFOp>(op);
  APFloat divisor(0.0);
  return quotient &&
         matchPattern(quotient.getRhs(), m_ConstantFloat(&divisor)) &&
         !divisor.isZero();
}

/// Is no score of the region -inf by itself? Sums, products and tanh of finite
/// numbers are finite, and their quotients by numbers; data may be anything.
static bool keepsScoresFinite(ScoreOpInterface op) {
  if (llvm::any_of(op.getExtras(), [](Value extra) {
        return isa<FloatType>(getElementTypeOrSelf(extra));
      }))
    return false;
  return llvm::all_of(op.getScoreRegion().front(), [](Operation &inner) {
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      auto value = dyn_cast<FloatAttr>(constant.getValue());
      return !value || value.getValue().isFinite();
    }
    bool makesFloat = llvm::any_of(
        inner.getResultTypes(), [](Type type) { return isa<FloatType>(type); });
    return !makesFloat || dividesByNumber(inner) ||
           isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
               arith::SelectOp, arith::SIToFPOp, arith::UIToFPOp, math::TanhOp,
               KeepOp>(inner);
  });
}

/// Has every row a key, whatever the data?
static bool noRowIsEmpty(ScoreOpInterface op) {
  return everyRowSeesKey(op) && keepsScoresFinite(op);
}

/// Whether hidden keys count in some row that this thread array deals with, so
/// that none may be left out: where their score is replaced and not far below
/// the row's LSE, or where a row without a key makes NaN of everything. The
/// same in all threads. Null: they never do.
Value BackwardKernel::hiddenCounts() {
  bool hides = op.getVisible() || op.getBlocks();
  bool skips = op.getHidden().isSkip();
  if (!hides ||
      (skips && (op.getEmptyRows() == EmptyRows::Zero || noRowIsEmpty(op))))
    return {};
  auto counts = [&](Value shift) -> Value {
    if (skips)
      return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, shift, shift);
    double limit = op.getHidden().getValue().getValueAsDouble() +
                   ::attn::CompletionThreshold<float>::natural;
    return arith::CmpFOp::create(b, arith::CmpFPredicate::ULE, shift,
                                 b.f32(limit));
  };
  Value any;
  if (ownsKeys()) {
    // All rows of the batch element.
    Value batch = batchNumber();
    Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    Value rows = b.index(1);
    for (unsigned dim : roles.key)
      rows = b.mul(rows, geometry.sizes[dim]);
    auto loop = scf::ForOp::create(
        b, thread, rows, b.index(geometry.warps * attn_gpu::kWarpSize),
        b.boolean(false));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value shift = terms.load(b, batch, RowTerms::Shift, loop.getInductionVar());
    scf::YieldOp::create(b, b.either(loop.getRegionIterArg(0), counts(shift)));
    any = loop.getResult(0);
  } else {
    FragmentType flags =
        FragmentType::getRow(geometry.rowsPerWarp, b.getI1Type());
    Value rows =
        b.map(ofRows.shift, flags, [&](ValueRange shift, Value, Value) {
          return SmallVector<Value>{counts(shift[0])};
        })[0];
    any = attn_gpu::AnyOp::create(b, b.getI1Type(), rows);
  }
  return b.anyThread(any);
}

Mask BackwardKernel::makeMask() {
  Mask mask(b, geometry, op, Mask::Side::Visible,
            operands.symbolValues(geometry.batchPoint()), /*skips=*/true);
  if (operands.blocks)
    mask.restrictTo(*operands.blocks);
  if (Value counts = hiddenCounts())
    mask.widen(counts);
  return mask;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// P z and dS at one point; `elements` are the products and the row terms.
/// Masked: the point may be hidden, or not exist.
SmallVector<Value> BackwardKernel::pointAt(Mask &mask, ValueRange elements,
                                           Value row, Value column, Value first,
                                           bool masked) {
  Value s = elements[0], keyIndex;
  Point point = scores->pointOf(row, column, first, keyIndex);
  bool plain = scores->isRaw() && !scores->isWeighted();
  PointInput input;
  IRMapping values;
  if (!plain)
    input.x = scores->apply(s, point, keyIndex, masked, values);
  if (scores->isRaw())
    input.x.score = s;
  input.shift = elements[1];
  if (task.own) {
    input.gradient = elements[2];
    input.delta = elements[3];
  }
  if (masked) {
    ScoreEmitter emit = scores->emitter(point);
    input.seen = mask.visibleAt(emit, point, keyIndex);
    input.exists = geometry.keyExists(point, keyIndex);
    // What an owned key that does not exist makes of dS is multiplied by
    // zeros, which is no zero if P is infinite or NaN.
    if (rowSums)
      input.exists = b.both(input.exists, geometry.rowExists(point));
  }
  PointGradient gradient = computePoint(b, op, *scores, input);
  if (!task.own)
    return {gradient.weighted};
  if (plain)
    return {gradient.weighted, gradient.score};
  Value dS = emitScoreGradient(b, b.getLoc(), op.getScore().front(), values,
                               gradient.score, gradient.weight)[0];
  return {gradient.weighted, dS ? dS : b.f32(0)};
}

/// P z and dS of a block, as fragments.
std::pair<Value, Value> BackwardKernel::points(Mask &mask, Value product,
                                               Value gradient, Terms of,
                                               Value first) {
  SmallVector<Value> inputs = {product, of.shift};
  SmallVector<Type> types = {blockType()};
  if (task.own) {
    llvm::append_values(inputs, gradient, of.delta);
    types.push_back(blockType());
  }
  auto compute = [&](bool masked) {
    return b.map(inputs, types,
                 [&](ValueRange elements, Value row, Value column) {
                   return pointAt(mask, elements, row, column, first, masked);
                 });
  };
  Value plain = mask.sees(first);
  if (rowSums)
    plain = b.both(plain, geometry.allRowsExist());
  SmallVector<Value> results = b.branch(
      plain, types, [&] { return compute(false); },
      [&] { return compute(true); });
  return {results[0], results.back()};
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

BackwardKernel::State BackwardKernel::visit(Mask &mask, State state,
                                            Value first) {
  auto mma = [&](Value lhs, Value rhs, Value acc, bool transposed) -> Value {
    return attn_gpu::MmaOp::create(b, lhs, rhs, acc, transposed);
  };
  Terms of = ownsKeys() ? walkedTerms(first) : ofRows;
  Value zero = b.fill(b.f32(0), blockType());
  Value walked = tiles.stage(tileB, first),
        walkedValue = tiles.stage(tileB2, first);
  Value product = mma(tiles.warpRows(tileA), walked, zero, /*transposed=*/true);
  Value gradient;
  if (task.own)
    gradient =
        mma(tiles.warpRows(tileA2), walkedValue, zero, /*transposed=*/true);
  auto [p, dS] = points(mask, product, gradient, of, first);
  auto lhs = FragmentType::get(b.getContext(), blockType().getShape(),
                               operands.value.element, attn_gpu::Layout::Lhs);
  if (rowSums)
    putScoreGradient(dS);
  if (task.ownValue)
    state.ownValue = mma(attn_gpu::ToLhsOp::create(b, lhs, p), walkedValue,
                         state.ownValue, /*transposed=*/false);
  if (task.own)
    state.own = mma(attn_gpu::ToLhsOp::create(b, lhs, dS), walked, state.own,
                    /*transposed=*/false);
  return state;
}

void BackwardKernel::putScoreGradient(Value dS) {
  bool wide = isWide(operands.value.element);
  attn_gpu::PutOp::create(b, dS, wide ? tileS : tiles.warpRows(tileS),
                          wide ? geometry.warpRow : Value());
}

/// How warps share out the rows and columns of a block of dQ: so many down, so
/// many across, in parts as square as they can be.
static std::pair<int64_t, int64_t> shareOut(int64_t warps, int64_t rows,
                                            int64_t columns) {
  auto cuts = [](int64_t size, int64_t parts) {
    int64_t part = size / parts;
    return part % 16 == 0 && part * parts == size &&
           (parts == 1 || llvm::isPowerOf2_64(part));
  };
  std::pair<int64_t, int64_t> best = {1, 1};
  for (int64_t down = 1; down <= warps; ++down)
    for (int64_t across = 1; down * across <= warps; ++across) {
      if (!cuts(rows, down) || !cuts(columns, across))
        continue;
      int64_t more = down * across - best.first * best.second;
      int64_t reads = rows / down + columns / across;
      int64_t before = rows / best.first + columns / best.second;
      if (more > 0 || (more == 0 && reads < before))
        best = {down, across};
    }
  return best;
}

/// dS K of the block from `first` on, each warp its part.
void BackwardKernel::addToRows(Value first) {
  int64_t rows = geometry.keyBlock, columns = rowSums->columns;
  int64_t down, across;
  std::tie(down, across) = shareOut(geometry.warps, rows, columns);
  int64_t perWarp = rows / down, perPart = columns / across;
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value warp = b.div(thread, b.index(attn_gpu::kWarpSize));
  Value row = b.mul(b.rem(warp, b.index(down)), perWarp);
  Value column = b.mul(b.div(warp, b.index(down)), perPart);
  Value busy = down * across == geometry.warps
                   ? Value()
                   : b.less(warp, b.index(down * across));
  b.when(busy, [&] {
    FragmentType type = FragmentType::getAcc(perWarp, perPart, b.getF32Type());
    bool wide = isWide(operands.value.element);
    Value lhs = tileS, firstRow = down > 1 ? row : Value();
    if (wide) {
      auto mine = attn_gpu::SharedType::get(b.getContext(),
                                            {perWarp, geometry.rowsPerBlock()},
                                            operands.value.element);
      lhs = attn_gpu::RowsOp::create(b, mine, tileS, row);
      firstRow = {};
    }
    Value part = attn_gpu::MmaOp::create(
        b, type, lhs, tileA, b.fill(b.f32(0), type), firstRow,
        across > 1 ? column : Value(), /*transposed=*/false,
        /*lhs_transposed=*/!wide);
    Value at = rowSums->offset(b, geometry, geometry.batchPoint(),
                               b.add(first, row), b.div(column, b.index(8)));
    attn_gpu::AddSumsOp::create(b, part, rowSums->pointer, at, columns / 8);
  });
}

/// All blocks of one batch element.
BackwardKernel::State BackwardKernel::run(Mask &mask, State state) {
  Value first = mask.begin, end = mask.end;
  bool ring = geometry.stages > 1;
  auto visited = [&](Value key) {
    return b.both(b.less(key, end), mask.visits(key));
  };
  b.when(b.less(first, end),
         [&] { b.when(mask.visits(first), [&] { copyWalked(first); }); });
  tiles.commit();
  auto loop = scf::ForOp::create(b, first, end, b.index(geometry.keyBlock),
                                 state.values());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value j = loop.getInductionVar();
  SmallVector<Value> carried(loop.getRegionIterArgs());
  Value next = b.add(j, geometry.keyBlock);
  Value nextVisited = visited(next);
  Value here = mask.visits(j);
  auto ahead = [&] {
    b.when(nextVisited, [&] { copyWalked(next); });
    tiles.commit();
  };
  auto work = [&] {
    tiles.arrive();
    if (ring)
      ahead();
    State after = visit(mask, stateOf(carried), j);
    // All warps have put their dS, and need the block no longer.
    if (!ring || rowSums)
      gpu::BarrierOp::create(b);
    if (!ring)
      ahead();
    if (rowSums)
      addToRows(j);
    return after.values();
  };
  SmallVector<Value> after =
      !here ? work()
            : b.branch(here, TypeRange(ValueRange(carried)), work, [&] {
                // The buffer that is filled now may still be read from.
                if (ring)
                  gpu::BarrierOp::create(b);
                ahead();
                return carried;
              });
  scf::YieldOp::create(b, after);
  return stateOf(loop.getResults());
}

/// All of one batch element.
BackwardKernel::State BackwardKernel::runElement(State state) {
  copyOwn();
  if (!ownsKeys())
    ofRows = ownTerms();
  Mask mask = makeMask();
  return run(mask, state);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Of a kernel that all other tilings made spill: seven of eight.
static constexpr int64_t apartRegisters = 224;

void BackwardKernel::store(Value sum, const DeviceBuffer &to,
                           ArrayRef<unsigned> columns, double scale) {
  Value scaled = sum;
  if (scale != 1.0)
    scaled = b.map(sum, sum.getType(), [&](ValueRange v, Value, Value) {
      Value x = arith::MulFOp::create(b, v[0], b.f32(scale));
      return SmallVector<Value>{x};
    })[0];
  emitStore(b, scaled, to.pointer, to.element, vectorWidth(to, columns, 2),
            [&](Value row, Value column) {
              return geometry.rowPlace(to, columns,
                                       b.add(geometry.warpRow, row), column);
            });
}

void BackwardKernel::build() {
  if (cast<GPUKernelAttr>(op.getTiling()->getKernel()).getApart())
    kernel.limitRegisters(apartRegisters);
  else
    kernel.useAllRegisters();
  addOperands();
  geometry.locate();
  setUpTiles();
  bool skips = op.getHidden().isSkip();
  scores.emplace(b, geometry, op, operands.extras,
                 skips ? -inf : op.getHidden().getValue().getValueAsDouble(),
                 std::nullopt);
  State state = zeros();
  if (task.summed.empty()) {
    state = runElement(state);
  } else {
    auto loop = scf::ForOp::create(b, b.index(0), geometry.summedCount(),
                                   b.index(1), state.values());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    geometry.setSummed(loop.getInductionVar());
    // The last element's tiles may still be read from.
    gpu::BarrierOp::create(b);
    State after = runElement(stateOf(loop.getRegionIterArgs()));
    scf::YieldOp::create(b, after.values());
    state = stateOf(loop.getResults());
  }
  if (task.own)
    store(state.own, ownGrad, roles.depth, op.getScaleValue());
  if (task.ownValue)
    store(state.ownValue, valueGrad, roles.value, 1.0);
  kernel.launch(geometry.grid, geometry.warps * attn_gpu::kWarpSize,
                tiles.bytes());
}
