//===- JointExtras.cpp - gradients of biases, slopes, gates and sinks -----===//
//
// A tensor e that the score function or the weight reads has the gradient
//
//   de = sum over the loops that e lacks of  dX dscore/de + P dP dweight/de
//
// and a sink, whose probability is p, that of its rows,
//
//   ds = sum over the loops that s lacks of  -p sum over the keys of P dP
//
// It is looked for among all that is computed from dP without passing through
// another gradient; of the tensors that hold it, those that the rest of the
// function reads are replaced.
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"
#include "Joint.h"
#include "Operand.h"
#include "Thresholds.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// What is computed from some ops without passing through others, in order.
class Slice {
public:
  Slice(ArrayRef<Operation *> from, const DenseSet<Operation *> &barriers)
      : block(from.front()->getBlock()), barriers(barriers) {
    SmallVector<Operation *> work(from);
    while (!work.empty()) {
      Operation *op = work.pop_back_val();
      for (Operation *user : op->getUsers()) {
        Operation *ancestor = block->findAncestorOpInBlock(*user);
        if (ancestor && !barriers.contains(ancestor) && ops.insert(ancestor))
          work.push_back(ancestor);
      }
    }
  }

  /// True if something that stays needs the op's results: not so if all that
  /// is made of them ends in barriers or in `found` values.
  bool escapes(Operation *op, const DenseSet<Value> &found) {
    if (auto it = known.find(op); it != known.end())
      return it->second;
    bool result = op->hasTrait<OpTrait::IsTerminator>() ||
                  !isMemoryEffectFree(op) || isRead(op, found);
    return known[op] = result;
  }
  bool isRead(Operation *op, const DenseSet<Value> &found) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (!ancestor)
        return true;
      if (barriers.contains(ancestor) ||
          llvm::any_of(ancestor->getResults(),
                       [&](Value v) { return found.contains(v); }))
        return false;
      return escapes(ancestor, found);
    });
  }

  llvm::SetVector<Operation *> ops;

private:
  Block *block;
  const DenseSet<Operation *> &barriers;
  DenseMap<Operation *, bool> known;
};
} // namespace

/// The gradient of an extra before it is summed; nothing if an op on the way
/// has no derivative here, or it is no function of the extra.
std::optional<Polynomial> JointMatch::expectedExtra(Node *extra) {
  extra = view.full(extra);
  auto ofScore = ring->derivative(view.full(forward.score), extra);
  if (!ofScore)
    return std::nullopt;
  Polynomial result = ring->multiply(exponentGradient, *ofScore);
  if (forward.weight) {
    auto ofWeight = ring->derivative(view.full(forward.weight), extra);
    if (!ofWeight)
      return std::nullopt;
    Polynomial dZ = ring->multiply(ring->of(probability),
                                   ring->power(ring->value(products)));
    result.add(ring->multiply(dZ, *ofWeight), 1 / productsFactor);
  }
  return result.isZero() ? std::nullopt : std::optional<Polynomial>(result);
}

/// The gradient of a sink that is read from a tensor: minus its own probability
/// times the sum of P dP of the row, less the log-sum-exp's gradient.
std::optional<JointMatch::Wanted> JointMatch::expectedSink() {
  Node *sink = forward.sink;
  if (!sink || sink->kind == Node::Constant || sink->kind == Node::Scalar ||
      besideKeys.size() != 1)
    return std::nullopt;
  Node *own = view.full(view.apply(
      "arith.divf", {besideKeys.front(), normaliser}, normaliser->type));
  Polynomial ofRow = ring->multiply(rowSum, Polynomial(-1 / productsFactor));
  ofRow.add(lseGrad);
  return Wanted{MemberKind::SinkGrad, 0, sink,
                ring->multiply(ring->of(own), ofRow), own};
}

bool JointMatch::isGradientOf(const MemberSum &sum, const Wanted &wanted) {
  SmallVector<Atom> atoms = atomsOf(wanted.node);
  DenseSet<Atom> result(atoms.begin(), atoms.end()), own, loops, summed;
  bool ofSink = wanted.kind == MemberKind::SinkGrad;
  for (Atom atom : forward.setAtoms)
    if (!isUnitLoop(atom) && !result.contains(atom) &&
        !(ofSink && llvm::is_contained(forward.keys, atom)))
      summed.insert(atom);
  size_t terms = 0;
  insertAtoms(sum.rootIndices, own);
  insertAtoms(sum.loops, loops);
  for (const Linear &loop : sum.loops)
    terms += loop.terms.size();
  if (own != result || loops != summed || terms != loops.size())
    return false;
  Polynomial value = valueOf(sum);
  if (ofSink)
    return sameValue(value, wanted.value);
  if (sameValue(value, wanted.value))
    return !forward.visible || vanishesWithProbability(value);
  // At hidden keys nothing may flow, as in the fused form.
  return forward.visible && sameWhereShown(value, wanted.value) &&
         (sameValue(ring->multiply(value, shown), value) ||
          vanishesWithProbability(value));
}

