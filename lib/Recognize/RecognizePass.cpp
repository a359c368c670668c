//===- RecognizePass.cpp - candidates, attempts, remarks ------------------===//
//
// A candidate is a sum of products with an exponential in its summand. What its
// attention would replace (the root) is looked for downstream: through a
// division by the row sum, casts, and reshapes and transposes that the result's
// map can absorb. The farthest root that matches wins; nothing is written
// before one has.
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"
#include "Joint.h"
#include "Rewrite.h"
#include "SoftmaxMatcher.h"
#include "Thresholds.h"
#include "Unread.h"
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
// One candidate
//===----------------------------------------------------------------------===//

namespace {

/// What became of a candidate.
struct Outcome {
  std::optional<Failure> failure; // none: fused
  bool found = false; // softmax, scores and roles are those of an attention
  std::string description;
  std::string assumptions;
};

struct Settings {
  bool strictRounding;
};

/// Of two failures, the one that came closer tells more.
std::pair<bool, Obligation> closeness(const Outcome &outcome) {
  return {outcome.found, outcome.failure->obligation};
}

} // namespace

static bool checkRoundings(Match &match, const Settings &settings) {
  if (match.droppedRoundings.empty() ||
      (!settings.strictRounding && !match.quantised))
    return true;
  return match.fail(Obligation::Roundings,
                    Twine("fusing would drop a rounding") +
                        (match.quantised ? " to fewer than 16 bits (" : " (") +
                        llvm::join(match.droppedRoundings, ", ") + ")");
}

/// What a row is where there is no key at all, if it may come to that.
static void decideWithoutKeys(Match &match) {
  IndexSpace &space = match.view.getSpace();
  auto some = [&](auto predicate) {
    return llvm::any_of(match.keys,
                        [&](Atom atom) { return predicate(space.size(atom)); });
  };
  bool none = some([](int64_t size) { return size == 0; });
  bool maybe =
      none || some([](int64_t size) { return ShapedType::isDynamic(size); });
  if (!match.zeroWithoutKeys || match.emptyRowsZero || match.sink || !maybe)
    return;
  // Where no score is -inf, no other rows are empty.
  if (none || !mayBeInfinite(match.view.full(match.score)))
    match.emptyRowsZero = true;
  else
    match.sinkWithoutKeys = true;
}

static std::string describe(const Match &match) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "fused: scale " << match.scale;
  if (match.visible)
    os << ", visible " << match.visible.size() << " set(s), hidden "
       << (match.hidden.isSkip() ? "skip" : "replace");
  if (!match.symbols.empty())
    os << ", " << match.symbols.size() << " symbol(s)";
  if (match.emptyRowsZero)
    os << ", empty rows zero";
  if (match.sink)
    os << ", sink";
  if (match.weight)
    os << ", weighted";
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
        if (a == Assumption::Roundings) {
          os << " (";
          llvm::interleaveComma(match.droppedRoundings, os);
          os << ")";
        }
      },
      "; ");
  return text;
}

/// What the view took for granted to read the match.
static void noteReadings(Match &match) {
  if (match.view.readsBroadcastTest())
    match.assumed.insert(Assumption::NoBroadcast);
  if (match.view.readsSmallIntegers() || !match.symbols.empty())
    match.assumed.insert(Assumption::SmallIntegers);
}

