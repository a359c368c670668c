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

bool IndexSpace::uses(const Linear &index, Atom atom) const {
  return llvm::any_of(index.terms, [&](const auto &term) {
    if (term.first == atom)
      return true;
    std::optional<unsigned> merge = atoms[term.first].merge;
    return merge &&
           llvm::any_of(merges[*merge].first.parts,
                        [&](const Linear &part) { return uses(part, atom); });
  });
}

Linear IndexSpace::loop(const void *owner, unsigned number, Extent extent) {
  Key key{owner, number};
  if (auto it = loops.find(key); it != loops.end())
    return it->second;
  if (auto it = partitions.find(key); it != partitions.end()) {
    SmallVector<Linear> parts;
    for (auto [i, size] : llvm::enumerate(it->second)) {
      Extent own{size.constant().value_or(ShapedType::kDynamic)};
      if (size.factor == 1 && size.unknowns.size() == 1 &&
          size.unknowns.front().dim >= 0)
        own = {own.size, size.unknowns.front().value,
               static_cast<unsigned>(size.unknowns.front().dim)};
      AtomInfo info{owner, number, static_cast<unsigned>(i), own};
      info.whole = true;
      parts.emplace_back().addTerm(atoms.size(), 1);
      atoms.push_back(info);
    }
    return loops[key] = merged(parts, it->second);
  }
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
  if (a.merge || a.whole || inner <= 1 ||
      (!dynamic && (size % inner != 0 || size == inner)))
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

void IndexSpace::requestPartition(const Linear &index, ArrayRef<Size> sizes) {
  if (restart || index.terms.size() != 1 || index.constant != 0 ||
      index.terms.front().second != 1)
    return;
  const AtomInfo &a = atoms[index.terms.front().first];
  Key key{a.owner, a.loop};
  if (a.merge || a.whole || !ShapedType::isDynamic(a.extent.size) ||
      factors.count(key))
    return;
  SmallVector<Size> &parts = partitions[key];
  for (const Size &size : sizes)
    if (!size.isOne())
      parts.push_back(size);
  restart = true;
}

const Merge *IndexSpace::mergeOf(const Linear &index) const {
  if (index.terms.size() != 1 || index.constant != 0 ||
      index.terms.front().second != 1)
    return nullptr;
  std::optional<unsigned> merge = atoms[index.terms.front().first].merge;
  return merge ? &merges[*merge].first : nullptr;
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
  if (const Merge *merge = mergeOf(index)) {
    SmallVector<Atom> result;
    for (auto [part, length] : llvm::zip_equal(merge->parts, merge->sizes)) {
      auto atoms =
          asMixedRadix(part, length.constant().value_or(ShapedType::kDynamic));
      if (!atoms)
        return std::nullopt;
      llvm::append_range(result, *atoms);
    }
    return ShapedType::isDynamic(size) ? std::optional(result) : std::nullopt;
  }
  auto terms = index.terms;
  llvm::sort(terms,
             [](const auto &a, const auto &b) { return a.second > b.second; });
  SmallVector<Atom> result;
  int64_t stride = 1;
  for (auto [atom, coefficient] : llvm::reverse(terms)) {
    if (coefficient != stride || atoms[atom].merge)
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

/// Neighbouring dims of known size as one part, dims of one step left out.
static Merge partsOf(ArrayRef<Linear> indices, ArrayRef<Size> sizes) {
  Merge merge;
  bool known = false; // whether the last part is of known size
  for (auto [index, size] : llvm::zip_equal(indices, sizes)) {
    if (size.isOne())
      continue;
    if (known && size.constant()) {
      Linear joined;
      joined.add(merge.parts.back(), *size.constant());
      joined.add(index);
      merge.parts.back() = joined;
      merge.sizes.back().factor *= *size.constant();
      continue;
    }
    merge.parts.push_back(index);
    merge.sizes.push_back(size);
    known = size.constant().has_value();
  }
  return merge;
}

Linear IndexSpace::merged(ArrayRef<Linear> indices, ArrayRef<Size> sizes) {
  Merge merge = partsOf(indices, sizes);
  if (merge.parts.empty())
    return Linear();
  if (merge.parts.size() == 1)
    return merge.parts.front();
  Linear index;
  if (merge.parts.size() == 2 && merge.sizes[1].constant()) {
    index.add(merge.parts[0], *merge.sizes[1].constant());
    index.add(merge.parts[1]);
    return index;
  }
  for (const auto &[known, atom] : merges)
    if (known.parts == merge.parts && known.sizes == merge.sizes) {
      index.addTerm(atom, 1);
      return index;
    }
  AtomInfo info{nullptr, 0, 0, Extent{ShapedType::kDynamic}};
  info.merge = merges.size();
  index.addTerm(atoms.size(), 1);
  merges.push_back({std::move(merge), static_cast<Atom>(atoms.size())});
  atoms.push_back(info);
  return index;
}

/// Of dims of which at most the outermost is of unknown size.
bool IndexSpace::splitKnown(Linear index, ArrayRef<Size> sizes,
                            MutableArrayRef<Linear> result) {
  // The outermost dim that is not 1 takes what is left over, whatever its size.
  size_t outer = 0;
  while (outer + 1 < sizes.size() && sizes[outer].isOne())
    ++outer;
  for (size_t i = sizes.size(); i-- > outer + 1;) {
    auto parts = divide(index, *sizes[i].constant());
    if (!parts)
      return false;
    result[i] = parts->second;
    index = parts->first;
  }
  if (!sizes.empty())
    result[outer] = index;
  return true;
}

bool IndexSpace::split(const Linear &index, ArrayRef<Size> sizes,
                       MutableArrayRef<Linear> result) {
  auto unknown = [](const Size &size) { return !size.constant(); };
  const Size *outer =
      llvm::find_if(sizes, [](const Size &size) { return !size.isOne(); });
  if (outer == sizes.end() || std::none_of(outer + 1, sizes.end(), unknown))
    return splitKnown(index, sizes, result);
  // Only a merge of the same parts can be undone.
  SmallVector<Linear> unused(sizes.size());
  SmallVector<Size> wanted = partsOf(unused, sizes).sizes;
  SmallVector<Linear> parts;
  if (wanted.size() == 1) { // beside dims of one step
    parts.push_back(index);
  } else {
    const Merge *merge = mergeOf(index);
    if (!merge || merge->sizes != wanted) {
      requestPartition(index, sizes);
      return false;
    }
    parts = merge->parts;
  }
  size_t part = 0;
  for (size_t begin = 0; begin < sizes.size();) {
    if (sizes[begin].isOne()) {
      ++begin;
      continue;
    }
    size_t end = begin + 1;
    if (!unknown(sizes[begin]))
      while (end < sizes.size() && !unknown(sizes[end]))
        ++end;
    if (!splitKnown(parts[part++], sizes.slice(begin, end - begin),
                    result.slice(begin, end - begin)))
      return false;
    begin = end;
  }
  return true;
}

void IndexSpace::reset() {
  loops.clear();
  atoms.clear();
  merges.clear();
  restart = false;
}
