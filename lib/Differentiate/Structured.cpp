//===- Structured.cpp - gradients of structured ops -----------------------===//
//
// A structured op that is elementwise, or sums over its reduction loops, is
//
//   y[f(i)] = init[f(i)] + sum over the loops that f lacks of body(x[g(i)],
//   ...)
//
// so its vector-Jacobian product is one of the same loops:
//
//   dx[g(i)] += d body / d x (...)  dy[f(i)],      d init = dy
//
// One that keeps the largest (smallest) element has the same, where dy goes to
// the elements that are equal to y, in equal parts, and to init if that is.
//
//===----------------------------------------------------------------------===//
#include "Tape.h"
#include "attn/IR/ScoreDerivative.h"
#include "attn/IR/ScoreRegion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
class StructuredGradient {
public:
  StructuredGradient(linalg::LinalgOp op, Tape &tape)
      : op(op), tape(tape), b(tape.builder()), loc(op->getLoc()),
        block(*op.getBlock()) {}

  LogicalResult run();

private:
  LogicalResult readResults();
  IRMapping bodyAt(OpBuilder &n, ValueRange args);
  void addInputs(SmallVectorImpl<Value> &ins, SmallVectorImpl<AffineMap> &maps);
  Value countEqual(unsigned number);
  Value shareOf(OpBuilder &n, Location at, Value element, Value grad,
                Value extremum, Value count);
  LogicalResult checkBody();
  LogicalResult gradientOf(OpOperand *input);

  linalg::LinalgOp op;
  Tape &tape;
  OpBuilder &b;
  Location loc;
  Block &block;
  SmallVector<Value> elements;   // of the body, one per result
  SmallVector<unsigned> results; // with a gradient
  // Of results that are extrema: how many elements are equal to each.
  DenseMap<unsigned, Value> counts;
};
} // namespace

/// True if the value is computed from the other inside of its block.
static bool dependsOn(Value value, Value other) {
  if (value == other)
    return true;
  Operation *def = value.getDefiningOp();
  return def && def->getBlock() == other.getParentBlock() &&
         llvm::any_of(def->getOperands(),
                      [&](Value operand) { return dependsOn(operand, other); });
}

/// The value that each result is made of: what is yielded, or what is added to
/// the running sum or compared with the running extremum.
LogicalResult StructuredGradient::readResults() {
  for (OpResult result : op->getResults()) {
    unsigned number = result.getResultNumber();
    Value yielded = block.getTerminator()->getOperand(number);
    OpOperand *init = op.getDpsInitOperand(number);
    Value grad = tape.grad(result);
    elements.push_back(yielded);
    if (!grad)
      continue;
    results.push_back(number);
    if (!op.payloadUsesValueFromOperand(init)) {
      if (op.getNumReductionLoops() != 0)
        return noDerivative(op, "it keeps the last of several elements");
      continue;
    }
    Value running = op.getMatchingBlockArgument(init);
    Operation *combine = yielded.getDefiningOp();
    bool sums = isa_and_nonnull<arith::AddFOp>(combine);
    if (!sums && !isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp,
                                  arith::MinimumFOp, arith::MinNumFOp>(combine))
      return noDerivative(op, "it reduces by something other than a sum, a "
                              "maximum or a minimum");
    Value first = combine->getOperand(0), second = combine->getOperand(1);
    elements.back() = first == running ? second : first;
    if ((first != running && second != running) ||
        dependsOn(elements.back(), running))
      return noDerivative(op, "what it combines depends on what it combined "
                              "before");
    if (sums)
      tape.add(loc, init->get(), grad);
    else if (tape.isActive(init->get()))
      return noDerivative(op, "the extremum starts at a value that depends on "
                              "the arguments");
    else
      counts[number] = countEqual(number);
  }
  return success();
}

/// The op's body at some elements; `args` begins with its inputs.
IRMapping StructuredGradient::bodyAt(OpBuilder &n, ValueRange args) {
  IRMapping values;
  for (auto [i, other] : llvm::enumerate(op.getDpsInputOperands()))
    values.map(op.getMatchingBlockArgument(other), args[i]);
  block.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (operand.getParentBlock() != &block)
        values.map(operand, tape.copy(operand));
  });
  for (Operation &inner : block.without_terminator()) {
    // What was combined before is not known here, and not needed.
    bool known = llvm::all_of(inner.getOperands(), [&](Value operand) {
      return values.contains(operand);
    });
    if (known)
      n.clone(inner, values);
  }
  return values;
}

/// The op's inputs and what they are read through.
void StructuredGradient::addInputs(SmallVectorImpl<Value> &ins,
                                   SmallVectorImpl<AffineMap> &maps) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    ins.push_back(tape.copy(input->get()));
    maps.push_back(op.getMatchingIndexingMap(input));
  }
}

