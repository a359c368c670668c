//===- ViewScalar.cpp - scalar ops on nodes, simplified -------------------===//
//
// Index arithmetic becomes linear functions, comparisons that the extents
// decide become constants (so that exporters' fix-ups of negative indices
// vanish), ops on constants are folded, neutral operands dropped. Every rule
// here is exact, but for the sign of a zero.
//
//===----------------------------------------------------------------------===//
#include "Thresholds.h"
#include "attn/Recognize/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using llvm::APFloat;

Node *View::apply(StringRef name, ArrayRef<Node *> operands, Type type) {
  return apply(StringAttr::get(context, name), DictionaryAttr::get(context),
               operands, type);
}

Node *View::apply(StringAttr name, DictionaryAttr attributes,
                  ArrayRef<Node *> operands, Type type, Operation *prototype) {
  for (Node *operand : operands)
    if (!operand)
      return nullptr;
  if (Node *simple = fold(name, attributes, operands, type, prototype))
    return simple;
  Node node{};
  node.kind = Node::Apply;
  node.type = type;
  node.name = name;
  // How fast the arithmetic may be is no part of what is computed.
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attr : attributes)
    if (attr.getName() != "fastmath" && attr.getName() != "overflowFlags")
      kept.push_back(attr);
  node.attributes = DictionaryAttr::get(context, kept);
  node.operands.assign(operands.begin(), operands.end());
  node.op = prototype;
  return unique(std::move(node));
}

/// Linear index arithmetic.
static std::optional<Linear> foldLinear(StringRef name,
                                        ArrayRef<Node *> operands) {
  auto isIndex = [](Node *n) { return n->kind == Node::Index; };
  if (!llvm::all_of(operands, isIndex))
    return std::nullopt;
  if (name == "arith.index_cast" || name == "arith.index_castui" ||
      name == "arith.extsi" || name == "arith.extui" || name == "arith.trunci")
    return operands[0]->index;
  if (operands.size() != 2)
    return std::nullopt;
  Linear a = operands[0]->index, b = operands[1]->index;
  // What cannot be added or multiplied here would wrap around there too.
  constexpr int64_t kMost = kMaxIndex;
  auto isSmall = [](int64_t value) { return -kMost < value && value < kMost; };
  auto small = [&](const Linear &linear) {
    return isSmall(linear.constant) &&
           llvm::all_of(linear.terms,
                        [&](const auto &term) { return isSmall(term.second); });
  };
  if (!small(a) || !small(b))
    return std::nullopt;
  if (name == "arith.addi") {
    a.add(b);
    return a;
  }
  if (name == "arith.subi") {
    a.add(b, -1);
    return a;
  }
  if (name == "arith.muli") {
    if (!b.isConstant())
      std::swap(a, b);
    if (!b.isConstant())
      return std::nullopt;
    Linear product;
    product.add(a, b.constant);
    return product;
  }
  return std::nullopt;
}

/// True if no value of the index wraps around in the type (extui and trunci
/// included). A dim of unknown size is taken to have fewer than 2^30 elements,
/// of which `assumed` tells.
static bool fits(const IndexSpace &space, const Linear &index, Type type,
                 bool &assumed) {
  unsigned width = isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
  if (width > 64)
    return false;
  __int128 low = index.constant, high = index.constant;
  for (auto [atom, coefficient] : index.terms) {
    int64_t extent = space.size(atom);
    if (ShapedType::isDynamic(extent)) {
      if (width < 32)
        return false;
      extent = kMaxIndex;
      assumed |= width < 64;
    }
    (coefficient > 0 ? high : low) +=
        static_cast<__int128>(coefficient) * std::max<int64_t>(extent - 1, 0);
  }
  __int128 limit = static_cast<__int128>(1) << (width - 1);
  return low >= -limit && high < limit;
}

static std::optional<bool> compare(arith::CmpIPredicate predicate, int64_t low,
                                   int64_t high) {
  // Of a difference in [low, high]; null if it is not decided.
  auto decide = [](bool yes, bool no) -> std::optional<bool> {
    if (yes)
      return true;
    return no ? std::optional<bool>(false) : std::nullopt;
  };
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return decide(low == 0 && high == 0, low > 0 || high < 0);
  case P::ne:
    return decide(low > 0 || high < 0, low == 0 && high == 0);
  case P::slt:
    return decide(high < 0, low >= 0);
  case P::sle:
    return decide(high <= 0, low > 0);
  case P::sgt:
    return decide(low > 0, high <= 0);
  case P::sge:
    return decide(low >= 0, high < 0);
  default:
    return std::nullopt;
  }
}

