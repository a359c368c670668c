//===- IndexSpace.cpp - loops, their factors, and linear indices ----------===//
#include "attn/Recognize/IndexSpace.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

void Linear::addTerm(Atom atom, int64_t coefficient) {
  if (coefficient == 0)
    return;
  auto *it = llvm::lower_bound(
      terms, atom, [](const auto &term, Atom a) { return term.first < a; });
  if (it == terms.end() || it->first != atom) {
    terms.insert(it, {atom, coefficient});
    return;
  }
  it->second += coefficient;
  if (it->second == 0)
    terms.erase(it);
}

void Linear::add(const Linear &other, int64_t factor) {
  constant += factor * other.constant;
  for (auto [atom, coefficient] : other.terms)
    addTerm(atom, factor * coefficient);
}

bool Linear::uses(Atom atom) const {
  return llvm::any_of(terms,
                      [&](const auto &term) { return term.first == atom; });
}

Linear IndexSpace::loop(const void *owner, unsigned number, Extent extent) {
  Key key{owner, number};
  if (auto it = loops.find(key); it != loops.end())
    return it->second;
  SmallVector<int64_t> sizes{extent.size};
  if (auto it = factors.find(key); it != factors.end())
    sizes = it->second;

  Linear index;
  int64_t stride = 1;
  SmallVector<std::pair<Atom, int64_t>> innermostFirst;
  // Atoms are numbered outermost first, so that their order is the loops'.
  SmallVector<int64_t> strides(sizes.size(), 1);
  for (int i = static_cast<int>(sizes.size()) - 1; i >= 0; --i) {
    strides[i] = stride;
    if (!ShapedType::isDynamic(sizes[i]))
      stride *= sizes[i];
  }
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (size == 1)
      continue;
    Extent own{size, extent.source, extent.dim};
    index.addTerm(atoms.size(), strides[i]);
    atoms.push_back({owner, number, static_cast<unsigned>(i), own, strides[i]});
  }
  loops[key] = index;
  return index;
}

bool IndexSpace::requestSplit(Atom atom, int64_t inner) {
  if (restart) // one at a time: atoms are numbered by the factors they had
    return false;
  const AtomInfo &a = atoms[atom];
  int64_t size = a.extent.size;
  bool dynamic = ShapedType::isDynamic(size);
  if (inner <= 1 || (!dynamic && (size % inner != 0 || size == inner)))
    return false;
  Key key{a.owner, a.loop};
  SmallVector<int64_t> &list = factors[key];
  if (list.empty())
    list.push_back(size);
  list[a.position] = dynamic ? size : size / inner;
  list.insert(list.begin() + a.position + 1, inner);
  restart = true;
  return true;
}

std::optional<std::pair<Linear, Linear>> IndexSpace::divide(const Linear &index,
                                                            int64_t divisor) {
  if (divisor <= 0)
    return std::nullopt;
  if (divisor == 1)
    return std::make_pair(index, Linear());
  Linear quotient(llvm::divideFloorSigned(index.constant, divisor));
  Linear remainder(index.constant - quotient.constant * divisor);
  for (auto [atom, coefficient] : index.terms) {
    if (coefficient % divisor == 0) {
      quotient.addTerm(atom, coefficient / divisor);
      continue;
    }
    // A factor that straddles the divisor is cut there.
    int64_t extent = size(atom);
    bool straddles = ShapedType::isDynamic(extent) ||
                     std::abs(coefficient) * (extent - 1) >= divisor;
    if (straddles) {
      if (coefficient > 0 && divisor % coefficient == 0)
        requestSplit(atom, divisor / coefficient);
      return std::nullopt;
    }
    remainder.addTerm(atom, coefficient);
  }
  std::optional<std::pair<int64_t, int64_t>> bounds = range(remainder);
  if (!bounds || bounds->first < 0 || bounds->second >= divisor)
    return std::nullopt;
  return std::make_pair(quotient, remainder);
}

std::optional<std::pair<int64_t, int64_t>>
IndexSpace::range(const Linear &index) const {
  int64_t low = index.constant, high = index.constant;
  for (auto [atom, coefficient] : index.terms) {
    int64_t extent = size(atom);
    if (ShapedType::isDynamic(extent) || extent <= 0)
      return std::nullopt;
    (coefficient > 0 ? high : low) += coefficient * (extent - 1);
  }
  return std::make_pair(low, high);
}

std::optional<SmallVector<Atom>> IndexSpace::asMixedRadix(const Linear &index,
                                                          int64_t size) const {
  if (index.constant != 0)
    return std::nullopt;
  auto terms = index.terms;
  llvm::sort(terms,
             [](const auto &a, const auto &b) { return a.second > b.second; });
  SmallVector<Atom> result;
  int64_t stride = 1;
  for (auto [atom, coefficient] : llvm::reverse(terms)) {
    if (coefficient != stride)
      return std::nullopt;
    // Only the outermost factor may be of unknown size.
    int64_t extent = this->size(atom);
    if (ShapedType::isDynamic(extent)) {
      if (result.size() + 1 != terms.size())
        return std::nullopt;
      stride = ShapedType::kDynamic;
    } else {
      stride *= extent;
    }
    result.push_back(atom);
  }
  // Where one side is unknown, the ops that relate the two demand equality.
  if (!ShapedType::isDynamic(stride) && !ShapedType::isDynamic(size) &&
      stride != size)
    return std::nullopt;
  std::reverse(result.begin(), result.end());
  return result;
}

void IndexSpace::reset() {
  loops.clear();
  atoms.clear();
  restart = false;
}
