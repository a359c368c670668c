//===- VisibleRows.cpp - has every row a visible key? ---------------------===//
#include "attn/IR/VisibleRows.h"
#include "attn/IR/Roles.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Analysis/Presburger/PresburgerRelation.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::presburger;

bool mlir::attn::everyRowSeesKey(ArrayAttr visible, ArrayRef<int64_t> sizes,
                                 unsigned keys) {
  if (llvm::is_contained(sizes, 0))
    return false;
  if (!visible)
    return true;
  unsigned count = sizes.size(), rows = count - keys;
  // The sizes are symbols: known, or at least one.
  auto bound = [&](IntegerPolyhedron &set, unsigned dims) {
    for (unsigned i = 0; i < count; ++i) {
      unsigned symbol = set.getVarKindOffset(VarKind::Symbol) + i;
      if (ShapedType::isDynamic(sizes[i]))
        set.addBound(BoundType::LB, symbol, 1);
      else
        set.addBound(BoundType::EQ, symbol, sizes[i]);
      if (i >= dims)
        continue;
      set.addBound(BoundType::LB, i, 0);
      SmallVector<int64_t> below(set.getNumCols(), 0); // size - 1 - i >= 0
      below[symbol] = 1;
      below[i] = -1;
      below.back() = -1;
      set.addInequality(below);
    }
  };
  // What is left of all rows without those that a set shows some key.
  IntegerPolyhedron all(PresburgerSpace::getSetSpace(rows, count));
  bound(all, rows);
  PresburgerSet rest(all);
  for (Attribute attr : visible) {
    FlatLinearValueConstraints set(cast<IntegerSetAttr>(attr).getValue());
    if (set.getNumSymbolVars() != count)
      return false;
    bound(set, count);
    IntegerPolyhedron points(set);
    points.convertToLocal(VarKind::SetDim, rows, count);
    rest = PresburgerSet(rest.subtract(PresburgerSet(points)));
  }
  return rest.isIntegerEmpty();
}

bool mlir::attn::everyRowSeesKey(ScoreOpInterface op) {
  if (op.getBlocks() || !op.getMixedOrigin().empty() ||
      !op.getMixedExtents().empty())
    return false;
  Roles roles = inferRoles(op);
  SmallVector<int64_t> local = staticSizes(op), sizes;
  SmallVector<unsigned> dims = roles.setDims();
  if (!llvm::is_sorted(dims, [&](unsigned x, unsigned y) {
        return roles.ofDim[x] != Role::Key && roles.ofDim[y] == Role::Key;
      }))
    return false;
  for (unsigned dim : dims)
    sizes.push_back(local[dim]);
  return everyRowSeesKey(op.getVisibleAttr(), sizes, roles.key.size());
}
