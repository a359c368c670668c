//===- View.cpp - nodes of the analysis view and their expansion ----------===//
#include "attn/Recognize/View.h"
#include "Thresholds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::attn;
using llvm::APInt;

std::optional<llvm::APFloat> mlir::attn::floatConstant(const Node *node) {
  if (node && node->kind == Node::Constant)
    if (auto attr = dyn_cast<FloatAttr>(node->attr))
      return attr.getValue();
  return std::nullopt;
}

std::optional<int64_t> mlir::attn::intConstant(const Node *node) {
  if (!node)
    return std::nullopt;
  if (node->kind == Node::Index && node->index.isConstant())
    return node->index.constant;
  if (node->kind == Node::Constant)
    if (auto attr = dyn_cast<IntegerAttr>(node->attr))
      if (attr.getValue().getSignificantBits() <= 64)
        return attr.getType().isInteger(1)
                   ? static_cast<int64_t>(attr.getValue().getZExtValue())
                   : attr.getValue().getSExtValue();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Unique nodes
//===----------------------------------------------------------------------===//

static llvm::hash_code hash(const Linear &linear) {
  llvm::hash_code code = llvm::hash_value(linear.constant);
  for (auto [atom, coefficient] : linear.terms)
    code = llvm::hash_combine(code, atom, coefficient);
  return code;
}

static size_t hash(const Node &n) {
  llvm::hash_code code = llvm::hash_combine(
      n.kind, n.type.getAsOpaquePointer(), n.value.getAsOpaquePointer(),
      n.name.getAsOpaquePointer(), n.attributes.getAsOpaquePointer(),
      hash(n.index), n.role);
  code = llvm::hash_combine(code,
                            static_cast<Attribute>(n.attr).getAsOpaquePointer(),
                            n.kind == Node::Reduce ? n.op : nullptr);
  for (const Linear &linear : n.indices)
    code = llvm::hash_combine(code, hash(linear));
  for (Node *operand : n.operands)
    code = llvm::hash_combine(code, operand);
  return code;
}

static bool same(const Node &a, const Node &b) {
  return a.kind == b.kind && a.type == b.type && a.attr == b.attr &&
         a.value == b.value && a.name == b.name &&
         a.attributes == b.attributes && a.role == b.role &&
         (a.kind != Node::Reduce || a.op == b.op) && a.index == b.index &&
         a.indices == b.indices && a.operands == b.operands;
}

Node *View::unique(Node &&node) {
  size_t code = hash(node);
  auto [begin, end] = table.equal_range(code);
  for (auto it = begin; it != end; ++it)
    if (same(*it->second, node))
      return it->second;
  node.id = nodes.size();
  nodes.push_back(std::make_unique<Node>(std::move(node)));
  table.emplace(code, nodes.back().get());
  return nodes.back().get();
}

Node *View::constant(TypedAttr value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    if (!integer.getType().isInteger(1))
      return index(Linear(integer.getValue().getSExtValue()),
                   integer.getType());
  Node node{};
  node.kind = Node::Constant;
  node.type = value.getType();
  node.attr = value;
  return unique(std::move(node));
}

Node *View::floatValue(Type type, double value) {
  return constant(FloatAttr::get(type, value));
}

Node *View::index(Linear linear, Type type) {
  Node node{};
  node.kind = Node::Index;
  node.type = type;
  node.index = std::move(linear);
  return unique(std::move(node));
}

Node *View::scalar(Value value) {
  Attribute attr;
  if (matchPattern(value, m_Constant(&attr)))
    if (auto typed = dyn_cast<TypedAttr>(attr))
      if (isa<FloatAttr, IntegerAttr>(typed))
        return constant(typed);
  Node node{};
  node.kind = Node::Scalar;
  node.type = value.getType();
  node.value = value;
  return unique(std::move(node));
}

Node *View::leaf(Value tensor, ArrayRef<Linear> indices) {
  Node node{};
  node.kind = Node::Access;
  node.type = cast<ShapedType>(tensor.getType()).getElementType();
  node.value = tensor;
  node.indices.assign(indices.begin(), indices.end());
  return unique(std::move(node));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Readings are kept nearest first: one that a chain passes before a known one
/// goes before it, those that share none go last, or first if they are
/// `nearer`.
static void addReadings(Node *node, ArrayRef<Reading> readings,
                        bool nearer = false) {
  size_t position = nearer ? 0 : node->readings.size();
  for (const Reading &reading : llvm::reverse(readings)) {
    auto *known = llvm::find_if(node->readings, [&](const Reading &other) {
      return other.tensor == reading.tensor && other.indices == reading.indices;
    });
    if (known != node->readings.end())
      position = known - node->readings.begin();
    else
      node->readings.insert(node->readings.begin() + position, reading);
  }
}

/// A constant tensor of integers that counts along its dims (an iota) as a
/// function of its indices.
static std::optional<Linear> linearTable(DenseElementsAttr elements,
                                         ArrayRef<Linear> indices) {
  auto type = dyn_cast<IntegerType>(elements.getElementType());
  ArrayRef<int64_t> shape = elements.getType().getShape();
  if (!type || type.getWidth() < 8 || type.getWidth() > 64 ||
      elements.empty() || elements.size() > int64_t(1) << 20)
    return std::nullopt;
  auto values = elements.getValues<APInt>();
  int64_t start = values[0].getSExtValue();
  SmallVector<int64_t> steps(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] > 1)
      steps[dim] = values[stride].getSExtValue() - start;
    stride *= shape[dim];
  }
  constexpr int64_t most = kMaxIndex;
  for (int64_t number : steps)
    if (number <= -most || number >= most)
      return std::nullopt;
  for (auto [flat, value] : llvm::enumerate(values)) {
    int64_t expected = start, rest = flat;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      expected += steps[dim] * (rest % shape[dim]);
    if (value.getSExtValue() != expected)
      return std::nullopt;
  }
  Linear result(start);
  for (auto [index, step] : llvm::zip_equal(indices, steps))
    result.add(index, step);
  return result;
}

