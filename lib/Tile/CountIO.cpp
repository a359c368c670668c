//===- CountIO.cpp - attn-count-io ----------------------------------------===//
//
// The counting side of the IO ledger. It knows nothing of the cost model's
// formulas: it looks at slices and loops.
//
//===----------------------------------------------------------------------===//
#include "attn/IR/Roles.h"
#include "attn/Tile/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNCOUNTIO
#include "attn/Tile/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

enum Operand : int64_t {
  Query,
  Key,
  Value_,
  Output,
  Lse,
  Acc,
  Max,
  Sum,
  Blocks,
  Finish,
  QueryGrad,
  KeyGrad,
  ValueGrad,
  OutputGrad,
  Delta,
  LseGrad,
  FirstExtra = 16,
  FirstExtraGrad = 48
};
constexpr Operand stateOperands[] = {Acc, Max, Sum};
constexpr Operand gradOperands[] = {QueryGrad, KeyGrad, ValueGrad};
enum Direction : int64_t { Read, Write };

constexpr StringLiteral functionName = "attn_count_io";

class Counter {
public:
  explicit Counter(ModuleOp module) : module(module), b(module.getContext()) {}

  void run();
  unsigned count = 0;

private:
  void countFold(OnlineAttentionOp op);
  void countFinish(FinishOp op);
  void countMerge(MergeOp op);
  void countInitialState(scf::ForOp loop);
  void countBackward(OnlineBackwardOp op);
  void countGradient(OnlineBackwardOp op, Operand name, Value init);
  void countDelta(OnlineBackwardOp op);
  void countPass(linalg::GenericOp op);
  void countSkip(scf::IfOp op);

  void emit(Operand operand, Direction direction, ArrayRef<OpFoldResult> sizes,
            Value condition = {});
  void countRead(Operation *op, Operand operand, tensor::ExtractSliceOp slice);
  void countOnce(Operand operand, tensor::ExtractSliceOp slice,
                 Value condition = {});
  void emitAll(Operand operand, Direction direction, Value tensor);
  /// True the first time: each op moves what it moves once.
  bool mark(Operation *op) { return marked.insert(op).second; }
  std::optional<Operand> inputName(ScoreOpInterface op, OpOperand &operand);
  void declare();

  Value isFirstOfRows(scf::ForallOp loop, ArrayRef<Operation *> keySlices);

  ModuleOp module;
  OpBuilder b;
  llvm::SmallPtrSet<Operation *, 16> marked;
  /// What each gradient in memory starts from.
  llvm::SmallDenseMap<Operation *, Operand> gradients;
};

/// Is `iv` among what the slice is computed from, through any pure ops?
bool dependsOn(Operation *slice, Value iv) {
  SmallVector<Value> worklist(slice->getOperands());
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (value == iv)
      return true;
    if (!seen.insert(value).second || !value.getType().isIndex())
      continue;
    if (Operation *op = value.getDefiningOp())
      llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

/// The tensor.extract_slice that cuts this operand, or null.
tensor::ExtractSliceOp sliceOf(Value value) {
  return value.getDefiningOp<tensor::ExtractSliceOp>();
}

/// The value that a chain of loop-carried arguments starts from; a branch that
/// may add to it (the completion of hidden keys) passes it on otherwise.
Value initialOf(Value value) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument.getArgNumber() == 0)
        return value;
      value = loop.getInitArgs()[argument.getArgNumber() - 1];
      continue;
    }
    auto result = dyn_cast<OpResult>(value);
    if (auto branch = result ? dyn_cast<scf::IfOp>(result.getOwner()) : nullptr;
        branch && branch.elseBlock()) {
      value = branch.elseYield()->getOperand(result.getResultNumber());
      continue;
    }
    auto loop = result ? dyn_cast<scf::ForOp>(result.getOwner()) : nullptr;
    if (!loop)
      return value;
    value = loop.getInitArgs()[result.getResultNumber()];
  }
}

/// Is the value among what the region's result is computed from?
bool reachesYield(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() ||
           llvm::any_of(user->getResults(), reachesYield);
  });
}

/// True if the state of this fold travels through memory: it is sliced from a
/// tensor that is there for all rows, in a loop over rows inside of one over
/// keys. (Where rows are finished, their state is read once.)
bool stateIsInMemory(OnlineAttentionOp op) {
  auto rows = op->getParentOfType<scf::ForallOp>();
  return rows && isa<scf::ForOp>(rows->getParentOp()) &&
         sliceOf(initialOf(op.getMax()));
}

} // namespace

