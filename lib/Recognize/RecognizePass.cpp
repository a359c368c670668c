//===- RecognizePass.cpp - candidates, attempts, remarks ------------------===//
//
// A candidate is a sum of products with an exponential in its summand. What its
// attention would replace (the root) is looked for downstream: through a
// division by the row sum, casts, and reshapes and transposes that the result's
// map can absorb. The farthest root that matches wins; nothing is written
// before one has.
//
//===----------------------------------------------------------------------===//
#include "Rewrite.h"
#include "attn/Recognize/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNRECOGNIZE
#include "attn/Recognize/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Candidates and roots
//===----------------------------------------------------------------------===//

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

static SmallVector<Linear> indicesOf(IndexSpace &space, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Linear> indices;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    indices.push_back(
        space.loop(tensor.getAsOpaquePointer(), dim, Extent{size}));
  return indices;
}

/// The tensors that an attention might replace, nearest first.
static SmallVector<Value> rootsOf(Value product) {
  SmallVector<Value> roots{product};
  Value value = product;
  while (roots.size() < 12 && value.hasOneUse()) {
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
    if (!moves && !elementwise)
      break;
    value = user->getResult(0);
    roots.push_back(value);
  }
  return roots;
}

namespace {
/// What a sum of products is fed by.
enum class Feed { Other, Exponential, NormalisedExponential };
} // namespace

/// The sum behind a node, an added start value aside.
static Node *sumBehind(Node *node) {
  if (node->is("arith.addf") && node->operands[1]->kind == Node::Reduce)
    node = node->operands[1];
  return node->kind == Node::Reduce ? node : nullptr;
}

static Node *bodyOf(View &view, Node *sum, SmallVector<Atom> &keys) {
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
static Feed feedOf(linalg::LinalgOp op, Value farthestRoot) {
  IndexSpace space;
  for (int attempt = 0; attempt < 16; ++attempt) {
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
      if (node->kind != Node::Reduce || node->combiner != Combiner::Add ||
          node->op == op)
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

//===----------------------------------------------------------------------===//
// One candidate
//===----------------------------------------------------------------------===//

namespace {

/// What became of a candidate.
struct Outcome {
  std::optional<Failure> failure; // none: fused
  std::string description;
  std::string assumptions;
};

struct Settings {
  bool strictRounding;
};

} // namespace

static std::string describe(const Match &match) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "fused: scale " << match.scale;
  if (match.visible)
    os << ", visible " << match.visible.size() << " set(s), hidden "
       << (match.hidden.isSkip() ? "skip" : "replace");
  if (match.emptyRowsZero)
    os << ", empty rows zero";
  if (match.sink)
    os << ", sink";
  return text;
}

static std::string describeAssumptions(const Match &match) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      match.assumed, os,
      [&](Assumption a) {
        os << cite(a) << " "
           << assumptions()[static_cast<unsigned>(a) - 1].name;
        if (a == Assumption::DroppedRoundings) {
          os << " (";
          llvm::interleaveComma(match.droppedRoundings, os);
          os << ")";
        }
      },
      "; ");
  return text;
}

/// Tries to replace one root.
static Outcome tryRoot(Value root, const Settings &settings,
                       DenseSet<Operation *> &erased) {
  IndexSpace space;
  Outcome outcome;
  for (int attempt = 0; attempt < 16; ++attempt) {
    space.reset();
    View view(space, root.getContext());
    Match match(view, root);
    match.rootIndices = indicesOf(space, root);
    bool matched =
        matchSoftmax(match) && matchScore(match) && matchLayout(match);
    if (space.needsRestart())
      continue;
    if (matched) {
      if (view.readsBroadcastTest())
        match.assumed.insert(Assumption::NoBroadcast);
      extractMask(match);
      ScoreRegion region(match, accumulateType(match));
      matched =
          region.plan() && checkNoOtherUse(match, operandsOf(match, region));
      if (matched && settings.strictRounding && !match.droppedRoundings.empty())
        matched =
            match.fail(Obligation::Roundings,
                       "fusing would drop a rounding (" +
                           llvm::join(match.droppedRoundings, ", ") + ")");
      if (matched) {
        outcome.description = describe(match);
        outcome.assumptions = describeAssumptions(match);
        rewrite(match, region, erased);
        return outcome;
      }
    }
    outcome.failure = match.failure;
    return outcome;
  }
  outcome.failure =
      Failure{Obligation::Layout, "the loops have no common factorisation"};
  return outcome;
}

namespace {

class AttnRecognizePass
    : public mlir::attn::impl::AttnRecognizeBase<AttnRecognizePass> {
public:
  using AttnRecognizeBase::AttnRecognizeBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> candidates;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (sumsProducts(op))
        candidates.push_back(op);
    });
    DenseSet<Operation *> erased;
    for (linalg::LinalgOp op : candidates) {
      if (erased.contains(op))
        continue;
      SmallVector<Value> roots = rootsOf(op->getResult(0));
      Feed feed = feedOf(op, roots.back());
      if (feed != Feed::Other)
        consider(op, roots, feed, erased);
    }
  }

private:
  void consider(linalg::LinalgOp op, ArrayRef<Value> roots, Feed feed,
                DenseSet<Operation *> &erased) {
    Location loc = op.getLoc();
    std::string function;
    if (auto parent = op->getParentOfType<FunctionOpInterface>())
      function = parent.getName().str();
    auto options = remark::RemarkOpts::name("attention")
                       .category("attn-recognize")
                       .function(function);
    Outcome best;
    for (Value root : llvm::reverse(roots)) {
      Outcome outcome = tryRoot(root, {strictRounding}, erased);
      if (!outcome.failure) {
        ++numFused;
        auto remark = remark::passed(loc, options);
        remark << remark::add("{0}", outcome.description);
        if (!outcome.assumptions.empty())
          remark << remark::metric("Assumes", outcome.assumptions);
        return;
      }
      if (!best.failure ||
          best.failure->obligation <= outcome.failure->obligation)
        best = std::move(outcome);
    }
    std::string cited = cite(best.failure->obligation);
    StringRef name =
        obligations()[static_cast<unsigned>(best.failure->obligation) - 1].name;
    if (feed != Feed::NormalisedExponential) {
      // Fed by an exponential, but no softmax: a sigmoid, for one.
      remark::analysis(loc, options)
          << remark::reason("{0} {1}: {2}", cited, name, best.failure->why);
      return;
    }
    ++numMissed;
    remark::missed(loc, options)
        << remark::reason("{0} {1}: {2}", cited, name, best.failure->why);
    if (mustFuse) {
      emitError(loc) << "must-fuse: this product of a softmax is not fused: "
                     << cited << " " << name << ": " << best.failure->why;
      signalPassFailure();
    }
  }
};

} // namespace