/// How many elements are equal to the extremum, for each.
Value StructuredGradient::countEqual(unsigned number) {
  SmallVector<Value> ins;
  SmallVector<AffineMap> maps;
  addInputs(ins, maps);
  Value extremum = op->getResult(number);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(number));
  ins.push_back(tape.copy(extremum));
  maps.append({map, map});
  Type type = sumType(getElementTypeOrSelf(extremum));
  Value init = tape.zeros(loc, extremum, type);
  return linalg::GenericOp::create(
             b, loc, TypeRange{init.getType()}, ins, ValueRange{init}, maps,
             op.getIteratorTypesArray(),
             [&](OpBuilder &n, Location at, ValueRange args) {
               IRMapping values = bodyAt(n, args);
               Value equal = arith::CmpFOp::create(
                   n, at, arith::CmpFPredicate::OEQ,
                   values.lookup(elements[number]), args[ins.size() - 1]);
               Value one =
                   arith::ConstantOp::create(n, at, n.getFloatAttr(type, 1));
               Value more = arith::AddFOp::create(n, at, args.back(), one);
               linalg::YieldOp::create(
                   n, at,
                   arith::SelectOp::create(n, at, equal, more, args.back())
                       .getResult());
             })
      .getResult(0);
}

/// The gradient of an element that may be the extremum.
Value StructuredGradient::shareOf(OpBuilder &n, Location at, Value element,
                                  Value grad, Value extremum, Value count) {
  Type type = grad.getType(), wide = count.getType();
  Value equal = arith::CmpFOp::create(n, at, arith::CmpFPredicate::OEQ, element,
                                      extremum);
  Value share =
      arith::DivFOp::create(n, at, convertFloat(n, at, grad, wide), count);
  Value none = arith::ConstantOp::create(n, at, n.getFloatAttr(type, 0));
  return arith::SelectOp::create(n, at, equal, convertFloat(n, at, share, type),
                                 none);
}

/// Every op on the way from an active operand has a derivative; nothing active
/// is read past the operands.
LogicalResult StructuredGradient::checkBody() {
  llvm::SmallDenseSet<Value> reached;
  for (OpOperand *input : op.getDpsInputOperands())
    if (tape.isActive(input->get()))
      reached.insert(op.getMatchingBlockArgument(input));
  for (Operation &inner : block.without_terminator()) {
    bool touched = false;
    for (Value operand : inner.getOperands()) {
      touched |= reached.contains(operand);
      if (tape.isActive(operand))
        return noDerivative(&inner, "it reads a tensor past the operands of '" +
                                        op->getName().getStringRef() + "'");
    }
    if (!touched || llvm::none_of(inner.getResultTypes(), [](Type type) {
          return isa<FloatType>(type);
        }))
      continue;
    if (!hasDerivative(&inner))
      return noDerivative(&inner);
    reached.insert(inner.result_begin(), inner.result_end());
  }
  return success();
}

LogicalResult StructuredGradient::gradientOf(OpOperand *input) {
  auto type = dyn_cast<RankedTensorType>(input->get().getType());
  AffineMap map = op.getMatchingIndexingMap(input);
  if (!type || !map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return noDerivative(op, "it reads an operand through a map that is no "
                            "projected permutation");
  SmallVector<Value> ins;
  SmallVector<AffineMap> maps;
  addInputs(ins, maps);
  auto addResult = [&](unsigned number, Value value) {
    ins.push_back(value);
    maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(number)));
  };
  for (unsigned number : results) {
    addResult(number, tape.grad(op->getResult(number)));
    if (Value count = counts.lookup(number)) {
      addResult(number, tape.copy(op->getResult(number)));
      addResult(number, count);
    }
  }
  maps.push_back(map);
  SmallVector<utils::IteratorType> iterators(op.getNumLoops(),
                                             utils::IteratorType::reduction);
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      iterators[dim.getPosition()] = utils::IteratorType::parallel;
  Type sum = sumType(type.getElementType());
  Value init = tape.zeros(loc, input->get(), sum);
  size_t inputs = op.getNumDpsInputs();
  auto generic = linalg::GenericOp::create(
      b, loc, TypeRange{init.getType()}, ins, ValueRange{init}, maps, iterators,
      [&](OpBuilder &n, Location at, ValueRange args) {
        IRMapping values = bodyAt(n, args);
        SmallVector<std::pair<Value, Value>> seeds;
        auto next = args.begin() + inputs;
        for (unsigned number : results) {
          Value element = elements[number], grad = *next++;
          if (counts.contains(number)) {
            Value extremum = *next++, count = *next++;
            grad =
                shareOf(n, at, values.lookup(element), grad, extremum, count);
          }
          seeds.push_back({element, grad});
        }
        Value grad = emitBlockGradient(
            n, at, block, values,
            seeds)[op.getMatchingBlockArgument(input).getArgNumber()];
        Value total = args.back();
        if (grad)
          total = arith::AddFOp::create(n, at, total,
                                        convertFloat(n, at, grad, sum));
        linalg::YieldOp::create(n, at, total);
      });
  tape.add(loc, input->get(),
           tape.convert(loc, generic.getResult(0), type.getElementType()));
  return success();
}

LogicalResult StructuredGradient::run() {
  if (!op.hasPureTensorSemantics() || !isMemoryEffectFree(op))
    return noDerivative(op);
  if (failed(readResults()) || failed(checkBody()))
    return failure();
  if (results.empty())
    return success();
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!tape.isActive(input->get()))
      continue;
    if (!isa<RankedTensorType>(input->get().getType()))
      return noDerivative(op, "a scalar operand depends on the arguments");
    if (failed(gradientOf(input)))
      return failure();
  }
  return success();
}

LogicalResult mlir::attn::differentiateStructured(linalg::LinalgOp op,
                                                  Tape &tape) {
  return StructuredGradient(op, tape).run();
}
