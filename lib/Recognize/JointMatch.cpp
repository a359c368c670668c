//===- JointMatch.cpp - gradients of the attention beside them ------------===//
#include "Candidates.h"
#include "Joint.h"
#include "JointWalk.h"
#include "Layout.h"
#include "Operand.h"
#include "Thresholds.h"

using namespace mlir;
using namespace mlir::attn;

/// dP = dO V^T, and which of its factors is which.
bool JointMatch::findOutputGrad() {
  walk(summand, false, [&](Node *node) {
    if (!isContraction(node) || node->op == scores->op ||
        !view.dependsOn(node, forward.keys))
      return;
    for (Atom atom : atomsOf(node))
      if (!fixed.contains(atom))
        return; // an operand that is a product itself
    SmallVector<Linear> loops;
    Node *body = ownBody(view, node, loops);
    // Other exponentials may be a part of dO, or of V: a gate's.
    if (!body || scoresIn(body))
      return;
    if (products && products != node)
      fail(Obligation::JointOutputGrad,
           "the gradients depend on two contractions besides the scores");
    products = node;
    valueLoops = loops;
  });
  if (forward.failure)
    return false;
  if (!products)
    return fail(Obligation::JointOutputGrad,
                "the gradients depend on no contraction besides the scores");
  Node *body = view.body(products, valueLoops);
  SmallVector<Factor> factors, ofGrad, ofValue;
  collectFactors(body, false, factors, productsFactor);
  for (const Factor &factor : factors)
    (view.dependsOn(factor.node, forward.keys) ? ofValue : ofGrad)
        .push_back(factor);
  if (ofGrad.empty()) {
    // The gradient of a sum, or a mean: one number.
    outputGrad = view.floatValue(products->type, productsFactor);
    productsFactor = 1;
  } else {
    outputGrad = productOf(view, ofGrad, products->type);
  }
  forward.value = productOf(view, ofValue, products->type);
  if (!outputGrad || !forward.value)
    return fail(Obligation::JointOutputGrad,
                "the factors of the other contraction are not dO and V");
  outputGrad = peelExact(view, outputGrad);
  insertAtoms(valueLoops, fixed);
  ring->setProducts(products, productsFactor, outputGrad, forward.value,
                    valueLoops);
  findSavedOutput();
  return true;
}

/// True if what was saved can be read, or computed again, by its own loops.
bool JointMatch::readsByRows(Node *saved) {
  SetVector<Node *> leaves;
  if (!collectLeaves(view, saved, leaves))
    return false;
  auto isKey = [&](Atom atom) {
    return llvm::is_contained(forward.keys, atom);
  };
  return llvm::none_of(leaves, [&](Node *leaf) {
    IndexSpace &space = view.getSpace();
    return llvm::any_of(
        *atomsOfReading(space, *readingOfLeaf(space, leaf, saved)), isKey);
  });
}

bool JointMatch::matchForward() {
  Node *value = forward.value;
  if (value->type != products->type)
    value = view.apply("arith.extf", {value}, products->type);
  forward.summand =
      view.apply("arith.mulf", {probability, value}, products->type);
  forward.sumType = products->type;
  SmallVector<Atom> loops;
  auto add = [&](ArrayRef<Linear> indices) {
    for (const Linear &index : indices)
      for (auto [atom, coefficient] : index.terms)
        if (!llvm::is_contained(forward.keys, atom) &&
            !llvm::is_contained(loops, atom))
          loops.push_back(atom);
  };
  add(scores->indices);
  add(valueLoops);
  for (Atom atom : loops) {
    Linear index;
    index.addTerm(atom, 1);
    forward.rootIndices.push_back(index);
  }
  if (!(savedLse || matchSoftmax(forward)) || !matchScore(forward) ||
      !matchLayout(forward))
    return false;
  findRows();
  fixed.insert(forward.depths.begin(), forward.depths.end());
  if (forward.contraction != scores)
    return fail(Obligation::JointProbabilities,
                "the gradients are of other scores than the probabilities");
  SetVector<Node *> leaves;
  if (!collectLeaves(view, outputGrad, leaves))
    return fail(Obligation::Layout,
                "dO is not read through a projected permutation of whole dims");
  if (savedLse && !readsByRows(savedLse))
    return fail(Obligation::Layout,
                "the log-sum-exp is not read by rows through a projected "
                "permutation");
  for (const Linear &index : forward.rootIndices)
    if (savedOutput && !view.dependsOn(savedOutput, index.terms.front().first))
      return fail(Obligation::JointOutputGrad,
                  "the output that is given has not all loops of an output");
  return true;
}

bool JointMatch::run() {
  if (!findScores() || !findProbabilities() || !findOutputGrad() ||
      !matchForward())
    return false;
  findWeight();
  if (!matchMembers() || !chooseMask())
    return false;
  return true;
}