static std::optional<APFloat> foldFloat(StringRef name, const APFloat &a,
                                        const APFloat &b) {
  APFloat result = a;
  auto nearest = APFloat::rmNearestTiesToEven;
  if (name == "arith.addf")
    result.add(b, nearest);
  else if (name == "arith.subf")
    result.subtract(b, nearest);
  else if (name == "arith.mulf")
    result.multiply(b, nearest);
  else if (name == "arith.divf")
    result.divide(b, nearest);
  else if (name == "arith.maximumf")
    result = llvm::maximum(a, b);
  else if (name == "arith.minimumf")
    result = llvm::minimum(a, b);
  else
    return std::nullopt;
  return result;
}

static bool compareFloats(arith::CmpFPredicate predicate, const APFloat &a,
                          const APFloat &b) {
  APFloat::cmpResult order = a.compare(b);
  bool unordered = order == APFloat::cmpUnordered;
  bool less = order == APFloat::cmpLessThan;
  bool greater = order == APFloat::cmpGreaterThan;
  bool equal = order == APFloat::cmpEqual;
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::OEQ:
    return equal;
  case P::OGT:
    return greater;
  case P::OGE:
    return greater || equal;
  case P::OLT:
    return less;
  case P::OLE:
    return less || equal;
  case P::ONE:
    return less || greater;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return equal || unordered;
  case P::UGT:
    return greater || unordered;
  case P::UGE:
    return greater || equal || unordered;
  case P::ULT:
    return less || unordered;
  case P::ULE:
    return less || equal || unordered;
  case P::UNE:
    return !equal;
  case P::UNO:
    return unordered;
  }
  llvm_unreachable("all predicates are listed");
}

/// An op on constants only. Common ops are computed here, the others by their
/// own folder, on a copy, because a folder may change the op in place.
static TypedAttr foldConstants(StringRef name, DictionaryAttr attributes,
                               ArrayRef<Node *> operands, Type type,
                               Operation *prototype) {
  auto a = floatConstant(operands[0]);
  auto b = operands.size() == 2 ? floatConstant(operands[1]) : std::nullopt;
  if (a && b)
    if (auto result = foldFloat(name, *a, *b))
      return FloatAttr::get(type, *result);
  if (a && (name == "arith.extf" || name == "arith.truncf")) {
    bool ignored;
    APFloat result = *a;
    result.convert(cast<FloatType>(type).getFloatSemantics(),
                   APFloat::rmNearestTiesToEven, &ignored);
    return FloatAttr::get(type, result);
  }
  if (a && name == "arith.negf")
    return FloatAttr::get(type, -*a);
  if (a && b && name == "arith.cmpf") {
    auto predicate =
        cast<arith::CmpFPredicateAttr>(attributes.get("predicate"));
    return BoolAttr::get(type.getContext(),
                         compareFloats(predicate.getValue(), *a, *b));
  }
  if (auto integer = intConstant(operands[0]);
      integer && (name == "arith.sitofp" || name == "arith.uitofp")) {
    if (name == "arith.sitofp" && operands[0]->type.isInteger(1))
      integer = -*integer;
    APFloat result(cast<FloatType>(type).getFloatSemantics());
    result.convertFromAPInt(llvm::APInt(64, *integer, true), true,
                            APFloat::rmNearestTiesToEven);
    return FloatAttr::get(type, result);
  }
  if (!prototype)
    return nullptr;
  SmallVector<Attribute> values;
  for (Node *operand : operands) {
    if (operand->kind == Node::Constant)
      values.push_back(operand->attr);
    else
      values.push_back(
          IntegerAttr::get(operand->type, operand->index.constant));
  }
  Operation *copy = prototype->clone();
  SmallVector<OpFoldResult> results;
  LogicalResult folded = copy->fold(values, results);
  copy->destroy();
  if (failed(folded) || results.size() != 1)
    return nullptr;
  auto attr = dyn_cast<Attribute>(results.front());
  if (!attr || !isa<FloatAttr, IntegerAttr>(attr))
    return nullptr;
  return cast<TypedAttr>(attr);
}

/// The comparison that says the same of numbers that are not negative.
static arith::CmpIPredicate signedForm(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::ult:
    return P::slt;
  case P::ule:
    return P::sle;
  case P::ugt:
    return P::sgt;
  case P::uge:
    return P::sge;
  default:
    return predicate;
  }
}

/// True for a function of loops that is not negative, however long they are.
static bool isNonnegative(const Node *node) {
  return node->kind == Node::Index && node->index.constant >= 0 &&
         llvm::all_of(node->index.terms,
                      [](const auto &term) { return term.second > 0; });
}

