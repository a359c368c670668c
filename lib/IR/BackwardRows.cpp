//===- BackwardRows.cpp - what the backward does once per row -------------===//
//
// Beside the points of rows and keys the backward has a few steps over rows
// alone: D, the sink's gradient, and the rounding of each finished gradient.
//
//===----------------------------------------------------------------------===//
#include "DecomposeImpl.h"
#include "attn/IR/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::decompose;

Value mlir::attn::emitRounded(OpBuilder &b, Location loc, Value value,
                              Value destination) {
  Type type = getElementTypeOrSelf(destination);
  unsigned rank = cast<ShapedType>(value.getType()).getRank();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> types(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, TypeRange{destination.getType()}, value, destination,
             ArrayRef<AffineMap>{identity, identity}, types,
             [&](OpBuilder &n, Location at, ValueRange args) {
               Value out = convertFloat(n, at, args[0], type);
               linalg::YieldOp::create(n, at, out);
             })
      .getResult(0);
}

Value decompose::emitSum(GenericBuilder &build, ArrayRef<unsigned> dims,
                         Value value, AffineMap from, AffineMap to,
                         Value start) {
  return build.generic(
      dims, value, from, start, to,
      [](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
        return SmallVector<Value>{
            arith::AddFOp::create(n, at, args[1], args[0])};
      })[0];
}

Value mlir::attn::emitDelta(OpBuilder &b, AttentionBackwardOp op) {
  SmallVector<OpFoldResult> sizes = iterationSizes(b, op);
  GenericBuilder build(b, op.getLoc(), sizes);
  Type type = accumulateType(op);
  Roles roles = inferRoles(op);
  AffineMap lseMap = op.getMapOf(op.getLseMutable());
  AffineMap outputMap = op.getMapOf(op.getOutputMutable());
  SmallVector<unsigned> dims = stateDims(roles);
  llvm::append_range(dims, roles.value);
  llvm::sort(dims);
  // -dlse is where the sum starts.
  Value start = build.filled(lseMap, type, 0.0);
  if (op.getLseGrad())
    start = build.generic(
        dimsOf(lseMap), op.getLseGrad(), lseMap, build.empty(lseMap, type),
        lseMap,
        [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value grad = convertFloat(n, at, args[0], type);
          return SmallVector<Value>{arith::NegFOp::create(n, at, grad)};
        })[0];
  return build.generic(
      dims, {op.getOutputGrad(), op.getOutput()}, {outputMap, outputMap}, start,
      lseMap,
      [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
        Value product =
            arith::MulFOp::create(n, at, convertFloat(n, at, args[0], type),
                                  convertFloat(n, at, args[1], type));
        // In any order: the sum of a row may run in several vectors.
        return SmallVector<Value>{arith::AddFOp::create(
            n, at, args[2], product, arith::FastMathFlags::reassoc)};
      })[0];
}

Value mlir::attn::emitSinkGradient(OpBuilder &b, AttentionBackwardOp op,
                                   Value delta) {
  SmallVector<OpFoldResult> sizes = iterationSizes(b, op);
  GenericBuilder build(b, op.getLoc(), sizes);
  Location loc = op.getLoc();
  Type type = accumulateType(op);
  AffineMap sinkMap = op.getMapOf(op.getSinkMutable()[0]);
  AffineMap lseMap = op.getMapOf(op.getLseMutable());
  Value terms = build.generic(
      dimsOf(lseMap), {op.getSink(), op.getLse(), delta},
      {sinkMap, lseMap, lseMap}, build.empty(lseMap, type), lseMap,
      [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
        Value sink = convertFloat(n, at, args[0], type);
        Value share = math::ExpOp::create(
            n, at, arith::SubFOp::create(n, at, sink, args[1]));
        Value term = arith::NegFOp::create(
            n, at, arith::MulFOp::create(n, at, share, args[2]));
        Value absent = arith::CmpFOp::create(n, at, arith::CmpFPredicate::OEQ,
                                             sink, minusInfinity(n, at, type));
        return SmallVector<Value>{arith::SelectOp::create(
            n, at, absent, floatConstant(n, at, type, 0.0), term)};
      })[0];
  Value destination = op.getSinkGrad();
  Value zeros =
      linalg::FillOp::create(
          b, loc, floatConstant(b, loc, type, 0.0),
          tensor::EmptyOp::create(
              b, loc, tensor::getMixedSizes(b, loc, destination), type)
              .getResult())
          .getResult(0);
  Value sums = emitSum(build, dimsOf(lseMap), terms, lseMap, sinkMap, zeros);
  return emitRounded(b, loc, sums, destination);
}
