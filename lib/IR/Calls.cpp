//===- Calls.cpp - what a call can be inlined for -------------------------===//
#include "attn/IR/Calls.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::attn;

Region *Calls::bodyOf(CallOpInterface call) {
  CallGraphNode *node = graph.resolveCallable(call, symbols);
  return node->isExternal() ? nullptr : node->getCallableRegion();
}

/// Also by way of others.
bool Calls::reachesItself(Region *body) {
  if (auto known = recursive.find(body); known != recursive.end())
    return known->second;
  SmallVector<CallGraphNode *> work{graph.lookupNode(body)};
  DenseSet<CallGraphNode *> seen;
  bool found = false;
  while (!work.empty() && !found) {
    for (const CallGraphNode::Edge &edge : *work.pop_back_val()) {
      CallGraphNode *target = edge.getTarget();
      found |= !target->isExternal() && target->getCallableRegion() == body;
      if (seen.insert(target).second)
        work.push_back(target);
    }
  }
  return recursive[body] = found;
}

std::string Calls::obstacleTo(CallOpInterface call, bool oneBlock) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return "what it calls is known only when it runs";
  std::string name = "@" + symbol.getLeafReference().str();
  Region *body = bodyOf(call);
  if (!body)
    return name + " has no body";
  if (reachesItself(body))
    return name + " calls itself";
  bool inFunction = isa<FunctionOpInterface>(call->getParentOp());
  if (!body->hasOneBlock() && (oneBlock || !inFunction))
    return name + " has several blocks";
  return {};
}

namespace {
/// `no_inline` is about code, of which there is none yet.
struct AnyCall : InlinerInterface {
  using InlinerInterface::InlinerInterface;
  using InlinerInterface::isLegalToInline;

  bool isLegalToInline(Operation *call, Operation *callable,
                       bool cloned) const final {
    return isa<func::CallOp>(call) ||
           InlinerInterface::isLegalToInline(call, callable, cloned);
  }
};
} // namespace

void Calls::inlineInto(Operation *root) {
  AnyCall interface(root->getContext());
  SmallVector<CallOpInterface> work;
  root->walk([&](CallOpInterface call) { work.push_back(call); });
  // What is inlined may hold calls.
  auto clone = [&](OpBuilder &, Region *body, Block *into, Block *behind,
                   IRMapping &copies, bool) {
    body->cloneInto(into->getParent(), behind->getIterator(), copies);
    body->walk([&](CallOpInterface inner) {
      work.push_back(
          cast<CallOpInterface>(copies.lookup(inner.getOperation())));
    });
  };
  while (!work.empty()) {
    CallOpInterface call = work.pop_back_val();
    if (!obstacleTo(call, /*oneBlock=*/true).empty())
      continue;
    Region *body = bodyOf(call);
    auto callable = cast<CallableOpInterface>(body->getParentOp());
    if (succeeded(inlineCall(interface, clone, call, callable, body)))
      call->erase();
  }
}
