//===- Tape.cpp - gradients on their way back through a function ----------===//
#include "Tape.h"
#include "attn/IR/ScoreRegion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

Type mlir::attn::sumType(Type element) {
  return element.getIntOrFloatBitWidth() < 32
             ? Float32Type::get(element.getContext())
             : element;
}

LogicalResult mlir::attn::noDerivative(Operation *op, const Twine &why) {
  InFlightDiagnostic diagnostic =
      op->emitError("attn-differentiate: expected an op with a derivative "
                    "between the arguments and the results, got '")
      << op->getName() << "'";
  if (!why.isTriviallyEmpty())
    diagnostic << ": " << why;
  return diagnostic;
}

/// An elementwise op on tensors of one shape.
static Value elementwise(OpBuilder &b, Location loc, ValueRange ins, Type type,
                         Value sizes,
                         function_ref<Value(OpBuilder &, ValueRange)> body) {
  Value init = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, sizes), type);
  unsigned rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<AffineMap> maps(ins.size() + 1, b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, TypeRange{init.getType()}, ins, ValueRange{init}, maps,
             parallel,
             [&](OpBuilder &n, Location at, ValueRange args) {
               linalg::YieldOp::create(n, at, body(n, args));
             })
      .getResult(0);
}

void Tape::add(Location loc, Value of, Value grad) {
  if (!grad || !isActive(of))
    return;
  auto type = cast<RankedTensorType>(of.getType());
  if (grad.getType() != type)
    grad = tensor::CastOp::create(b, loc, type, grad);
  Value &sum = grads[of];
  sum = !sum ? grad
             : elementwise(b, loc, {sum, grad}, type.getElementType(), sum,
                           [&](OpBuilder &n, ValueRange args) -> Value {
                             return arith::AddFOp::create(n, loc, args[0],
                                                          args[1]);
                           });
  if (sum.getType() != type)
    sum = tensor::CastOp::create(b, loc, type, sum);
}

Value Tape::zeros(Location loc, Value like, Type element) {
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, copy(like)), element);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
}

Value Tape::gradOrZeros(Location loc, Value of) {
  if (Value known = grad(of))
    return known;
  Value none =
      zeros(loc, of, cast<RankedTensorType>(of.getType()).getElementType());
  if (none.getType() != of.getType())
    none = tensor::CastOp::create(b, loc, of.getType(), none);
  return none;
}

Value Tape::convert(Location loc, Value value, Type element) {
  if (cast<RankedTensorType>(value.getType()).getElementType() == element)
    return value;
  return elementwise(b, loc, value, element, value,
                     [&](OpBuilder &n, ValueRange args) {
                       return convertFloat(n, loc, args[0], element);
                     });
}