void Counter::declare() {
  if (module.lookupSymbol(functionName))
    return;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  Type i64 = b.getI64Type();
  auto function =
      func::FuncOp::create(b, module.getLoc(), functionName,
                           b.getFunctionType({i64, i64, b.getIndexType()}, {}));
  function.setPrivate();
}

void Counter::emit(Operand operand, Direction direction,
                   ArrayRef<OpFoldResult> sizes, Value condition) {
  declare();
  Location loc = b.getUnknownLoc();
  OpBuilder::InsertionGuard guard(b);
  if (condition) {
    auto guarded = scf::IfOp::create(b, loc, condition, /*withElse=*/false);
    b.setInsertionPointToStart(guarded.thenBlock());
  }
  Value elements = arith::ConstantIndexOp::create(b, loc, 1);
  for (OpFoldResult size : sizes)
    elements = arith::MulIOp::create(
        b, loc, elements, getValueOrCreateConstantIndexOp(b, loc, size));
  auto constant = [&](int64_t v) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(v));
  };
  func::CallOp::create(
      b, loc, functionName, TypeRange{},
      ValueRange{constant(operand), constant(direction), elements});
  ++count;
}

/// Counts a read at the slice itself, however many tiles use it.
void Counter::countOnce(Operand operand, tensor::ExtractSliceOp slice,
                        Value condition) {
  if (!mark(slice))
    return;
  b.setInsertionPointAfter(slice);
  emit(operand, Read, slice.getMixedSizes(), condition);
}

/// What the innermost loops cut is read by each tile; what they leave whole is
/// cut outside of them, and read there.
void Counter::countRead(Operation *op, Operand operand,
                        tensor::ExtractSliceOp slice) {
  if (slice->getBlock() != op->getBlock())
    return countOnce(operand, slice);
  b.setInsertionPoint(op);
  emit(operand, Read, slice.getMixedSizes());
}

/// i1: is this the first of the blocks of rows that share a block of keys? The
/// indices that cut no keys are those of rows. Null: there are no such indices.
Value Counter::isFirstOfRows(scf::ForallOp loop,
                             ArrayRef<Operation *> keySlices) {
  Location loc = loop.getLoc();
  Value first;
  b.setInsertionPointToStart(loop.getBody());
  for (auto [iv, lower] :
       llvm::zip_equal(loop.getInductionVars(), loop.getMixedLowerBound())) {
    Value index = iv;
    if (llvm::any_of(keySlices,
                     [&](Operation *s) { return dependsOn(s, index); }))
      continue;
    Value start = getValueOrCreateConstantIndexOp(b, loc, lower);
    Value is =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, index, start);
    first = first ? arith::AndIOp::create(b, loc, first, is).getResult() : is;
  }
  return first;
}

/// What a fold or a backward reads, its state aside.
std::optional<Operand> Counter::inputName(ScoreOpInterface op,
                                          OpOperand &operand) {
  unsigned index = operand.getOperandNumber();
  unsigned extras = op.getExtras().getBeginOperandIndex();
  if (index < 3)
    return Operand(index);
  if (index >= extras && index < extras + op.getExtras().size())
    return Operand(FirstExtra + index - extras);
  if (op.getBlocks() && operand.get() == op.getBlocks())
    return Blocks;
  return std::nullopt;
}

void Counter::emitAll(Operand operand, Direction direction, Value tensor) {
  emit(operand, direction, tensor::getMixedSizes(b, tensor.getLoc(), tensor));
}

