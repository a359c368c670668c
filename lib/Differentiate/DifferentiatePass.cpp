//===- DifferentiatePass.cpp - F_forward and F_vjp ------------------------===//
#include "Tape.h"
#include "attn/Differentiate/Passes.h"
#include "attn/IR/Calls.h"
#include "attn/IR/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNDIFFERENTIATE
#include "attn/Differentiate/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

/// The numbers of the arguments to differentiate, checked.
static FailureOr<SmallVector<unsigned>>
chosenArguments(func::FuncOp function, ArrayRef<int64_t> asked) {
  SmallVector<unsigned> result;
  ArrayRef<Type> types = function.getArgumentTypes();
  for (int64_t number : asked) {
    if (number < 0 || number >= static_cast<int64_t>(types.size()))
      return function.emitError("attn-differentiate: expected argument numbers "
                                "below ")
             << types.size() << ", got " << number;
    if (!isFloatTensor(types[number]))
      return function.emitError("attn-differentiate: argument ")
             << number << " has type " << types[number]
             << "; expected an array of floats to be differentiated";
    result.push_back(number);
  }
  if (!asked.empty())
    return result;
  for (auto [i, type] : llvm::enumerate(types))
    if (isFloatTensor(type))
      result.push_back(i);
  if (result.empty())
    return function.emitError("attn-differentiate: expected a function with "
                              "an argument that is an array of floats");
  return result;
}

namespace {
/// Writes the two functions beside one.
class Differentiation {
public:
  Differentiation(func::FuncOp function, StringRef name,
                  ArrayRef<unsigned> chosen, bool lseGradients, Calls &calls)
      : function(function), name(name), chosen(chosen),
        lseGradients(lseGradients), calls(calls), last(function) {}

  FailureOr<unsigned> run(SymbolTable &symbols);

private:
  LogicalResult checkFunction();
  func::FuncOp create(SymbolTable &symbols, StringRef suffix,
                      ArrayRef<Type> inputs, ArrayRef<Type> results);
  void writeForward(SymbolTable &symbols);
  LogicalResult writeProduct(SymbolTable &symbols);
  void copyForward(OpBuilder &b, IRMapping &copies);
  void activate(Tape &tape);
  LogicalResult walkBack(Tape &tape);
  LogicalResult noDerivativeOf(Operation &op);

  func::FuncOp function; // a copy whose attentions all return their lse
  std::string name;
  SmallVector<unsigned> chosen;
  bool lseGradients;
  Calls &calls;
  Operation *last; // the next function goes behind it
  SmallVector<AttentionOp> attentions;
  DenseMap<Operation *, std::pair<Value, Value>> residuals; // in the product
  DenseMap<Operation *, Value> lseGrads;
};
} // namespace

/// One block of ops without side effects.
LogicalResult Differentiation::checkFunction() {
  if (!function.getBody().hasOneBlock())
    return function.emitError("attn-differentiate: expected a function of one "
                              "block");
  for (Type type : function.getResultTypes())
    if (isa<MemRefType>(type))
      return function.emitError("attn-differentiate: expected a function on "
                                "tensors, got a result of type ")
             << type;
  return success();
}

func::FuncOp Differentiation::create(SymbolTable &symbols, StringRef suffix,
                                     ArrayRef<Type> inputs,
                                     ArrayRef<Type> results) {
  OpBuilder b(function.getContext());
  auto created = func::FuncOp::create(function.getLoc(), (name + suffix).str(),
                                      b.getFunctionType(inputs, results));
  if (Attribute emit = function->getAttr("llvm.emit_c_interface"))
    created->setAttr("llvm.emit_c_interface", emit);
  symbols.insert(created, Block::iterator(last->getNextNode()));
  last = created;
  created.addEntryBlock();
  return created;
}

void Differentiation::copyForward(OpBuilder &b, IRMapping &copies) {
  for (Operation &op : function.front().without_terminator())
    if (!copies.contains(op.getNumResults() ? op.getResult(0) : Value()))
      b.clone(op, copies);
}

