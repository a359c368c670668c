//===- Backward.cpp - the kernels of a backward ---------------------------===//
//
//     row terms     D = rowsum(dO . O) - dlse and P's exponent, per row
//     dQ            owner rows
//     dK, dV        owner keys; two kernels where registers do not hold both,
//                   or where they are summed over different batch dims
//     d sink, d extras   sums over points (PointSums.h)
//
// Every gradient is written by one kernel, and every sum in it has one order.
// Unless the tiling allows atomics: then dQ has no sweep of its own, but is
// added up by the kernel of dK, between two small ones (RowGradient.h).
//
//===----------------------------------------------------------------------===//
#include "Backward.h"
#include "BackwardKernel.h"
#include "PointSums.h"
#include "Requirements.h"
#include "attn/CostModel/Sweeps.h"
#include "attn/Tile/CostQuery.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::attn;

/// Batch dims that a gradient's operand lacks.
static SmallVector<unsigned> summedDims(AttentionBackwardOp op,
                                        unsigned gradient) {
  AffineMap map = op.getMapOf(op.getGradsMutable()[gradient]);
  SmallVector<unsigned> dims;
  for (unsigned dim : inferRoles(op).batch)
    if (!llvm::is_contained(map.getResults(),
                            getAffineDimExpr(dim, op.getContext())))
      dims.push_back(dim);
  return dims;
}

static int64_t columnsOf(ArrayRef<unsigned> dims, ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (unsigned dim : dims)
    product *= sizes[dim];
  return product;
}

/// One kernel for dK and dV?
static bool fitsTogether(AttentionBackwardOp op) {
  Roles roles = inferRoles(op);
  SmallVector<int64_t> sizes = staticSizes(op);
  return ::attn::holdsKeySums(columnsOf(roles.depth, sizes),
                              columnsOf(roles.value, sizes),
                              fromAttribute(*op.getTiling()));
}

static SmallVector<std::pair<StringRef, BackwardTask>>
tasksOf(AttentionBackwardOp op, bool atomics) {
  SmallVector<unsigned> key = summedDims(op, 1), value = summedDims(op, 2);
  SmallVector<std::pair<StringRef, BackwardTask>> tasks;
  if (!atomics)
    tasks.push_back({"_dq", {Owner::Rows, true, false, summedDims(op, 0)}});
  if (key == value && fitsTogether(op)) {
    tasks.push_back({"_dkv", {Owner::Keys, true, true, key}});
    return tasks;
  }
  tasks.push_back({"_dk", {Owner::Keys, true, false, key}});
  tasks.push_back({"_dv", {Owner::Keys, false, true, value}});
  return tasks;
}

FailureOr<unsigned> mlir::attn::lowerBackward(AttentionBackwardOp op,
                                              const ::attn::Target &target) {
  if (failed(checkRequirements(op, target)))
    return failure();
  std::string name = kernelStem(op);
  bool raw = Scores::keepsRaw(op, !op.getHidden().isSkip());
  int64_t block = 1;
  for (int64_t size : op.getTiling()->getQueryBlock())
    block *= size;
  RowTerms terms = computeRowTerms(op, target, name + "_row_terms", raw,
                                   llvm::alignTo(block, 16));
  unsigned kernels = 1;
  std::optional<RowGradient> sums;
  if (usesAtomics(*op.getTiling()))
    sums = zeroRowGradient(op, target, name + "_dq_zero");
  for (auto &[suffix, task] : tasksOf(op, sums.has_value())) {
    BackwardKernel kernel(op, target, (name + suffix).str(), task, terms);
    if (sums && task.own)
      kernel.addRowGradient(*sums);
    kernel.build();
    ++kernels;
  }
  if (sums) {
    finishRowGradient(op, target, name + "_dq", *sums);
    kernels += 2;
  }
  if (op.getSink()) {
    sumSinkGradient(op, target, name + "_dsink", terms, raw);
    ++kernels;
  }
  for (unsigned i = 0; i < op.getDifferentiate().size(); ++i) {
    std::string extra =
        name + "_dextra" + std::to_string(op.getDifferentiate()[i]);
    sumExtraGradient(op, target, extra, terms, i);
    ++kernels;
  }
  KernelEmit host(op.getLoc(), op);
  freeRowTerms(host, terms);
  op.erase();
  return kernels;
}
