//===- Operand.cpp - operands that are read or computed -------------------===//
#include "Operand.h"
#include "Layout.h"

using namespace mlir;
using namespace mlir::attn;

void mlir::attn::collectFactors(Node *node, bool inverse,
                                SmallVectorImpl<Factor> &factors,
                                double &constant) {
  if (node->is("arith.mulf") || node->is("arith.divf")) {
    collectFactors(node->operands[0], inverse, factors, constant);
    collectFactors(node->operands[1],
                   node->is("arith.divf") ? !inverse : inverse, factors,
                   constant);
  } else if (node->is("arith.negf")) {
    constant = -constant;
    collectFactors(node->operands[0], inverse, factors, constant);
  } else if (node->is("arith.extf")) {
    // Widening is exact; what is narrowed here was so on purpose.
    collectFactors(node->operands[0], inverse, factors, constant);
  } else if (auto value = floatConstant(node)) {
    double factor = value->convertToDouble();
    constant = inverse ? constant / factor : constant * factor;
  } else {
    factors.push_back({node, inverse});
  }
}

SmallVector<Atom> mlir::attn::atomsOf(const Node *node) {
  SetVector<Atom> atoms;
  SmallVector<const Node *> work{node};
  DenseSet<const Node *> seen;
  auto add = [&](const Linear &linear) {
    for (auto [atom, coefficient] : linear.terms)
      atoms.insert(atom);
  };
  while (!work.empty()) {
    const Node *next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    add(next->index);
    llvm::for_each(next->indices, add);
    work.append(next->operands.begin(), next->operands.end());
  }
  return atoms.takeVector();
}

Node *mlir::attn::productOf(View &view, ArrayRef<Factor> factors, Type type) {
  if (factors.size() == 1 && !factors.front().inverse)
    return factors.front().node;
  // The factor that the others scale.
  const Factor *main = nullptr;
  for (const Factor &factor : factors)
    if (!factor.inverse &&
        (!main || atomsOf(factor.node).size() > atomsOf(main->node).size()))
      main = &factor;
  if (!main)
    return nullptr;
  SmallVector<Atom> loops = atomsOf(main->node);
  for (const Factor &factor : factors)
    for (Atom atom : atomsOf(factor.node))
      if (!llvm::is_contained(loops, atom))
        return nullptr;
  auto widened = [&](Node *node) {
    return node->type == type ? node : view.apply("arith.extf", {node}, type);
  };
  Node *product = widened(main->node);
  for (const Factor &factor : factors)
    if (&factor != main)
      product = view.apply(factor.inverse ? "arith.divf" : "arith.mulf",
                           {product, widened(factor.node)}, type);
  return product;
}

Node *mlir::attn::peelExact(View &view, Node *operand) {
  while (Node *next = view.expand(operand)) {
    if (next->is("arith.extf"))
      next = next->operands[0];
    else if (next->kind != Node::Access && next->kind != Node::Reduce)
      break;
    if (next->readings.empty())
      break;
    operand = next;
  }
  return operand;
}

const Reading *mlir::attn::readingOfLeaf(IndexSpace &space, const Node *leaf,
                                         const Node *expression) {
  if (leaf == expression)
    return bestReading(space, leaf, /*slices=*/true);
  SmallVector<Atom> own = atomsOf(expression);
  for (const Reading &reading : llvm::reverse(leaf->readings))
    if (auto atoms = atomsOfReading(space, reading);
        atoms && llvm::all_of(*atoms, [&](Atom atom) {
          return llvm::is_contained(own, atom);
        }))
      return &reading;
  return nullptr;
}

/// Adds the leaves of a part of the expression.
static bool collectLeavesOf(View &view, Node *expression, Node *node,
                            SetVector<Node *> &leaves) {
  if (leaves.contains(node) || node->kind == Node::Constant ||
      node->kind == Node::Index || node->kind == Node::Scalar)
    return true;
  if (readingOfLeaf(view.getSpace(), node, expression)) {
    leaves.insert(node);
    return true;
  }
  StringRef name = node->kind == Node::Apply ? node->name.getValue() : "";
  if (node->value || !(name.starts_with("arith.") || name.starts_with("math.")))
    return false;
  return llvm::all_of(node->operands, [&](Node *operand) {
    return collectLeavesOf(view, expression, operand, leaves);
  });
}

bool mlir::attn::collectLeaves(View &view, Node *node,
                               SetVector<Node *> &leaves) {
  return collectLeavesOf(view, node, node, leaves);
}

Value mlir::attn::writeLinear(OpBuilder &b, Location loc, const Linear &linear,
                              Type type, function_ref<Value(Atom)> indexOf) {
  Value sum;
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc, IntegerAttr::get(type, value));
  };
  for (auto [atom, coefficient] : linear.terms) {
    Value term = indexOf(atom);
    if (!isa<IndexType>(type))
      term = arith::IndexCastOp::create(b, loc, type, term);
    if (coefficient != 1)
      term = arith::MulIOp::create(b, loc, term, constant(coefficient));
    sum = sum ? arith::AddIOp::create(b, loc, sum, term).getResult() : term;
  }
  if (!sum)
    return constant(linear.constant);
  if (linear.constant != 0)
    sum = arith::AddIOp::create(b, loc, sum, constant(linear.constant));
  return sum;
}

Value mlir::attn::writeExpression(OpBuilder &b, Location loc, Node *node,
                                  DenseMap<Node *, Value> &known,
                                  function_ref<Value(Atom)> indexOf) {
  if (auto it = known.find(node); it != known.end())
    return it->second;
  Value result;
  if (node->kind == Node::Constant) {
    result = arith::ConstantOp::create(b, loc, node->attr);
  } else if (node->kind == Node::Scalar) {
    result = node->value;
  } else if (node->kind == Node::Index) {
    result = writeLinear(b, loc, node->index, node->type, indexOf);
  } else {
    SmallVector<Value> operands;
    for (Node *operand : node->operands)
      operands.push_back(writeExpression(b, loc, operand, known, indexOf));
    OperationState state(loc, node->name, operands, TypeRange{node->type},
                         node->attributes.getValue());
    result = b.create(state)->getResult(0);
  }
  return known[node] = result;
}