void JointMatch::matchExtras(const ScoreRegion &region) {
  findExtras(region);
  llvm::append_range(narrowed, ring->roundedTo());
}

SmallVector<JointMatch::Wanted>
JointMatch::wantedGradients(const ScoreRegion &region) {
  SmallVector<Wanted> wanted;
  if (auto sink = expectedSink())
    wanted.push_back(*sink);
  if (ring->logSumExp())
    wanted.push_back({MemberKind::LogSumExp, 0, nullptr, Polynomial()});
  for (auto [i, extra] : llvm::enumerate(region.getExtras()))
    if (extra.reading && isa<FloatType>(extra.node->type))
      if (auto value = expectedExtra(extra.node))
        wanted.push_back({MemberKind::ExtraGrad, static_cast<unsigned>(i),
                          extra.node, *value});
  return wanted;
}

void JointMatch::findExtras(const ScoreRegion &region) {
  SmallVector<Wanted> wanted = wantedGradients(region);
  if (wanted.empty())
    return;
  soughtFurther = llvm::any_of(wanted, [](const Wanted &want) {
    return want.kind != MemberKind::LogSumExp;
  });
  DenseSet<Operation *> barriers;
  for (const JointResult &result : results)
    barriers.insert(result.root.getDefiningOp());
  Slice slice({products->op, scores->op}, barriers);
  if (slice.ops.size() > kMaxGradientOps)
    return;
  DenseSet<Value> values;
  SmallVector<JointResult> candidates;
  auto find = [&](Value value, const Wanted &want) -> std::optional<MemberSum> {
    if (want.kind == MemberKind::LogSumExp)
      return logSumExpIn(value);
    if (want.kind == MemberKind::ExtraGrad) {
      auto sum = alignedGradient(value, nullptr, ~0u);
      return sum && isGradientOf(*sum, want) ? sum : std::nullopt;
    }
    // The sum over the keys belongs to the summand: a sink's probability times
    // it is summed over rows only, in as many sums as its loops take.
    for (unsigned sums = 0; sums <= kMaxSinkSums; ++sums)
      if (auto sum = alignedGradient(value, want.like, sums);
          sum && isGradientOf(*sum, want))
        return sum;
    return std::nullopt;
  };
  auto take = [&](Value value, const Wanted &want) {
    auto sum = find(value, want);
    if (!sum)
      return false;
    values.insert(value);
    llvm::append_range(narrowed, sum->narrowed);
    JointResult result{want.kind, value, sum->rootIndices};
    result.extra = want.number;
    candidates.push_back(result);
    return true;
  };
  for (Operation *op : slice.ops) {
    if (op->getNumResults() != 1 || op->getBlock() != products->op->getBlock())
      continue;
    Value value = op->getResult(0);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !isa<FloatType>(type.getElementType()))
      continue;
    llvm::any_of(wanted, [&](const Wanted &want) { return take(value, want); });
  }
  // One op result holds all gradients of an operand: they have one type.
  DenseMap<std::pair<unsigned, unsigned>, Type> types;
  for (const JointResult &candidate : candidates) {
    // The gradients' own factors may be computed from the log-sum-exp.
    bool isNeeded =
        candidate.kind == MemberKind::LogSumExp && !lseGrad.isZero();
    if (isNeeded || slice.isRead(candidate.root.getDefiningOp(), values)) {
      Type type = getElementTypeOrSelf(candidate.root);
      auto key = std::make_pair(static_cast<unsigned>(candidate.kind),
                                candidate.extra);
      if (types.try_emplace(key, type).first->second == type)
        results.push_back(candidate);
    }
  }
}

SmallVector<int64_t> JointMatch::differentiatedExtras() const {
  SmallVector<int64_t> numbers;
  for (const JointResult &result : results)
    if (result.kind == MemberKind::ExtraGrad)
      numbers.push_back(result.extra);
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}