void Differentiation::writeForward(SymbolTable &symbols) {
  SmallVector<Type> results(function.getResultTypes());
  for (AttentionOp attention : attentions)
    results.append(attention->result_type_begin(),
                   attention->result_type_end());
  func::FuncOp forward =
      create(symbols, "_forward", function.getArgumentTypes(), results);
  OpBuilder b = OpBuilder::atBlockBegin(&forward.front());
  IRMapping copies;
  copies.map(function.getArguments(), forward.getArguments());
  copyForward(b, copies);
  SmallVector<Value> returned;
  for (Value value : function.front().getTerminator()->getOperands())
    returned.push_back(copies.lookupOrDefault(value));
  for (AttentionOp attention : attentions)
    for (Value result : attention->getResults())
      returned.push_back(copies.lookupOrDefault(result));
  func::ReturnOp::create(b, function.getLoc(), returned);
}

/// Marks what depends on a chosen argument.
void Differentiation::activate(Tape &tape) {
  for (unsigned number : chosen)
    tape.activate(function.getArgument(number));
  for (Operation &op : function.front().without_terminator()) {
    bool depends = false;
    op.walk([&](Operation *inner) {
      depends |= llvm::any_of(inner->getOperands(), [&](Value operand) {
        return tape.isActive(operand);
      });
    });
    if (!depends)
      continue;
    for (Value result : op.getResults())
      if (isa<FloatType>(getElementTypeOrSelf(result)))
        tape.activate(result);
  }
}

/// A call that is still there could not be inlined.
LogicalResult Differentiation::noDerivativeOf(Operation &op) {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return noDerivative(&op);
  std::string obstacle = calls.obstacleTo(call, /*oneBlock=*/true);
  return noDerivative(&op,
                      obstacle.empty() ? "it cannot be inlined" : obstacle);
}

LogicalResult Differentiation::walkBack(Tape &tape) {
  for (Operation &op : llvm::reverse(function.front().without_terminator())) {
    bool reached = llvm::any_of(op.getResults(), [&](Value result) {
      return tape.isActive(result) &&
             (tape.grad(result) || lseGrads.contains(&op));
    });
    if (!reached)
      continue;
    LogicalResult done = success();
    if (auto attention = dyn_cast<AttentionOp>(op)) {
      auto [output, lse] = residuals[&op];
      done = differentiateAttention(attention, tape, output, lse,
                                    lseGrads.lookup(&op));
    } else if (Differentiated layout = differentiateLayout(&op, tape)) {
      done = *layout;
    } else if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      done = differentiateStructured(structured, tape);
    } else {
      done = noDerivativeOf(op);
    }
    if (failed(done))
      return failure();
  }
  return success();
}

LogicalResult Differentiation::writeProduct(SymbolTable &symbols) {
  SmallVector<Type> inputs(function.getArgumentTypes()), results;
  for (AttentionOp attention : attentions)
    inputs.append(attention->result_type_begin(), attention->result_type_end());
  for (Type type : function.getResultTypes())
    if (isFloatTensor(type))
      inputs.push_back(type);
  if (lseGradients)
    for (AttentionOp attention : attentions)
      inputs.push_back(attention->getResult(1).getType());
  for (unsigned number : chosen)
    results.push_back(function.getArgumentTypes()[number]);
  func::FuncOp product = create(symbols, "_vjp", inputs, results);
  OpBuilder b = OpBuilder::atBlockBegin(&product.front());
  IRMapping copies;
  unsigned next = 0;
  auto argument = [&] { return product.getArgument(next++); };
  for (Value own : function.getArguments())
    copies.map(own, argument());
  for (AttentionOp attention : attentions) {
    auto &residual = residuals[attention];
    residual.first = argument();
    residual.second = argument();
    copies.map(attention->getResult(0), residual.first);
    copies.map(attention->getResult(1), residual.second);
  }
  copyForward(b, copies);
  Tape tape(b, copies);
  activate(tape);
  Operation *terminator = function.front().getTerminator();
  for (Value value : terminator->getOperands()) {
    if (isFloatTensor(value.getType()))
      tape.add(function.getLoc(), value, argument());
    else if (isa<FloatType>(value.getType()) && tape.isActive(value))
      return terminator->emitError("attn-differentiate: expected results that "
                                   "are tensors, got ")
             << value.getType() << "; return it in a tensor of rank 0";
  }
  if (lseGradients)
    for (AttentionOp attention : attentions)
      lseGrads[attention] = argument();
  if (failed(walkBack(tape)))
    return failure();
  SmallVector<Value> returned;
  for (unsigned number : chosen)
    returned.push_back(
        tape.gradOrZeros(function.getLoc(), function.getArgument(number)));
  func::ReturnOp::create(b, function.getLoc(), returned);
  // What the gradients did not need of the forward.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(product.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  return success();
}