/// Tries to replace a forward and its backward.
static Outcome tryJoint(const JointGroup &group, const Settings &settings,
                        DenseSet<Operation *> &erased, bool readsComputed) {
  IndexSpace space;
  Outcome outcome;
  for (int attempt = 0; attempt < 32; ++attempt) {
    space.reset();
    View view(space, group.scores->getContext());
    JointMatch match(view, group);
    bool matched = match.run();
    if (space.needsRestart())
      continue;
    Match &forward = match.forward;
    if (matched) {
      noteReadings(forward);
      FloatType accumulate = accumulateType(forward);
      ScoreRegion region(forward, accumulate, readsComputed);
      matched = checkSinkRows(forward) && region.plan();
      if (matched)
        match.matchExtras(region);
      if (space.needsRestart())
        continue;
      for (Type type : match.narrowed)
        if (type.getIntOrFloatBitWidth() < accumulate.getWidth())
          forward.dropRounding(type, "gradients");
      if (matched && checkJointUses(match, region) &&
          checkRoundings(forward, settings)) {
        outcome.description = describe(forward) + ", with its backward";
        if (size_t count = match.differentiatedExtras().size())
          outcome.description +=
              ", gradients of " + std::to_string(count) + " extra(s)";
        outcome.assumptions = describeAssumptions(forward);
        rewriteJoint(match, region, erased);
        return outcome;
      }
    }
    outcome.failure = forward.failure;
    return outcome;
  }
  outcome.failure =
      Failure{Obligation::Layout, "the loops have no common factorisation"};
  return outcome;
}

