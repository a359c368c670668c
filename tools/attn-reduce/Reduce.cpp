//===- Reduce.cpp - a smaller file that still shows the thing -------------===//
#include "Reduce.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// A step on one op; false where it does not apply. What it leaves unused goes
/// afterwards.
using Step = bool (*)(Operation *op);

static bool returnSooner(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!function || !SymbolTable::symbolKnownUseEmpty(
                       function, function->getParentOfType<ModuleOp>()))
    return false;
  auto back = cast<func::ReturnOp>(function.back().getTerminator());
  // The operand that was computed last is nearest to the thing.
  Value sooner;
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp();
        def && (!sooner || sooner.getDefiningOp()->isBeforeInBlock(def)))
      sooner = operand;
  bool applies = false;
  for (OpOperand &returned : back->getOpOperands())
    if (returned.get().getDefiningOp() == op && sooner) {
      returned.set(sooner);
      applies = true;
    }
  function.setType(FunctionType::get(
      op->getContext(), function.getArgumentTypes(), back.getOperandTypes()));
  function.removeResAttrsAttr();
  return applies;
}

static bool passThrough(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  for (Value operand : op->getOperands())
    if (operand.getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(operand);
      return true;
    }
  return false;
}

static bool forget(Operation *op) {
  if (op->getNumResults() == 0 || op->hasTrait<OpTrait::ConstantLike>())
    return false;
  OpBuilder builder(op);
  SmallVector<Value> zeros;
  for (Type type : op->getResultTypes()) {
    TypedAttr zero = builder.getZeroAttr(type);
    if (!zero)
      return false;
    zeros.push_back(arith::ConstantOp::create(builder, op->getLoc(), zero));
  }
  op->replaceAllUsesWith(zeros);
  return true;
}

/// Removes ops without uses, backwards, until there are none.
static void removeDead(ModuleOp module) {
  bool changed = true;
  while (changed) {
    changed = false;
    module.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
      if (isOpTriviallyDead(op)) {
        op->erase();
        changed = true;
      }
    });
  }
}

static unsigned countOps(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](Operation *) { ++count; });
  return count;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {
class Reducer {
public:
  Reducer(OwningOpRef<ModuleOp> &module, StringRef script)
      : module(module), script(script) {}

  llvm::Error check();
  llvm::Error run();
  ReduceReport report;

private:
  llvm::Expected<bool> isInteresting(ModuleOp candidate);
  llvm::Expected<bool> tryWithoutFunction(unsigned number);
  llvm::Expected<bool> tryStep(Step step, unsigned function, size_t begin,
                               size_t end);
  llvm::Expected<bool> takeIfInteresting(OwningOpRef<ModuleOp> candidate);
  llvm::Expected<bool> reduceFunction(unsigned function);

  OwningOpRef<ModuleOp> &module;
  std::string script;
};
} // namespace

/// The body's ops by number; a clone has the same ones.
static SmallVector<Operation *> opsOf(ModuleOp module, unsigned function) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  SmallVector<Operation *> ops;
  if (function < functions.size())
    for (Block &block : functions[function].getBody())
      for (Operation &op : block.without_terminator())
        ops.push_back(&op);
  return ops;
}

llvm::Expected<bool> Reducer::isInteresting(ModuleOp candidate) {
  int descriptor;
  SmallString<128> path;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile(
          "attn-reduce", "mlir", descriptor, path))
    return llvm::createStringError("cannot write a candidate: " +
                                   code.message());
  llvm::FileRemover remover(path);
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << candidate << '\n';
  }
  ++report.runs;
  std::string reason;
  int code = llvm::sys::ExecuteAndWait(
      script, {script, path.str()},
      /*Env=*/std::nullopt, {std::nullopt, StringRef(""), StringRef("")},
      /*SecondsToWait=*/600, 0, &reason);
  if (code < 0 || (code == 127 && report.runs == 1))
    return llvm::createStringError("cannot run '" + script + "': " +
                                   (reason.empty() ? "not found" : reason));
  return code == 1;
}

llvm::Error Reducer::check() {
  report.before = report.after = countOps(*module);
  auto whole = isInteresting(*module);
  if (!whole)
    return whole.takeError();
  if (!*whole)
    return llvm::createStringError(
        "'" + script +
        "' does not find the whole file interesting: expected "
        "exit code 1");
  return llvm::Error::success();
}

llvm::Expected<bool>
Reducer::takeIfInteresting(OwningOpRef<ModuleOp> candidate) {
  removeDead(*candidate);
  unsigned size = countOps(*candidate);
  // Not valid, or no smaller: no progress.
  ScopedDiagnosticHandler quiet(candidate->getContext(),
                                [](Diagnostic &) { return success(); });
  if (size >= report.after || failed(verify(*candidate)))
    return false;
  auto interesting = isInteresting(*candidate);
  if (!interesting || !*interesting)
    return interesting;
  report.after = size;
  module = std::move(candidate);
  return true;
}

llvm::Expected<bool> Reducer::tryWithoutFunction(unsigned number) {
  OwningOpRef<ModuleOp> candidate(module->clone());
  auto functions = llvm::to_vector(candidate->getOps<func::FuncOp>());
  func::FuncOp function = functions[number];
  if (!SymbolTable::symbolKnownUseEmpty(function, *candidate))
    return false;
  function.erase();
  return takeIfInteresting(std::move(candidate));
}

llvm::Expected<bool> Reducer::tryStep(Step step, unsigned function,
                                      size_t begin, size_t end) {
  OwningOpRef<ModuleOp> candidate(module->clone());
  SmallVector<Operation *> ops = opsOf(*candidate, function);
  bool applies = false;
  // Backwards, so that returning sooner goes on to the op before.
  for (size_t i = std::min(end, ops.size()); i-- > begin;)
    applies |= step(ops[i]);
  if (!applies)
    return false;
  return takeIfInteresting(std::move(candidate));
}

llvm::Expected<bool> Reducer::reduceFunction(unsigned function) {
  static constexpr Step steps[] = {returnSooner, forget, passThrough};
  bool changed = false;
  size_t part = std::max<size_t>(opsOf(*module, function).size() / 2, 1);
  for (;; part /= 2) {
    for (Step step : steps) {
      size_t end = opsOf(*module, function).size();
      while (end > 0) {
        size_t begin = end > part ? end - part : 0;
        auto taken = tryStep(step, function, begin, end);
        if (!taken)
          return taken;
        changed |= *taken;
        // Where ops are gone, those before them have kept their numbers.
        end = std::min(begin, opsOf(*module, function).size());
      }
    }
    if (part == 1)
      return changed;
  }
}

llvm::Error Reducer::run() {
  bool changed = true;
  while (changed) {
    changed = false;
    auto count = [&] {
      return llvm::range_size(module->getOps<func::FuncOp>());
    };
    for (size_t i = count(); i-- > 0;) {
      auto taken = tryWithoutFunction(i);
      if (!taken)
        return taken.takeError();
      changed |= *taken;
    }
    for (size_t i = 0; i < count(); ++i) {
      auto taken = reduceFunction(i);
      if (!taken)
        return taken.takeError();
      changed |= *taken;
    }
  }
  return llvm::Error::success();
}

llvm::Expected<ReduceReport> mlir::attn::reduce(OwningOpRef<ModuleOp> &module,
                                                StringRef script) {
  Reducer reducer(module, script);
  if (llvm::Error error = reducer.check())
    return std::move(error);
  if (llvm::Error error = reducer.run())
    return std::move(error);
  return reducer.report;
}
