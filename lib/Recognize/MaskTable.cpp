//===- MaskTable.cpp - constant masks as affine sets ----------------------===//
//
// A constant tensor of booleans is read from its values: where they are true is
// a band (bounds on either index and on their difference), or all but a band.
//
//===----------------------------------------------------------------------===//
#include "Mask.h"
#include "Thresholds.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// A boolean table over at most two atoms, as a matrix.
struct Matrix {
  SmallVector<Atom> atoms; // 1 or 2
  SmallVector<int64_t> sizes;
  std::vector<bool> values;
  bool at(int64_t i, int64_t j) const {
    return values[i * (sizes.size() > 1 ? sizes[1] : 1) + j];
  }
};
} // namespace

static std::optional<Matrix> readTable(View &view, Node *table) {
  auto elements = cast<DenseElementsAttr>(table->attr);
  Matrix matrix;
  for (const Linear &index : table->indices)
    for (auto [atom, coefficient] : index.terms)
      if (!llvm::is_contained(matrix.atoms, atom)) {
        matrix.atoms.push_back(atom);
        matrix.sizes.push_back(view.getSpace().size(atom));
      }
  if (matrix.atoms.empty() || matrix.atoms.size() > 2 ||
      llvm::is_contained(matrix.sizes, ShapedType::kDynamic))
    return std::nullopt;
  ArrayRef<int64_t> shape = elements.getType().getShape();
  int64_t total =
      matrix.sizes[0] * (matrix.sizes.size() > 1 ? matrix.sizes[1] : 1);
  if (total > kMaxTable)
    return std::nullopt;
  auto values = elements.getValues<bool>();
  matrix.values.resize(total);
  for (int64_t point = 0; point < total; ++point) {
    int64_t columns = matrix.sizes.size() > 1 ? matrix.sizes[1] : 1;
    int64_t coordinate[2] = {point / columns, point % columns};
    int64_t flat = 0;
    for (auto [index, size] : llvm::zip_equal(table->indices, shape)) {
      int64_t position = index.constant;
      for (auto [atom, coefficient] : index.terms)
        position += coefficient * coordinate[atom == matrix.atoms[0] ? 0 : 1];
      if (position < 0 || position >= size)
        return std::nullopt;
      flat = flat * size + position;
    }
    matrix.values[point] = values[flat];
  }
  return matrix;
}

/// The points with the given value as one conjunction of bounds on i, j and
/// j - i, with as few bounds as will do; nothing if they are no such set.
static std::optional<Conjunction> fitBand(const Matrix &matrix, bool wanted) {
  int64_t rows = matrix.sizes[0];
  int64_t columns = matrix.sizes.size() > 1 ? matrix.sizes[1] : 1;
  constexpr int64_t none = std::numeric_limits<int64_t>::max();
  // Bounds: value = sign * f(i, j) + slack >= 0 for f in {j - i, j, i}.
  struct Bound {
    int64_t ofI, ofJ, slack = none;
  } bounds[] = {{1, -1}, {-1, 1}, {0, -1}, {0, 1}, {-1, 0}, {1, 0}};
  bool any = false;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      if (matrix.at(i, j) == wanted) {
        any = true;
        for (Bound &b : bounds) {
          int64_t slack = -(b.ofI * i + b.ofJ * j);
          b.slack = b.slack == none ? slack : std::max(b.slack, slack);
        }
      }
  if (!any)
    return std::nullopt; // empty: no conjunction is needed, the caller knows
  unsigned used = 0x3f;
  auto exact = [&](unsigned mask) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        bool inside = true;
        for (auto [k, b] : llvm::enumerate(bounds))
          if (mask >> k & 1)
            inside &= b.ofI * i + b.ofJ * j + b.slack >= 0;
        if (inside != (matrix.at(i, j) == wanted))
          return false;
      }
    return true;
  };
  if (!exact(used))
    return std::nullopt;
  // Bounds on one index are dropped last: j - i says more.
  for (int k : {5, 4, 3, 2, 1, 0})
    if (exact(used & ~(1u << k)))
      used &= ~(1u << k);
  Conjunction result;
  for (auto [k, b] : llvm::enumerate(bounds)) {
    if (!(used >> k & 1))
      continue;
    Linear linear(b.slack);
    linear.addTerm(matrix.atoms[0], b.ofI);
    if (matrix.atoms.size() > 1)
      linear.addTerm(matrix.atoms[1], b.ofJ);
    result.push_back({Affine(linear), false});
  }
  return result;
}

std::optional<Disjunction> mlir::attn::fitTable(View &view, Node *table,
                                                bool negate) {
  if (!table->type.isInteger(1))
    return std::nullopt;
  auto matrix = readTable(view, table);
  if (!matrix)
    return std::nullopt;
  bool wanted = !negate;
  if (!llvm::is_contained(matrix->values, wanted))
    return Disjunction{};
  if (auto band = fitBand(*matrix, wanted))
    return Disjunction{*band};
  auto outside = fitBand(*matrix, !wanted);
  if (!outside)
    return std::nullopt;
  Disjunction result;
  for (const Constraint &c : *outside) {
    Affine opposite(Linear(-1));
    opposite.add(c.value, -1);
    result.push_back({{opposite, false}});
  }
  return result;
}
