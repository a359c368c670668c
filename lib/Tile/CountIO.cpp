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
  FirstExtra = 16
};
constexpr Operand stateOperands[] = {Acc, Max, Sum};
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

  void emit(Operand operand, Direction direction, ArrayRef<OpFoldResult> sizes,
            Value condition = {});
  void emitBefore(Operation *op, Operand operand, Direction direction,
                  tensor::ExtractSliceOp slice);
  void countKeys(Operand operand, tensor::ExtractSliceOp slice);
  void countOnce(Operand operand, tensor::ExtractSliceOp slice,
                 Value condition);
  void declare();

  /// i1, or null for true: is this the first iteration of each of the innermost
  /// loops around `op`, up to the first one that `value` depends on?
  Value firstOfInvariantLoops(Operation *op, Operation *slice);

  ModuleOp module;
  OpBuilder b;
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

void Counter::emitBefore(Operation *op, Operand operand, Direction direction,
                         tensor::ExtractSliceOp slice) {
  b.setInsertionPoint(op);
  emit(operand, direction, slice.getMixedSizes(),
       firstOfInvariantLoops(op, slice));
}

/// Counts a read at the slice itself, however many folds use it.
void Counter::countOnce(Operand operand, tensor::ExtractSliceOp slice,
                        Value condition) {
  if (slice->hasAttr("attn.counted"))
    return;
  slice->setAttr("attn.counted", b.getUnitAttr());
  if (condition)
    b.setInsertionPointAfterValue(condition);
  else
    b.setInsertionPointAfter(slice);
  emit(operand, Read, slice.getMixedSizes(), condition);
}

void Counter::countKeys(Operand operand, tensor::ExtractSliceOp slice) {
  b.setInsertionPointAfter(slice);
  if (!slice->hasAttr("attn.counted"))
    countOnce(operand, slice, firstOfInvariantLoops(slice, slice));
}

Value Counter::firstOfInvariantLoops(Operation *op, Operation *slice) {
  Location loc = op->getLoc();
  Value first;
  auto also = [&](Value iv, OpFoldResult lower) {
    Value start = getValueOrCreateConstantIndexOp(b, loc, lower);
    Value is =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, iv, start);
    first = first ? arith::AndIOp::create(b, loc, first, is).getResult() : is;
  };
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (dependsOn(slice, loop.getInductionVar()))
        return first;
      also(loop.getInductionVar(), loop.getLowerBound());
    } else if (auto loop = dyn_cast<scf::ForallOp>(parent)) {
      SmallVector<Value> ivs = loop.getInductionVars();
      SmallVector<OpFoldResult> lower = loop.getMixedLowerBound();
      for (int i = ivs.size() - 1; i >= 0; --i) {
        if (dependsOn(slice, ivs[i]))
          return first;
        also(ivs[i], lower[i]);
      }
    }
  }
  return first;
}

void Counter::countFold(OnlineAttentionOp op) {
  bool inMemory = stateIsInMemory(op);
  unsigned extras = op.getExtras().getBeginOperandIndex();
  auto nameOf = [&](unsigned index) -> std::optional<Operand> {
    if (index < 3)
      return Operand(index);
    if (index >= extras && index < extras + op.getExtras().size())
      return Operand(FirstExtra + index - extras);
    if (op.getBlocks() && op->getOperand(index) == op.getBlocks())
      return Blocks;
    return std::nullopt;
  };
  // What the region does not use is not read: in the completion of hidden keys,
  // whose scores are a constant, Q, K and most extras.
  auto isRead = [&](int64_t name) {
    if (name >= FirstExtra)
      return !op.getScore().getArgument(1 + name - FirstExtra).use_empty();
    return name > Key || !op.getScore().getArgument(0).use_empty();
  };
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Operand> name = nameOf(operand.getOperandNumber());
    tensor::ExtractSliceOp slice = sliceOf(operand.get());
    if (!name || !slice || !isRead(*name))
      continue;
    if (inMemory) {
      // The block as the outer loop cuts it. Keys and values serve all rows, so
      // they are read where they are cut, whichever rows need them.
      while (tensor::ExtractSliceOp outer = sliceOf(slice.getSource()))
        slice = outer;
      if (*name == Key || *name == Value_)
        countKeys(*name, slice);
      else
        emitBefore(op, *name, Read, slice);
      continue;
    }
    if (slice->getBlock() == op->getBlock())
      emitBefore(op, *name, Read, slice);
    else // loop-invariant: where it was taken
      countOnce(*name, slice, {});
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

void Counter::run() {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    llvm::TypeSwitch<Operation *>(op)
        .Case<OnlineAttentionOp>([&](auto o) { countFold(o); })
        .Case<FinishOp>([&](auto o) { countFinish(o); })
        .Case<MergeOp>([&](auto o) { countMerge(o); })
        .Case<scf::ForOp>([&](auto o) { countInitialState(o); });
  for (Operation *op : ops)
    op->removeAttr("attn.counted");
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