void Counter::countFold(OnlineAttentionOp op) {
  bool inMemory = stateIsInMemory(op);
  // What the scores do not depend on is not read: in the completion of hidden
  // keys, whose scores are a constant, Q, K and most extras.
  auto isRead = [&](int64_t name) {
    Block &score = op.getScore().front();
    if (name >= FirstExtra)
      return reachesYield(score.getArgument(1 + name - FirstExtra));
    return name > Key || reachesYield(score.getArgument(0));
  };
  auto rows = op->getParentOfType<scf::ForallOp>();
  // The block of an operand as the outer loops cut it.
  auto outermost = [](tensor::ExtractSliceOp slice) {
    while (tensor::ExtractSliceOp outer = sliceOf(slice.getSource()))
      slice = outer;
    return slice;
  };
  SmallVector<Operation *> keySlices;
  for (Value operand : {op.getKey(), op.getValue()})
    if (tensor::ExtractSliceOp slice = sliceOf(operand); slice && inMemory)
      keySlices.push_back(outermost(slice));
  auto servesAllRows = [&](Operation *slice) {
    return llvm::all_of(rows.getInductionVars(), [&](Value iv) {
      return !dependsOn(slice, iv) ||
             llvm::any_of(keySlices,
                          [&](Operation *s) { return dependsOn(s, iv); });
    });
  };
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Operand> name = inputName(op, operand);
    tensor::ExtractSliceOp slice = sliceOf(operand.get());
    if (!name || !slice || !isRead(*name))
      continue;
    // What serves all rows is read once for them, whichever need it.
    if (inMemory && servesAllRows(outermost(slice))) {
      if (!marked.contains(outermost(slice)))
        countOnce(*name, outermost(slice), isFirstOfRows(rows, keySlices));
    } else if (inMemory) {
      b.setInsertionPoint(op);
      emit(*name, Read, slice.getMixedSizes());
    } else {
      countRead(op, *name, slice);
    }
  }
  if (!inMemory)
    return;
  for (auto [name, init] : llvm::zip_equal(stateOperands, op.getDpsInits())) {
    tensor::ExtractSliceOp slice = sliceOf(initialOf(init));
    b.setInsertionPoint(op);
    // The innermost loop over keys carries it.
    Value first;
    if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
      first =
          arith::CmpIOp::create(b, op.getLoc(), arith::CmpIPredicate::eq,
                                loop.getInductionVar(), loop.getLowerBound());
    emit(name, Read, slice.getMixedSizes(), first);
    emit(name, Write, slice.getMixedSizes(), first);
  }
}

void Counter::countFinish(FinishOp op) {
  bool inMemory = bool(sliceOf(initialOf(op.getMax())));
  b.setInsertionPoint(op);
  if (inMemory)
    for (Value state : {op.getAcc(), op.getMax(), op.getSum()})
      if (auto slice = sliceOf(initialOf(state)))
        emit(Finish, Read, slice.getMixedSizes());
  for (auto [i, init] : llvm::enumerate(op.getDpsInits()))
    if (auto slice = sliceOf(init))
      emit(inMemory ? Finish : (i ? Lse : Output), Write,
           slice.getMixedSizes());
}

void Counter::countMerge(MergeOp op) {
  b.setInsertionPoint(op);
  SmallVector<Value> states{op.getAcc(), op.getMax(), op.getSum()};
  for (auto [name, state] : llvm::zip_equal(stateOperands, states))
    if (auto slice = sliceOf(state)) {
      emit(name, Write, slice.getMixedSizes());
      emit(name, Read, slice.getMixedSizes());
    }
}

/// A loop over key blocks around a loop over rows: its state starts in memory.
void Counter::countInitialState(scf::ForOp loop) {
  auto rows = loop.getBody()->getOps<scf::ForallOp>();
  if (rows.empty() || loop.getInitArgs().size() != 3)
    return;
  b.setInsertionPoint(loop);
  for (auto [name, init] : llvm::zip_equal(stateOperands, loop.getInitArgs()))
    emit(name, Write, tensor::getMixedSizes(b, loop.getLoc(), init));
}

/// A tile under a test of its element of a block-sparse mask.
void Counter::countSkip(scf::IfOp op) {
  auto element = op.getCondition().getDefiningOp<tensor::ExtractOp>();
  if (!element || element.getTensor().getType().getRank() == 0)
    return;
  b.setInsertionPoint(op);
  emit(Blocks, Read, {});
}

//===----------------------------------------------------------------------===//
// The backward
//===----------------------------------------------------------------------===//

/// The fill that a gradient's sums start from, through loops and slices; null:
/// they start from what is in memory.
static linalg::FillOp startOf(Value value) {
  while (true) {
    if (auto fill = value.getDefiningOp<linalg::FillOp>())
      return fill;
    tensor::ExtractSliceOp slice = sliceOf(value);
    Value next = slice ? slice.getSource() : initialOf(value);
    if (next == value)
      return {};
    value = next;
  }
}