/// Tries to replace one root.
static Outcome tryRoot(Value root, const Settings &settings,
                       DenseSet<Operation *> &erased) {
  IndexSpace space;
  Outcome outcome;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    space.reset();
    View view(space, root.getContext());
    Match match(view, root);
    match.rootIndices = indicesOf(space, root);
    bool matched =
        matchSoftmax(match) && matchScore(match) && matchLayout(match);
    if (space.needsRestart())
      continue;
    outcome.found = matched;
    if (matched) {
      decideWithoutKeys(match);
      extractMask(match);
      noteReadings(match);
      ScoreRegion region(match, accumulateType(match));
      matched = checkSinkRows(match) && region.plan() &&
                checkNoOtherUse(match, root.getDefiningOp(),
                                operandsOf(match, region)) &&
                checkRoundings(match, settings);
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
    candidates = 0;
    DenseSet<Operation *> erased;
    SmallVector<SumOfProducts> sums = findSumsOfProducts(getOperation());
    for (const JointGroup &group : findJointGroups(sums))
      consider(group, erased);
    reportSaved(sums, erased);
    for (const SumOfProducts &sum : sums)
      if (!erased.contains(sum.op) && sum.feed != Feed::Other)
        consider(sum, erased);
    reportUnread();
  }

private:
  unsigned candidates = 0; // fused or missed

  /// Backwards that are given a tensor of rows x keys.
  void reportSaved(ArrayRef<SumOfProducts> sums,
                   const DenseSet<Operation *> &erased) {
    for (const SumOfProducts &sum : sums) {
      if (sum.scores || erased.contains(sum.op))
        continue;
      linalg::LinalgOp op = sum.op;
      auto saved = findSavedProbabilities(op);
      if (!saved)
        continue;
      std::string function = functionOf(op), text;
      llvm::raw_string_ostream(text)
          << "its " << (saved->areScores ? "scores" : "probabilities")
          << " are given, as " << saved->tensor.getType()
          << ": give it Q, K, V, the output and the log-sum-exp instead, or "
             "forward and backward as one function";
      reportMissed(op->getLoc(),
                   remark::RemarkOpts::name("attention-backward")
                       .category("attn-recognize")
                       .function(function),
                   {Obligation::JointProbabilities, text},
                   "the backward of this attention");
    }
  }

  /// Says where nothing could be found; `must-fuse` wants something to fuse.
  void reportUnread() {
    SmallVector<Unread> unread = findUnread(getOperation());
    for (const Unread &part : unread) {
      std::string function = functionOf(part.op);
      auto options = remark::RemarkOpts::name("attention")
                         .category("attn-recognize")
                         .function(function);
      auto remark = part.stays ? remark::missed(part.op->getLoc(), options)
                               : remark::analysis(part.op->getLoc(), options);
      remark << remark::reason("{0}", part.reason);
      if (!part.suggestion.empty())
        remark << remark::suggest("{0}", part.suggestion);
    }
    bool holdsAttention = false;
    getOperation()->walk([&](Operation *op) {
      holdsAttention |= op->getName().getStringRef().starts_with("attn.");
    });
    if (!mustFuse || candidates != 0 || holdsAttention)
      return;
    InFlightDiagnostic error =
        emitError(unread.empty() ? getOperation()->getLoc()
                                 : unread.front().op->getLoc())
        << "must-fuse: expected a product of a softmax, found none";
    if (!unread.empty()) {
      error << "; " << unread.front().reason;
      if (!unread.front().suggestion.empty())
        error << ": " << unread.front().suggestion;
    }
    signalPassFailure();
  }

  /// A remark for an attention, or attention and backward, that is now one op.
  void reportFused(Location loc, const remark::RemarkOpts &options,
                   const Outcome &outcome) {
    ++numFused;
    ++candidates;
    auto remark = remark::passed(loc, options);
    remark << remark::add("{0}", outcome.description);
    if (!outcome.assumptions.empty())
      remark << remark::metric("Assumes", outcome.assumptions);
  }

  /// One for a candidate that stays as it is.
  void reportMissed(Location loc, const remark::RemarkOpts &options,
                    const Failure &failure, StringRef what) {
    std::string cited = cite(failure.obligation);
    StringRef name =
        obligations()[static_cast<unsigned>(failure.obligation) - 1].name;
    ++numMissed;
    ++candidates;
    remark::missed(loc, options)
        << remark::reason("{0} {1}: {2}", cited, name, failure.why);
    if (mustFuse) {
      emitError(loc) << "must-fuse: " << what << " is not fused: " << cited
                     << " " << name << ": " << failure.why;
      signalPassFailure();
    }
  }

  /// One for what only looks like a candidate.
  void reportOther(Location loc, const remark::RemarkOpts &options,
                   const Failure &failure) {
    remark::analysis(loc, options) << remark::reason(
        "{0} {1}: {2}", cite(failure.obligation),
        obligations()[static_cast<unsigned>(failure.obligation) - 1].name,
        failure.why);
  }

  void consider(const JointGroup &group, DenseSet<Operation *> &erased) {
    if (llvm::any_of(group.members, [&](const JointMember &member) {
          return erased.contains(member.op);
        }))
      return;
    Location loc = group.scores->getLoc();
    std::string function = functionOf(group.scores);
    auto options = remark::RemarkOpts::name("attention-backward")
                       .category("attn-recognize")
                       .function(function);
    Outcome outcome = tryJoint(group, {strictRounding}, erased, false);
    if (outcome.failure &&
        outcome.failure->obligation == Obligation::JointGradient) {
      Outcome other = tryJoint(group, {strictRounding}, erased, true);
      if (!other.failure)
        outcome = std::move(other);
    }
    if (!outcome.failure)
      reportFused(loc, options, outcome);
    else if (outcome.failure->obligation == Obligation::JointProbabilities)
      reportOther(loc, options, *outcome.failure); // a gated layer, for one
    else
      reportMissed(loc, options, *outcome.failure,
                   "the backward of this attention");
  }

  void consider(const SumOfProducts &sum, DenseSet<Operation *> &erased) {
    linalg::LinalgOp op = sum.op;
    Location loc = op.getLoc();
    std::string function = functionOf(op);
    auto options = remark::RemarkOpts::name("attention")
                       .category("attn-recognize")
                       .function(function);
    Outcome best;
    SmallVector<Value> roots = rootsOf(op->getResult(0));
    for (Value root : llvm::reverse(roots)) {
      Outcome outcome = tryRoot(root, {strictRounding}, erased);
      if (!outcome.failure)
        return reportFused(loc, options, outcome);
      if (!best.failure || closeness(best) <= closeness(outcome))
        best = std::move(outcome);
    }
    if (sum.feed == Feed::NormalisedExponential)
      return reportMissed(loc, options, *best.failure,
                          "this product of a softmax");
    // Fed by an exponential, but no softmax: a sigmoid, for one.
    reportOther(loc, options, *best.failure);
  }
};

} // namespace
