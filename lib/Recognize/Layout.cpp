//===- Layout.cpp - roles of loops, and how operands are read -------------===//
//
// Roles follow from which of Q, K, V and the result a loop indexes (O10). Each
// operand must be readable from some tensor through a projected permutation,
// after splitting and merging dims at most (O12); of all tensors that hold the
// same values, the one farthest from the match is taken, so that transposes and
// repeated heads disappear into the map.
//
//===----------------------------------------------------------------------===//
#include "Layout.h"
#include "Operand.h"

using namespace mlir;
using namespace mlir::attn;

/// The atoms of an index that runs over a slice of a dim, and where it starts.
static std::optional<std::pair<SmallVector<Atom>, int64_t>>
sliceOfDim(IndexSpace &space, const Linear &index, int64_t size) {
  Linear start(index.constant), rest = index;
  rest.constant = 0;
  auto bounds = space.range(rest);
  if (ShapedType::isDynamic(size) || !bounds || start.constant < 0 ||
      start.constant + bounds->second >= size)
    return std::nullopt;
  auto atoms = space.asMixedRadix(rest, bounds->second + 1);
  if (!atoms)
    return std::nullopt;
  return std::make_pair(*atoms, start.constant);
}

std::optional<SmallVector<SmallVector<Atom>>>
mlir::attn::dimsOfResult(IndexSpace &space, const Reading &reading,
                         SmallVectorImpl<int64_t> *offsets) {
  auto type = dyn_cast<RankedTensorType>(reading.tensor.getType());
  if (!type || type.getEncoding())
    return std::nullopt;
  SmallVector<SmallVector<Atom>> dims;
  llvm::SmallDenseSet<Atom> used;
  for (auto [index, size] : llvm::zip_equal(reading.indices, type.getShape())) {
    auto atoms = space.asMixedRadix(index, size);
    // Loops of known length say nothing of a dim of unknown size: they may run
    // over its beginning only.
    if (atoms && ShapedType::isDynamic(size) &&
        llvm::none_of(*atoms, [&](Atom atom) {
          return ShapedType::isDynamic(space.size(atom));
        }))
      return std::nullopt;
    int64_t offset = 0;
    if (!atoms && offsets)
      if (auto slice = sliceOfDim(space, index, size))
        std::tie(atoms, offset) = *slice;
    if (!atoms)
      return std::nullopt;
    for (Atom atom : *atoms)
      if (!used.insert(atom).second)
        return std::nullopt;
    dims.push_back(*atoms);
    if (offsets)
      offsets->push_back(offset);
  }
  return dims;
}

std::optional<SmallVector<SmallVector<Atom>>>
mlir::attn::dimsOfReading(IndexSpace &space, const Reading &reading,
                          SmallVectorImpl<int64_t> *offsets) {
  auto dims = dimsOfResult(space, reading, offsets);
  auto isDynamic = [&](Atom atom) {
    return ShapedType::isDynamic(space.size(atom));
  };
  // The size of one part of a dim follows from that of the dim, no more.
  if (dims && llvm::any_of(*dims, [&](ArrayRef<Atom> dim) {
        return llvm::count_if(dim, isDynamic) > 1;
      }))
    return std::nullopt;
  return dims;
}

std::optional<SmallVector<Atom>>
mlir::attn::atomsOfReading(IndexSpace &space, const Reading &reading) {
  SmallVector<int64_t> offsets;
  auto dims = dimsOfReading(space, reading, &offsets);
  if (!dims)
    return std::nullopt;
  SmallVector<Atom> atoms;
  for (ArrayRef<Atom> dim : *dims)
    llvm::append_range(atoms, dim);
  return atoms;
}

const Reading *mlir::attn::bestReading(IndexSpace &space, const Node *node,
                                       bool slices) {
  for (const Reading &reading : llvm::reverse(node->readings)) {
    SmallVector<int64_t> offsets;
    if (dimsOfReading(space, reading, slices ? &offsets : nullptr))
      return &reading;
  }
  return nullptr;
}

/// The atoms of indices; of a merged one, those of its parts.
static SmallVector<Atom> atomsOfIndices(const IndexSpace &space,
                                        ArrayRef<Linear> indices) {
  SmallVector<Atom> atoms;
  for (const Linear &index : indices) {
    SmallVector<Atom> own;
    for (auto [atom, coefficient] : index.terms)
      own.push_back(atom);
    if (own.size() == 1 && space.info(own.front()).merge)
      if (auto parts = space.asMixedRadix(index, ShapedType::kDynamic))
        own = *parts;
    for (Atom atom : own)
      if (!llvm::is_contained(atoms, atom))
        atoms.push_back(atom);
  }
  return atoms;
}

