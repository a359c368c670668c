//===- Candidates.cpp - where a match may start, and end ------------------===//
#include "Candidates.h"
#include "Match.h"
#include "Operand.h"
#include "Thresholds.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

/// True if the op sums products.
static bool sumsProducts(linalg::LinalgOp op) {
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

/// The only op that reads a tensor; null if there are several. An init whose
/// elements are not read is no use of them.
static Operation *onlyReader(Value value) {
  Operation *reader = nullptr;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    auto structured = dyn_cast<linalg::LinalgOp>(user);
    bool unread = structured && structured.hasPureTensorSemantics() &&
                  structured.isDpsInit(&use) &&
                  !structured.payloadUsesValueFromOperand(&use);
    if (unread && llvm::is_contained(structured.getDpsInputs(), value))
      continue;
    if (unread || (reader && reader != user))
      return nullptr;
    reader = user;
  }
  return reader;
}

SmallVector<Value> mlir::attn::rootsOf(Value product, bool throughSums) {
  SmallVector<Value> roots{product};
  Value value = product;
  while (roots.size() < kMaxRoots) {
    Operation *user = onlyReader(value);
    if (!user || user->getBlock() != value.getParentBlock() ||
        user->getNumResults() != 1 ||
        !isa<RankedTensorType>(user->getResult(0).getType()))
      break;
    bool moves =
        isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            user);
    auto structured = dyn_cast<linalg::LinalgOp>(user);
    bool reads = structured && structured.hasPureTensorSemantics() &&
                 llvm::is_contained(structured.getDpsInputs(), value);
    bool elementwise = isElementwise(user) ||
                       (reads && structured.getNumReductionLoops() == 0);
    bool sums = throughSums && reads && !elementwise &&
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

static bool isExponential(const Node *node) {
  return node->is("math.exp") || node->is("math.exp2");
}

/// True for a sum of exponentials, other than `product`. A sum of products is
/// none: a gate of an earlier layer, say.
static bool sumsExponentials(View &view, Node *node, Operation *product) {
  if (node->kind != Node::Reduce || node->combiner != Combiner::Add ||
      node->op == product || isContraction(node))
    return false;
  SmallVector<Atom> unused;
  Node *summand = bodyOf(view, node, unused);
  return summand && anyNode(view, summand, isExponential);
}

namespace {
/// The contractions that a summand depends on.
struct Contractions {
  SetVector<Node *> inExponentials, outside;
};
} // namespace

static void collect(Node *node, bool inside, DenseSet<Node *> (&seen)[2],
                    Contractions &found) {
  if (!seen[inside].insert(node).second)
    return;
  if (isContraction(node))
    (inside ? found.inExponentials : found.outside).insert(node);
  for (Node *operand : node->operands)
    collect(operand, inside || isExponential(node), seen, found);
}

/// The scores among the contractions of a summand, and what goes with them.
static void findScores(Node *summand, SumOfProducts &sum) {
  Contractions found;
  DenseSet<Node *> seen[2];
  collect(summand, false, seen, found);
  SmallVector<Atom> atoms;
  for (Node *node : found.inExponentials) {
    if (sum.scores && sum.scores != node->op) {
      sum.scores = nullptr;
      return;
    }
    sum.scores = node->op;
    atoms = atomsOf(node);
  }
  for (Node *node : found.outside)
    if (node->op != sum.scores && llvm::all_of(atomsOf(node), [&](Atom atom) {
          return llvm::is_contained(atoms, atom);
        }))
      sum.rowsAndPoints.push_back(node->op);
}

/// The tensors that an expression reads, as far as its reductions.
static void tensorsIn(View &view, Node *root, DenseSet<Value> &tensors) {
  anyNode(view, root, [&](Node *node) {
    for (const Reading &reading : node->readings)
      tensors.insert(reading.tensor);
    return false;
  });
}

/// (P - Y) K, where the exponentials are of a sum of products with K: the
/// gradient of a cross entropy's logits on its way back, no product with P.
static bool isLossGradient(View &view, Node *body, ArrayRef<Atom> keys) {
  SmallVector<Factor> factors;
  double constant = 1;
  collectFactors(view.full(body), false, factors, constant);
  auto holds = [&](Node *node) { return anyNode(view, node, isExponential); };
  DenseSet<Value> scored, others;
  bool offset = false;
  for (const Factor &factor : factors) {
    Node *node = stripCasts(factor.node);
    bool sum = node->is("arith.addf") || node->is("arith.subf");
    if (!sum || holds(node->operands[0]) == holds(node->operands[1]) ||
        !view.dependsOn(node->operands[0], keys) ||
        !view.dependsOn(node->operands[1], keys)) {
      tensorsIn(view, factor.node, others);
      continue;
    }
    offset = true;
    anyNode(view, node, [&](Node *inner) {
      SmallVector<Atom> loops;
      Node *summand =
          isContraction(inner) ? bodyOf(view, inner, loops) : nullptr;
      if (summand)
        tensorsIn(view, summand, scored);
      return false;
    });
  }
  return offset && llvm::any_of(others, [&](Value tensor) {
           return scored.contains(tensor);
         });
}

/// What the summand is fed by; read no further than to the first exponential.
static Feed feedOf(View &view, linalg::LinalgOp op, Node *body,
                   ArrayRef<Atom> keys) {
  auto ofKeys = [&](Node *node) {
    return isExponential(node) && view.dependsOn(node, keys);
  };
  auto isTotal = [&](Node *node) { return sumsExponentials(view, node, op); };
  if (!anyNode(view, body, ofKeys))
    return Feed::Other;
  Value farthest = rootsOf(op->getResult(0)).back();
  Node *end = view.access(farthest, indicesOf(view.getSpace(), farthest));
  bool normalised =
      !isLossGradient(view, body, keys) &&
      (anyNode(view, body, isTotal) || anyNode(view, end, isTotal));
  return normalised ? Feed::NormalisedExponential : Feed::Exponential;
}

static SumOfProducts readSum(linalg::LinalgOp op) {
  Value product = op->getResult(0);
  IndexSpace space;
  SumOfProducts result;
  result.op = op;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    space.reset();
    View view(space, op.getContext());
    Node *sum = sumBehind(view.access(product, indicesOf(space, product)));
    SmallVector<Atom> keys;
    Node *body = sum ? bodyOf(view, sum, keys) : nullptr;
    Feed feed = body ? feedOf(view, op, body, keys) : Feed::Other;
    if (space.needsRestart())
      continue;
    result.feed = feed;
    if (body)
      findScores(view.full(body), result);
    if (!space.needsRestart())
      return result;
    // Parts that the feed does not depend on may have no common factorisation.
    result.scores = nullptr;
    result.rowsAndPoints.clear();
  }
  return result;
}

SmallVector<SumOfProducts> mlir::attn::findSumsOfProducts(Operation *root) {
  SmallVector<SumOfProducts> result;
  root->walk([&](linalg::LinalgOp op) {
    if (sumsProducts(op))
      result.push_back(readSum(op));
  });
  return result;
}