Node *View::constantElement(DenseElementsAttr elements,
                            ArrayRef<Linear> indices) {
  Type type = elements.getElementType();
  if (!isa<FloatType, IntegerType, IndexType>(type))
    return nullptr;
  if (elements.isSplat())
    return constant(cast<TypedAttr>(elements.getSplatValue<Attribute>()));
  if (llvm::all_of(indices, [](const Linear &i) { return i.isConstant(); })) {
    SmallVector<uint64_t> position;
    for (const Linear &i : indices)
      position.push_back(i.constant);
    if (!ElementsAttr::isValidIndex(elements.getType(), position))
      return nullptr;
    return constant(cast<TypedAttr>(elements.getValues<Attribute>()[position]));
  }
  auto entry = [&](DenseElementsAttr values) {
    Node node{};
    node.kind = Node::Table;
    node.type = values.getElementType();
    node.attr = cast<TypedAttr>(values);
    node.indices.assign(indices.begin(), indices.end());
    return unique(std::move(node));
  };
  if (auto linear = linearTable(elements, indices))
    return index(*linear, type);
  if (!isa<FloatType>(type))
    return entry(elements);
  // Floats of two values are a choice by a table of booleans: a mask.
  auto floats = elements.getValues<llvm::APFloat>();
  llvm::APFloat first = *floats.begin(), second = first;
  SmallVector<bool> isSecond;
  for (const llvm::APFloat &value : floats) {
    if (value.bitwiseIsEqual(first)) {
      isSecond.push_back(false);
      continue;
    }
    if (second.bitwiseIsEqual(first))
      second = value;
    if (!value.bitwiseIsEqual(second))
      return entry(elements);
    isSecond.push_back(true);
  }
  auto booleans = DenseElementsAttr::get(
      elements.getType().clone(IntegerType::get(context, 1)), isSecond);
  return apply("arith.select",
               {entry(booleans), constant(FloatAttr::get(type, second)),
                constant(FloatAttr::get(type, first))},
               type);
}

/// The scalar that a structured op puts everywhere, or null.
static Value filledWith(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumReductionLoops() != 0 || !op.hasPureTensorSemantics() ||
      !isMemoryEffectFree(op))
    return nullptr;
  Value yielded = op.getBlock()->getTerminator()->getOperand(
      cast<OpResult>(tensor).getResultNumber());
  if (auto argument = dyn_cast<BlockArgument>(yielded);
      argument && argument.getOwner() == op.getBlock())
    yielded = op.getMatchingOpOperand(argument)->get();
  else if (yielded.getParentBlock() == op.getBlock() &&
           !matchPattern(yielded, m_Constant()))
    return nullptr;
  return isa<ShapedType>(yielded.getType()) ? nullptr : yielded;
}

