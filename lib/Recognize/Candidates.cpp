//===- Candidates.cpp - where a match may start, and end ------------------===//
#include "Candidates.h"
#include "Match.h"
#include "Thresholds.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

bool mlir::attn::sumsProducts(linalg::LinalgOp op) {
  if (!mayHaveSSADominance(*op->getParentRegion()))
    return false; // a graph region: no order to write into
  if (op.getNumReductionLoops() == 0 || op->getNumResults() != 1 ||
      !op.hasPureTensorSemantics())
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !isa<FloatType>(type.getElementType()))
    return false;
  auto combining = matchCombining(op, 0);
  if (!combining || combining->combiner != Combiner::Add)
    return false;
  bool product = false;
  op.getBlock()->walk(
      [&](Operation *inner) { product |= isa<arith::MulFOp>(inner); });
  return product;
}

SmallVector<Linear> mlir::attn::indicesOf(IndexSpace &space, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Linear> indices;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    indices.push_back(
        space.loop(tensor.getAsOpaquePointer(), dim, Extent{size}));
  return indices;
}

SmallVector<Value> mlir::attn::rootsOf(Value product, bool throughSums) {
  SmallVector<Value> roots{product};
  Value value = product;
  while (roots.size() < kMaxRoots && value.hasOneUse()) {
    Operation *user = *value.getUsers().begin();
    if (user->getBlock() != value.getParentBlock() ||
        user->getNumResults() != 1 ||
        !isa<RankedTensorType>(user->getResult(0).getType()))
      break;
    bool moves =
        isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            user);
    auto structured = dyn_cast<linalg::LinalgOp>(user);
    bool elementwise = isElementwise(user) ||
                       (structured && structured.getNumReductionLoops() == 0 &&
                        structured.hasPureTensorSemantics() &&
                        !structured.isDpsInit(&*value.use_begin()));
    bool sums = throughSums && structured && !elementwise &&
                !structured.isDpsInit(&*value.use_begin()) &&
                matchCombining(structured, 0) &&
                matchCombining(structured, 0)->combiner == Combiner::Add;
    if (!moves && !elementwise && !sums)
      break;
    value = user->getResult(0);
    roots.push_back(value);
  }
  return roots;
}

Node *mlir::attn::sumBehind(Node *node) {
  if (node->is("arith.addf") && node->operands[1]->kind == Node::Reduce)
    node = node->operands[1];
  return node->kind == Node::Reduce ? node : nullptr;
}

Node *mlir::attn::bodyOf(View &view, Node *sum, SmallVectorImpl<Atom> &keys) {
  SmallVector<Linear> loops;
  for (auto [loop, extent] : view.reductionLoops(sum)) {
    loops.push_back(view.getSpace().loop(sum->op, loop, extent));
    for (auto [atom, coefficient] : loops.back().terms)
      keys.push_back(atom);
  }
  return view.body(sum, loops);
}

/// Calls `visit` on all nodes of an expression down to its reductions, until it
/// returns true.
static bool anyNode(View &view, Node *root, function_ref<bool(Node *)> visit) {
  SmallVector<Node *> work{root};
  DenseSet<Node *> seen;
  while (!work.empty()) {
    Node *node = work.pop_back_val();
    if (!node || !seen.insert(node).second)
      continue;
    if (visit(node))
      return true;
    if (node->kind == Node::Access)
      work.push_back(view.expand(node));
    llvm::append_range(work, node->operands);
  }
  return false;
}

static bool isExponential(Node *node) {
  return node->is("math.exp") || node->is("math.exp2");
}

/// A candidate is fed by an exponential of the summed index, and something
/// there or downstream is a sum of exponentials.
Feed mlir::attn::feedOf(linalg::LinalgOp op, Value farthestRoot) {
  IndexSpace space;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    space.reset();
    View view(space, op.getContext());
    Node *sum = sumBehind(
        view.access(op->getResult(0), indicesOf(space, op->getResult(0))));
    SmallVector<Atom> keys;
    Node *body = sum ? bodyOf(view, sum, keys) : nullptr;
    bool fed = body && anyNode(view, body, [&](Node *node) {
                 return isExponential(node) && view.dependsOn(node, keys);
               });
    auto sumsExponentials = [&](Node *node) {
      // A sum of products is none: a gate of an earlier layer, say.
      if (node->kind != Node::Reduce || node->combiner != Combiner::Add ||
          node->op == op || isContraction(node))
        return false;
      SmallVector<Atom> unused;
      Node *summand = bodyOf(view, node, unused);
      return summand && anyNode(view, summand, isExponential);
    };
    bool normalised =
        fed &&
        (anyNode(view, body, sumsExponentials) ||
         anyNode(view,
                 view.access(farthestRoot, indicesOf(space, farthestRoot)),
                 sumsExponentials));
    if (!space.needsRestart())
      return normalised ? Feed::NormalisedExponential
             : fed      ? Feed::Exponential
                        : Feed::Other;
  }
  return Feed::Other;
}