/// A sink is a constant, a scalar, or read or computed along batch and row
/// loops.
static bool checkSink(Match &match) {
  Node *sink = match.sink;
  if (!sink || sink->kind == Node::Constant || sink->kind == Node::Scalar)
    return true;
  IndexSpace &space = match.view.getSpace();
  SetVector<Node *> leaves;
  if (!collectLeaves(match.view, sink, leaves))
    return match.fail(Obligation::Layout,
                      "the sink is not read through a projected permutation");
  const Reading *reading = bestReading(space, sink, /*slices=*/true);
  for (Atom atom :
       reading ? atomsOfIndices(space, reading->indices) : atomsOf(sink))
    if (!llvm::is_contained(match.batch, atom) &&
        !llvm::is_contained(match.row, atom))
      return match.fail(
          Obligation::Roles,
          "the sink is indexed by loops other than batch and row");
  return true;
}

bool mlir::attn::matchLayout(Match &match) {
  IndexSpace &space = match.view.getSpace();
  const char *names[] = {"Q", "K", "V"};
  SmallVector<Atom> operands[3];
  Node *const nodes[] = {match.query, match.key, match.value};
  for (auto [i, node] : llvm::enumerate(nodes)) {
    if (const Reading *reading = bestReading(space, node, /*slices=*/true)) {
      operands[i] = atomsOfIndices(space, reading->indices);
      continue;
    }
    // An expression of tensors that a fused producer left behind.
    SetVector<Node *> leaves;
    if (!collectLeaves(match.view, node, leaves))
      return match.fail(Obligation::Layout,
                        Twine(names[i]) + " is not read through a projected "
                                          "permutation of whole dims");
    operands[i] = atomsOf(node);
  }
  if (match.root && !dimsOfResult(space, {match.root, match.rootIndices}))
    return match.fail(Obligation::Layout,
                      "the result is not written through a projected "
                      "permutation of whole dims");

  auto &[q, k, v] = operands;
  SmallVector<Atom> result = atomsOfIndices(space, match.rootIndices);
  auto in = [](ArrayRef<Atom> atoms, Atom atom) {
    return llvm::is_contained(atoms, atom);
  };
  for (Atom atom : result) {
    bool inQ = in(q, atom), inK = in(k, atom), inV = in(v, atom);
    if (inQ && !inK && !inV)
      match.row.push_back(atom);
    else if (!inQ && !inK && inV)
      match.value_.push_back(atom);
    else if (inQ || inK || inV)
      match.batch.push_back(atom);
    else
      return match.fail(Obligation::Roles,
                        "a loop of the result indexes none of Q, K and V");
  }
  for (Atom atom : match.keys)
    if (in(q, atom) || !in(k, atom) || !in(v, atom))
      return match.fail(Obligation::Roles,
                        "a contracted loop does not index K and V alone");
  for (Atom atom : match.depths)
    if (!in(q, atom) || !in(k, atom) || in(v, atom) || in(result, atom))
      return match.fail(Obligation::Roles,
                        "a loop of the contraction does not index Q and K "
                        "alone");
  for (ArrayRef<Atom> operand : operands)
    for (Atom atom : operand)
      if (!in(result, atom) && !in(match.keys, atom) && !in(match.depths, atom))
        return match.fail(Obligation::Roles,
                          "an operand is indexed by a loop of another op");

  // The longest row loop last: it is the one that tiles are cut along, and
  // groups of queries stay together.
  llvm::sort(match.row, [&](Atom a, Atom b) {
    auto key = [&](Atom atom) {
      int64_t size = space.size(atom);
      bool unknown = ShapedType::isDynamic(size);
      return std::make_tuple(unknown, size, llvm::find(result, atom));
    };
    return key(a) < key(b);
  });
  if (match.row.empty())
    match.row.push_back(unitRow);
  if (match.depths.empty())
    match.depths.push_back(unitDepth);
  if (match.value_.empty())
    match.value_.push_back(unitValue);
  match.setAtoms = match.batch;
  llvm::append_range(match.setAtoms, match.row);
  llvm::append_range(match.setAtoms, match.keys);

  return checkSink(match);
}