Node *View::access(Value tensor, ArrayRef<Linear> at) {
  SmallVector<Reading> chain;
  SmallVector<Linear> indices(at);
  // A chain this long can only be a cycle, which graph regions may have.
  while (chain.size() < kMaxChain) {
    chain.push_back({tensor, indices});
    std::optional<Reading> next = follow(tensor, indices);
    if (!next)
      break;
    tensor = next->tensor;
    indices = std::move(next->indices);
  }
  Node *node = nullptr;
  DenseElementsAttr elements;
  Operation *def = tensor.getDefiningOp();
  if (matchPattern(tensor, m_Constant(&elements)))
    node = constantElement(elements, indices);
  else if (auto fill = dyn_cast_or_null<linalg::FillOp>(def))
    node = scalar(fill.value());
  else if (auto splat = dyn_cast_or_null<tensor::SplatOp>(def))
    node = scalar(splat.getInput());
  else if (auto from = dyn_cast_or_null<tensor::FromElementsOp>(def)) {
    if (from.getElements().size() == 1)
      node = scalar(from.getElements().front());
  } else if (Value padding = paddingAt(tensor, indices)) {
    node = scalar(padding);
  } else if (Value filled = filledWith(tensor)) {
    node = scalar(filled);
  } else {
    node = reduction(tensor, indices);
  }
  if (!node)
    node = leaf(tensor, indices);
  addReadings(node, chain);
  return node;
}

bool mlir::attn::isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 && isMemoryEffectFree(op) &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

Node *View::expand(Node *node) {
  if (node->kind != Node::Access || node->expanded)
    return node->expansion;
  node->expanded = true;
  Operation *def = node->value.getDefiningOp();
  if (!def)
    return nullptr;
  Node *result = nullptr;
  if (auto softmaxOp = dyn_cast<linalg::SoftmaxOp>(def)) {
    result = softmax(softmaxOp, node->indices);
  } else if (auto op = dyn_cast<linalg::LinalgOp>(def)) {
    unsigned number = cast<OpResult>(node->value).getResultNumber();
    if (op.getNumReductionLoops() == 0 && op.hasPureTensorSemantics() &&
        isMemoryEffectFree(op))
      if (auto loops = loopsOfResult(op, number, node->indices))
        result = structuredElement(
            op, op.getBlock()->getTerminator()->getOperand(number), *loops);
  } else if (isElementwise(def)) {
    SmallVector<Node *> operands;
    for (Value operand : def->getOperands())
      operands.push_back(isa<RankedTensorType>(operand.getType())
                             ? access(operand, node->indices)
                             : scalar(operand));
    result = apply(def->getName().getIdentifier(), def->getAttrDictionary(),
                   operands, node->type);
  }
  if (result) {
    // What is computed here can also be read here.
    SmallVector<Reading> readings = node->readings;
    addReadings(result, readings, /*nearer=*/true);
  }
  node->expansion = result;
  return result;
}

Node *View::full(Node *node) {
  if (node->full)
    return node->full;
  // Expressions are as deep as the chain of elementwise ops; a runaway one is
  // left as it is.
  if (depth > kMaxDepth)
    return node;
  ++depth;
  Node *result = node;
  if (node->kind == Node::Access) {
    if (Node *next = expand(node))
      result = full(next);
  } else if (node->kind == Node::Apply) {
    SmallVector<Node *> operands;
    for (Node *operand : node->operands)
      operands.push_back(full(operand));
    if (operands != node->operands) {
      if (node->value) {
        Node copy = *node;
        copy.operands = operands;
        copy.full = copy.expansion = nullptr;
        copy.readings.clear();
        result = unique(std::move(copy));
      } else {
        result =
            apply(node->name, node->attributes, operands, node->type, node->op);
      }
    }
  }
  --depth;
  if (result != node) {
    SmallVector<Reading> readings = node->readings;
    addReadings(result, readings, /*nearer=*/true);
  }
  result->full = result;
  node->full = result;
  return result;
}

//===----------------------------------------------------------------------===//
// Questions about nodes
//===----------------------------------------------------------------------===//

bool View::dependsOn(Node *node, ArrayRef<Atom> atoms) {
  return llvm::any_of(atoms, [&](Atom atom) {
    auto key = std::make_pair(node, atom);
    if (auto it = dependsMemo.find(key); it != dependsMemo.end())
      return it->second;
    bool result = space.uses(node->index, atom) ||
                  llvm::any_of(node->indices,
                               [&](const Linear &linear) {
                                 return space.uses(linear, atom);
                               }) ||
                  llvm::any_of(node->operands, [&](Node *operand) {
                    return dependsOn(operand, atom);
                  });
    return dependsMemo[key] = result;
  });
}

bool View::contains(Node *node, ArrayRef<StringRef> names) {
  SmallVector<Node *> work{node};
  DenseSet<Node *> seen;
  while (!work.empty()) {
    Node *next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (next->kind == Node::Access) {
      if (Node *expansion = expand(next))
        work.push_back(expansion);
    } else if (next->kind == Node::Apply) {
      if (llvm::is_contained(names, next->name.getValue()))
        return true;
      llvm::append_range(work, next->operands);
    }
  }
  return false;
}
