//===- Unread.cpp - where no attention can be found -----------------------===//
#include "Unread.h"
#include "attn/IR/Calls.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::attn;

std::string mlir::attn::functionOf(Operation *op) {
  auto parent = op->getParentOfType<FunctionOpInterface>();
  return parent ? parent.getName().str() : std::string();
}

static bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

namespace {
/// Looks for the calls that may part an attention.
class CallReader {
public:
  /// Only what holds all symbols may look at other functions.
  explicit CallReader(Operation *root) {
    if (root->hasTrait<OpTrait::SymbolTable>())
      calls.emplace(root);
  }

  std::optional<Unread> read(CallOpInterface call);

private:
  bool holdsExponential(Operation *root, DenseSet<Operation *> &seen);
  bool calledHoldsExponential(CallOpInterface call,
                              DenseSet<Operation *> &seen);

  std::optional<Calls> calls;
  DenseMap<Operation *, bool> known; // functions that make calls
};
} // namespace

/// What is called that has no body may hold one.
bool CallReader::calledHoldsExponential(CallOpInterface call,
                                        DenseSet<Operation *> &seen) {
  Region *body = calls ? calls->bodyOf(call) : nullptr;
  return !body || holdsExponential(body->getParentOp(), seen);
}

/// Also in what it calls.
bool CallReader::holdsExponential(Operation *root,
                                  DenseSet<Operation *> &seen) {
  if (!seen.insert(root).second)
    return false;
  return root
      ->walk([&](Operation *op) {
        auto call = dyn_cast<CallOpInterface>(op);
        bool holds = call ? calledHoldsExponential(call, seen)
                          : isa<math::ExpOp, math::Exp2Op, linalg::ExpOp,
                                linalg::SoftmaxOp>(op);
        return holds ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<Unread> CallReader::read(CallOpInterface call) {
  bool passes = llvm::any_of(call->getOperandTypes(), isFloatTensor) ||
                llvm::any_of(call->getResultTypes(), isFloatTensor);
  auto caller = call->getParentOfType<FunctionOpInterface>();
  if (!passes || !caller)
    return std::nullopt;
  auto entry = known.find(caller.getOperation());
  if (entry == known.end()) {
    DenseSet<Operation *> seen;
    bool holds = holdsExponential(caller, seen);
    entry = known.insert({caller.getOperation(), holds}).first;
  }
  if (!entry->second)
    return std::nullopt;
  std::string obstacle;
  if (calls)
    obstacle = calls->obstacleTo(call, /*oneBlock=*/false);
  if (!obstacle.empty())
    return Unread{
        call, "a call is not read, which cannot be inlined: " + obstacle, "",
        /*stays=*/true};
  if (call->hasAttr("no_inline"))
    return Unread{call, "a call is not read, which is not to be inlined",
                  "leave out no_inline", /*stays=*/true};
  return Unread{call, "calls are not read", "run inline first"};
}

SmallVector<Unread> mlir::attn::findUnread(Operation *root) {
  SmallVector<Unread> result;
  CallReader reader(root);
  std::string last;
  bool anyProduct = false;
  root->walk([&](Operation *op) {
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      if (std::optional<Unread> unread = reader.read(call))
        result.push_back(std::move(*unread));
      return;
    }
    if (!op->getName().getStringRef().starts_with("tosa.matmul"))
      return;
    std::string function = functionOf(op);
    if (anyProduct && function == last)
      return;
    anyProduct = true;
    last = std::move(function);
    result.push_back({op, "products of TOSA are not read",
                      "run tosa-to-linalg-named and tosa-to-linalg first"});
  });
  return result;
}
