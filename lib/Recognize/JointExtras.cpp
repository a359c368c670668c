//===- JointExtras.cpp - gradients of biases, slopes and gates ------------===//
//
// A tensor e that the score function or the weight reads has the gradient
//
//   de = sum over the loops that e lacks of  dX dscore/de + P dP dweight/de
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

/// Splits a value into sums over loops of a summand.
std::optional<MemberSum> JointMatch::readGradient(Value root,
                                                  const Substitution &replace) {
  MemberSum sum;
  sum.root = root;
  for (const Linear &own : indicesOf(view.getSpace(), root))
    sum.rootIndices.push_back(substituted(own, replace));
  Node *node = view.full(view.access(root, sum.rootIndices));
  while (true) {
    for (; node->is("arith.extf") || node->is("arith.truncf");
         node = node->operands[0])
      if (node->is("arith.truncf") && !sum.loops.empty())
        sum.narrowed.push_back(node->type);
    SmallVector<Factor> factors;
    double constant = 1;
    collectFactors(node, false, factors, constant);
    const Factor *reduce = nullptr;
    bool several = false;
    for (const Factor &factor : factors)
      if (factor.node->kind == Node::Reduce &&
          factor.node->combiner == Combiner::Add &&
          isa<FloatType>(factor.node->type) &&
          factor.node->op != products->op && factor.node->op != scores->op) {
        several |= reduce != nullptr;
        reduce = &factor;
      }
    if (!reduce || several || reduce->inverse)
      break;
    SmallVector<Linear> loops;
    for (auto [loop, extent] : view.reductionLoops(reduce->node))
      loops.push_back(substituted(
          view.getSpace().loop(reduce->node->op, loop, extent), replace));
    Node *body = view.body(reduce->node, loops);
    if (!body)
      return std::nullopt;
    sum.loops.append(loops.begin(), loops.end());
    for (const Factor &factor : factors)
      if (&factor != reduce)
        sum.factors.push_back({factor.node, factor.inverse});
    if (constant != 1)
      sum.factors.push_back(
          {view.floatValue(reduce->node->type, constant), false});
    node = view.full(body);
  }
  sum.summand = node;
  return sum;
}

/// Over the match's loops; nothing if some are left over.
std::optional<MemberSum> JointMatch::alignedGradient(Value root) {
  Substitution replace;
  auto sum = readGradient(root, replace);
  if (!sum || !align(sum->summand, replace))
    return std::nullopt;
  sum = readGradient(root, replace);
  if (!sum)
    return std::nullopt;
  for (ArrayRef<Linear> indices :
       {ArrayRef<Linear>(sum->rootIndices), ArrayRef<Linear>(sum->loops)})
    for (const Linear &index : indices)
      for (auto [atom, coefficient] : index.terms)
        if (!fixed.contains(atom))
          return std::nullopt;
  return sum;
}

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

bool JointMatch::isGradientOf(const MemberSum &sum, Node *extra,
                              const Polynomial &wanted) {
  SmallVector<Atom> atoms = atomsOf(extra);
  DenseSet<Atom> result(atoms.begin(), atoms.end()), own, loops, summed;
  for (Atom atom : forward.setAtoms)
    if (!isUnitLoop(atom) && !result.contains(atom))
      summed.insert(atom);
  size_t terms = 0;
  for (const Linear &index : sum.rootIndices)
    for (auto [atom, coefficient] : index.terms)
      own.insert(atom);
  for (const Linear &loop : sum.loops)
    for (auto [atom, coefficient] : loop.terms) {
      loops.insert(atom);
      ++terms;
    }
  if (own != result || loops != summed || terms != loops.size())
    return false;
  Polynomial value = valueOf(sum);
  if (sameValue(value, wanted))
    return !forward.visible || vanishesWithProbability(value);
  // At hidden keys nothing may flow, as in the fused form.
  return forward.visible && sameWhereShown(value, wanted) &&
         (sameValue(ring->multiply(value, shown), value) ||
          vanishesWithProbability(value));
}

void JointMatch::matchExtras(const ScoreRegion &region) {
  findExtras(region);
  llvm::append_range(narrowed, ring->roundedTo());
}

void JointMatch::findExtras(const ScoreRegion &region) {
  struct Wanted {
    unsigned number;
    Node *node;
    Polynomial value;
  };
  SmallVector<Wanted> wanted;
  for (auto [i, extra] : llvm::enumerate(region.getExtras()))
    if (extra.reading && isa<FloatType>(extra.node->type))
      if (auto value = expectedExtra(extra.node))
        wanted.push_back({static_cast<unsigned>(i), extra.node, *value});
  if (wanted.empty())
    return;
  DenseSet<Operation *> barriers;
  for (const JointResult &result : results)
    barriers.insert(result.root.getDefiningOp());
  Slice slice({products->op, scores->op}, barriers);
  if (slice.ops.size() > kMaxGradientOps)
    return;
  DenseSet<Value> values;
  SmallVector<JointResult> candidates;
  for (Operation *op : slice.ops) {
    if (op->getNumResults() != 1 || op->getBlock() != products->op->getBlock())
      continue;
    Value value = op->getResult(0);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !isa<FloatType>(type.getElementType()))
      continue;
    auto sum = alignedGradient(value);
    if (!sum)
      continue;
    for (const Wanted &want : wanted)
      if (isGradientOf(*sum, want.node, want.value)) {
        values.insert(value);
        llvm::append_range(narrowed, sum->narrowed);
        JointResult result{MemberKind::ExtraGrad, value, sum->rootIndices};
        result.extra = want.number;
        candidates.push_back(result);
        break;
      }
  }
  // One op result holds all gradients of an extra: they have one type.
  DenseMap<unsigned, Type> types;
  for (const JointResult &candidate : candidates)
    if (slice.isRead(candidate.root.getDefiningOp(), values)) {
      Type type = getElementTypeOrSelf(candidate.root);
      if (types.try_emplace(candidate.extra, type).first->second == type)
        results.push_back(candidate);
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
