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

/// Says what kind of normalised exponential a candidate is fed by, if any.
static bool isCandidate(linalg::LinalgOp op) {
  IndexSpace space;
  View view(space, op.getContext());
  for (int attempt = 0; attempt < 16; ++attempt) {
    space.reset();
    View fresh(space, op.getContext());
    Node *sum =
        fresh.access(op->getResult(0), indicesOf(space, op->getResult(0)));
    if (sum->is("arith.addf") && sum->operands[1]->kind == Node::Reduce)
      sum = sum->operands[1];
    if (sum->kind != Node::Reduce)
      return false;
    SmallVector<Linear> loops;
    SmallVector<Atom> keys;
    for (auto [loop, extent] : fresh.reductionLoops(sum)) {
      loops.push_back(space.loop(sum->op, loop, extent));
      for (auto [atom, coefficient] : loops.back().terms)
        keys.push_back(atom);
    }
    Node *body = fresh.body(sum, loops);
    bool found = false;
    if (body) {
      SmallVector<Node *> work{body};
      DenseSet<Node *> seen;
      while (!work.empty() && !found) {
        Node *node = work.pop_back_val();
        if (!seen.insert(node).second)
          continue;
        found = (node->is("math.exp") || node->is("math.exp2")) &&
                fresh.dependsOn(node, keys);
        if (node->kind == Node::Access) {
          if (Node *next = fresh.expand(node))
            work.push_back(next);
        }
        llvm::append_range(work, node->operands);
      }
    }
    if (!space.needsRestart())
      return found;
  }
  return false;
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
    bool elementwise = structured && structured.getNumReductionLoops() == 0 &&
                       structured.hasPureTensorSemantics() &&
                       !structured.isDpsInit(&*value.use_begin());
    if (!moves && !elementwise)
      break;
    value = user->getResult(0);
    roots.push_back(value);
  }
  return roots;
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
    for (linalg::LinalgOp op : candidates)
      if (!erased.contains(op) && isCandidate(op))
        consider(op, erased);
  }

private:
  void consider(linalg::LinalgOp op, DenseSet<Operation *> &erased) {
    Location loc = op.getLoc();
    std::string function;
    if (auto parent = op->getParentOfType<FunctionOpInterface>())
      function = parent.getName().str();
    auto options = remark::RemarkOpts::name("attention")
                       .category("attn-recognize")
                       .function(function);
    Outcome best;
    for (Value root : llvm::reverse(rootsOf(op->getResult(0)))) {
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
    ++numMissed;
    std::string cited = cite(best.failure->obligation);
    StringRef name =
        obligations()[static_cast<unsigned>(best.failure->obligation) - 1].name;
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