/// A block's inputs are read where they are cut: inside of the inner loops, or
/// once for all of them.
void Counter::countBackward(OnlineBackwardOp op) {
  auto nameOf = [&](OpOperand &operand) -> std::optional<Operand> {
    if (operand.get() == op.getOutputGrad())
      return OutputGrad;
    if (operand.get() == op.getLse())
      return Lse;
    if (operand.get() == op.getDelta())
      return Delta;
    return inputName(op, operand);
  };
  for (OpOperand &operand : op->getOpOperands()) {
    tensor::ExtractSliceOp slice = sliceOf(operand.get());
    std::optional<Operand> name = nameOf(operand);
    if (slice && name && !op.isDpsInit(&operand))
      countRead(op, *name, slice);
  }
  for (auto [g, init] : llvm::enumerate(op.getGrads()))
    countGradient(op,
                  g < 3
                      ? gradOperands[g]
                      : Operand(FirstExtraGrad + op.getDifferentiate()[g - 3]),
                  init);
  countDelta(op);
}

/// A gradient whose block the inner loops cut is in memory: read and written by
/// each visit, and set to 0 before all of them. One that they carry starts
/// there, either at 0, and is written when they end, or from memory.
void Counter::countGradient(OnlineBackwardOp op, Operand name, Value init) {
  linalg::FillOp start = startOf(init);
  tensor::ExtractSliceOp cut = sliceOf(init);
  tensor::ExtractSliceOp carried = sliceOf(initialOf(init));
  if (cut && cut->getBlock() == op->getBlock()) {
    b.setInsertionPoint(op);
    emit(name, Read, cut.getMixedSizes());
    emit(name, Write, cut.getMixedSizes());
  } else if (carried && mark(carried)) {
    b.setInsertionPointAfter(carried);
    emit(name, Read, carried.getMixedSizes());
    emit(name, Write, carried.getMixedSizes());
  }
  if (!start || !mark(start))
    return;
  b.setInsertionPointAfter(start);
  emitAll(name, Write, start.getResult(0));
  if (cut || carried)
    gradients[start] = name;
}

/// D = rowsum(dO . O) - dlse, a pass over all rows before the loops.
void Counter::countDelta(OnlineBackwardOp op) {
  auto root = [](Value value) {
    while (tensor::ExtractSliceOp slice = sliceOf(value))
      value = slice.getSource();
    return value;
  };
  auto pass = root(op.getDelta()).getDefiningOp<linalg::GenericOp>();
  if (!pass || pass.getNumDpsInputs() != 2 || !mark(pass))
    return;
  Value outputGrad = root(op.getOutputGrad());
  b.setInsertionPointAfter(pass);
  for (Value input : pass.getInputs())
    emitAll(input == outputGrad ? OutputGrad : Output, Read, input);
  emitAll(Delta, Write, pass.getResult(0));
  if (auto negated = pass.getOutputs()[0].getDefiningOp<linalg::GenericOp>())
    for (Value input : negated.getInputs())
      emitAll(LseGrad, Read, input);
}

/// What follows the loops: gradients in memory are rounded to their type, and
/// the parts' dQ are summed.
void Counter::countPass(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1)
    return;
  Value input = op.getInputs()[0];
  b.setInsertionPointAfter(op);
  auto loop = input.getDefiningOp<scf::ForallOp>();
  if (loop && op.getNumReductionLoops() == 1 && marked.contains(loop)) {
    emitAll(QueryGrad, Read, input);
    emitAll(QueryGrad, Write, op.getResult(0));
    marked.insert(op);
    return;
  }
  linalg::FillOp start = startOf(input);
  Operation *producer = input.getDefiningOp();
  if ((start && gradients.contains(start)) ||
      (producer && isa<linalg::GenericOp>(producer) &&
       marked.contains(producer))) {
    emitAll(Finish, Read, input);
    emitAll(Finish, Write, op.getResult(0));
  }
}

void Counter::run() {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    llvm::TypeSwitch<Operation *>(op)
        .Case<OnlineAttentionOp>([&](auto o) { countFold(o); })
        .Case<FinishOp>([&](auto o) { countFinish(o); })
        .Case<MergeOp>([&](auto o) { countMerge(o); })
        .Case<scf::ForOp>([&](auto o) { countInitialState(o); })
        .Case<OnlineBackwardOp>([&](auto o) {
          countBackward(o);
          if (auto parts = o->template getParentOfType<scf::ForallOp>())
            marked.insert(parts);
        })
        .Case<linalg::GenericOp>([&](auto o) { countPass(o); })
        .Case<scf::IfOp>([&](auto o) { countSkip(o); });
}

namespace {
struct CountIOPass : mlir::attn::impl::AttnCountIOBase<CountIOPass> {
  void runOnOperation() override {
    Counter counter(getOperation());
    counter.run();
    numCounters += counter.count;
  }
};
} // namespace