FailureOr<unsigned> Differentiation::run(SymbolTable &symbols) {
  if (failed(checkFunction()))
    return failure();
  IRRewriter rewriter(function.getContext());
  SmallVector<AttentionOp> found(function.front().getOps<AttentionOp>());
  for (AttentionOp attention : found)
    attentions.push_back(withLogSumExp(rewriter, attention));
  writeForward(symbols);
  if (failed(writeProduct(symbols)))
    return failure();
  return attentions.size();
}

namespace {
class AttnDifferentiatePass
    : public mlir::attn::impl::AttnDifferentiateBase<AttnDifferentiatePass> {
public:
  using AttnDifferentiateBase::AttnDifferentiateBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    AttnDifferentiateBase::getDependentDialects(registry);
    registry.insert<affine::AffineDialect>();
  }

  void runOnOperation() override {
    FailureOr<SmallVector<func::FuncOp>> chosenFunctions = findFunctions();
    if (failed(chosenFunctions))
      return signalPassFailure();
    for (func::FuncOp original : *chosenFunctions)
      if (failed(differentiate(original)))
        return signalPassFailure();
  }

private:
  FailureOr<SmallVector<func::FuncOp>> findFunctions();
  LogicalResult differentiate(func::FuncOp original);
};
} // namespace

FailureOr<SmallVector<func::FuncOp>> AttnDifferentiatePass::findFunctions() {
  ModuleOp module = getOperation();
  SmallVector<func::FuncOp> result;
  for (const std::string &name : functions) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function || function.isExternal())
      return module.emitError("attn-differentiate: expected functions to name "
                              "functions with a body, got '")
             << name << "'";
    result.push_back(function);
  }
  if (!functions.empty())
    return result;
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return SmallVector<func::FuncOp>{main};
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      result.push_back(function);
  if (result.size() != 1)
    return module.emitError("attn-differentiate: expected a function main or "
                            "one public function, got ")
           << result.size() << "; name one with functions=";
  return result;
}

static LogicalResult expandSoftmax(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::SoftmaxOp> found;
  function.walk([&](linalg::SoftmaxOp op) { found.push_back(op); });
  for (linalg::SoftmaxOp op : found) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
    if (failed(parts))
      return op.emitError("attn-differentiate: expected a softmax that can be "
                          "taken apart");
    rewriter.replaceOp(op, *parts);
  }
  return success();
}

LogicalResult AttnDifferentiatePass::differentiate(func::FuncOp original) {
  FailureOr<SmallVector<unsigned>> chosen =
      chosenArguments(original, arguments);
  if (failed(chosen))
    return failure();
  SymbolTable symbols(getOperation());
  for (StringRef suffix : {"_forward", "_vjp"})
    if (symbols.lookup((original.getName() + suffix).str()))
      return original.emitError("attn-differentiate: there is already a "
                                "function @")
             << original.getName() << suffix;
  // Work on a copy; what it calls is a part of it there, elementwise ops on
  // tensors become structured ones, a softmax that is no attention's its parts.
  auto copy = cast<func::FuncOp>(original->clone());
  copy.setName((original.getName() + "_differentiated").str());
  symbols.insert(copy, Block::iterator(original->getNextNode()));
  Calls calls(getOperation());
  calls.inlineInto(copy);
  if (failed(expandSoftmax(copy))) {
    symbols.erase(copy);
    return failure();
  }
  OpPassManager elementwise("func.func");
  elementwise.addPass(createConvertElementwiseToLinalgPass());
  LogicalResult converted = runPipeline(elementwise, copy);
  FailureOr<unsigned> count = failure();
  if (succeeded(converted))
    count =
        Differentiation(copy, original.getName(), *chosen, lseGradients, calls)
            .run(symbols);
  symbols.erase(copy);
  if (failed(count))
    return failure();
  ++numFunctions;
  numAttentions += *count;
  return success();
}