Node *View::fold(StringRef name, DictionaryAttr attributes,
                 ArrayRef<Node *> operands, Type type, Operation *prototype) {
  if (auto linear = foldLinear(name, operands)) {
    auto range = space.range(*linear);
    bool nonnegative = range && range->first >= 0;
    bool assumed = false;
    if (fits(space, *linear, type, assumed) &&
        ((name != "arith.extui" && name != "arith.index_castui") ||
         nonnegative)) {
      smallIntegers |= assumed;
      return index(*linear, type);
    }
  }
  if (name == "arith.cmpi" && operands[0]->type.isInteger(1)) {
    auto predicate =
        cast<arith::CmpIPredicateAttr>(attributes.get("predicate")).getValue();
    bool equal = predicate == arith::CmpIPredicate::eq;
    auto right = intConstant(operands[1]);
    if (right && (equal || predicate == arith::CmpIPredicate::ne))
      return apply("arith.xori",
                   {operands[0],
                    constant(BoolAttr::get(context, (*right != 0) != equal))},
                   type);
  }
  if (name == "arith.cmpi" && isNonnegative(operands[0]) &&
      isNonnegative(operands[1])) {
    auto predicate =
        cast<arith::CmpIPredicateAttr>(attributes.get("predicate")).getValue();
    if (signedForm(predicate) != predicate) {
      NamedAttrList list(attributes);
      list.set("predicate",
               arith::CmpIPredicateAttr::get(context, signedForm(predicate)));
      return apply(StringAttr::get(context, name), list.getDictionary(context),
                   operands, type);
    }
  }
  if (name == "arith.cmpi" && operands[0]->kind == Node::Index &&
      operands[1]->kind == Node::Index) {
    auto predicate =
        cast<arith::CmpIPredicateAttr>(attributes.get("predicate")).getValue();
    Linear difference = operands[0]->index;
    difference.add(operands[1]->index, -1);
    if (auto range = space.range(difference))
      if (auto known = compare(predicate, range->first, range->second))
        return constant(BoolAttr::get(context, *known));
  }
  auto isConstant = [](Node *n) {
    return n->kind == Node::Constant ||
           (n->kind == Node::Index && n->index.isConstant());
  };
  if (!operands.empty() && llvm::all_of(operands, isConstant))
    if (TypedAttr attr =
            foldConstants(name, attributes, operands, type, prototype))
      return constant(attr);

  if (name == "arith.select") {
    if (auto condition = intConstant(operands[0]))
      return *condition ? operands[1] : operands[2];
    if (operands[1] == operands[2])
      return operands[1];
    // A choice between booleans is logic.
    if (type.isInteger(1)) {
      auto yes = intConstant(operands[1]), no = intConstant(operands[2]);
      if (yes && no)
        return *yes ? operands[0]
                    : apply(
                          "arith.xori",
                          {operands[0], constant(BoolAttr::get(context, true))},
                          type);
    }
    return nullptr;
  }
  if (operands.size() != 2)
    return nullptr;
  Node *a = operands[0], *b = operands[1];
  if (type.isInteger(1) &&
      (name == "arith.andi" || name == "arith.ori" || name == "arith.xori")) {
    if (intConstant(a))
      std::swap(a, b);
    auto known = intConstant(b);
    if (a == b && name != "arith.xori")
      return a;
    if (known && name == "arith.andi")
      return *known ? a : b;
    if (known && name == "arith.ori")
      return *known ? b : a;
    if (known && *known == 0)
      return a;
    // not not a
    if (known && a->is("arith.xori"))
      if (auto inner = intConstant(a->operands[1]); inner && *inner == 1)
        return a->operands[0];
    return nullptr;
  }
  auto isFloat = [](Node *n, double value) {
    auto constant = floatConstant(n);
    return constant && constant->convertToDouble() == value;
  };
  if (name == "arith.addf" && isFloat(b, 0.0))
    return a;
  if (name == "arith.addf" && isFloat(a, 0.0))
    return b;
  if (name == "arith.subf" && isFloat(b, 0.0))
    return a;
  if ((name == "arith.mulf" || name == "arith.divf") && isFloat(b, 1.0))
    return a;
  if (name == "arith.mulf" && isFloat(a, 1.0))
    return b;
  if (name == "arith.maximumf" || name == "arith.maxnumf") {
    if (isFloat(b, -INFINITY))
      return a;
    if (isFloat(a, -INFINITY))
      return b;
  }
  return nullptr;
}
