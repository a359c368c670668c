//===- ScoreDerivative.cpp - the score region, backwards ------------------===//
#include "attn/IR/ScoreDerivative.h"
#include "attn/IR/ScoreRegion.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// One op's operands, result and the gradient of the result, all emitted
/// values.
struct Context {
  OpBuilder &b;
  Location loc;
  ValueRange in;
  Value out, grad;

  Value constant(double v) const {
    Type type = grad.getType();
    TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(type), v);
    if (auto shaped = dyn_cast<ShapedType>(type))
      attr = DenseElementsAttr::get(shaped, cast<Attribute>(attr));
    return arith::ConstantOp::create(b, loc, attr);
  }
  Value mul(Value x, Value y) const {
    return arith::MulFOp::create(b, loc, x, y);
  }
  Value add(Value x, Value y) const {
    return arith::AddFOp::create(b, loc, x, y);
  }
  Value sub(Value x, Value y) const {
    return arith::SubFOp::create(b, loc, x, y);
  }
  Value div(Value x, Value y) const {
    return arith::DivFOp::create(b, loc, x, y);
  }
  Value neg(Value x) const { return arith::NegFOp::create(b, loc, x); }
  Value select(Value c, Value x, Value y) const {
    return arith::SelectOp::create(b, loc, c, x, y);
  }
  Value compare(arith::CmpFPredicate p, Value x, Value y) const {
    return arith::CmpFOp::create(b, loc, p, x, y);
  }
};

/// The gradients of an op's operands; null where none flows.
using Rule = SmallVector<Value> (*)(const Context &);

/// Of max(x, y) or min: to the one that was taken, half to each in a tie.
SmallVector<Value> extremumRule(const Context &c, bool max) {
  auto wins = max ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  Value half = c.mul(c.grad, c.constant(0.5)), none = c.constant(0.0);
  Value tie = c.compare(arith::CmpFPredicate::OEQ, c.in[0], c.in[1]);
  auto share = [&](Value mine, Value other) {
    return c.select(tie, half,
                    c.select(c.compare(wins, mine, other), c.grad, none));
  };
  return {share(c.in[0], c.in[1]), share(c.in[1], c.in[0])};
}

SmallVector<Value> nothing(const Context &c) {
  return SmallVector<Value>(c.in.size());
}

/// The table of derivatives. Null: the op has none.
Rule ruleOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Rule>(op)
      .Case<arith::AddFOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.grad, c.grad};
        };
      })
      .Case<arith::SubFOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.grad, c.neg(c.grad)};
        };
      })
      .Case<arith::MulFOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.mul(c.grad, c.in[1]), c.mul(c.grad, c.in[0])};
        };
      })
      .Case<arith::DivFOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          Value first = c.div(c.grad, c.in[1]);
          return {first, c.neg(c.mul(first, c.out))};
        };
      })
      .Case<arith::NegFOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.neg(c.grad)};
        };
      })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>([](auto) -> Rule {
        return [](const Context &c) { return extremumRule(c, true); };
      })
      .Case<arith::MinimumFOp, arith::MinNumFOp>([](auto) -> Rule {
        return [](const Context &c) { return extremumRule(c, false); };
      })
      .Case<arith::SelectOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          Value none = c.constant(0.0);
          return {Value(), c.select(c.in[0], c.grad, none),
                  c.select(c.in[0], none, c.grad)};
        };
      })
      .Case<arith::ExtFOp, arith::TruncFOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {
              convertFloat(c.b, c.loc, c.grad, getElementTypeOrSelf(c.in[0]))};
        };
      })
      .Case<math::FmaOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.mul(c.grad, c.in[1]), c.mul(c.grad, c.in[0]), c.grad};
        };
      })
      .Case<math::ExpOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.mul(c.grad, c.out)};
        };
      })
      .Case<math::Exp2Op>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.mul(c.grad, c.mul(c.out, c.constant(std::log(2.0))))};
        };
      })
      .Case<math::ExpM1Op>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.mul(c.grad, c.add(c.out, c.constant(1.0)))};
        };
      })
      .Case<math::LogOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.div(c.grad, c.in[0])};
        };
      })
      .Case<math::Log2Op>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.div(c.grad, c.mul(c.in[0], c.constant(std::log(2.0))))};
        };
      })
      .Case<math::Log1pOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.div(c.grad, c.add(c.in[0], c.constant(1.0)))};
        };
      })
      .Case<math::TanhOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.mul(c.grad, c.sub(c.constant(1.0), c.mul(c.out, c.out)))};
        };
      })
      .Case<math::SinOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.mul(c.grad, math::CosOp::create(c.b, c.loc, c.in[0]))};
        };
      })
      .Case<math::CosOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {
              c.neg(c.mul(c.grad, math::SinOp::create(c.b, c.loc, c.in[0])))};
        };
      })
      .Case<math::ErfOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          Value gauss =
              math::ExpOp::create(c.b, c.loc, c.neg(c.mul(c.in[0], c.in[0])));
          return {
              c.mul(c.grad, c.mul(gauss, c.constant(2.0 / std::sqrt(M_PI))))};
        };
      })
      .Case<math::SqrtOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          return {c.div(c.mul(c.grad, c.constant(0.5)), c.out)};
        };
      })
      .Case<math::RsqrtOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          Value cube = c.mul(c.out, c.mul(c.out, c.out));
          return {c.mul(c.grad, c.mul(cube, c.constant(-0.5)))};
        };
      })
      .Case<math::AbsFOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          Value zero = c.constant(0.0);
          Value positive = c.compare(arith::CmpFPredicate::OGT, c.in[0], zero);
          Value negative = c.compare(arith::CmpFPredicate::OLT, c.in[0], zero);
          return {c.select(positive, c.grad,
                           c.select(negative, c.neg(c.grad), zero))};
        };
      })
      .Case<math::PowFOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          // y x^(y-1), and 0 for y = 0 wherever x is; x^y log x, and 0 for x =
          // 0.
          Value zero = c.constant(0.0), one = c.constant(1.0);
          Value power =
              math::PowFOp::create(c.b, c.loc, c.in[0], c.sub(c.in[1], one));
          Value none = c.compare(arith::CmpFPredicate::OEQ, c.in[1], zero);
          Value flat = c.compare(arith::CmpFPredicate::OEQ, c.in[0], zero);
          Value log =
              math::LogOp::create(c.b, c.loc, c.select(flat, one, c.in[0]));
          return {c.select(none, zero, c.mul(c.grad, c.mul(c.in[1], power))),
                  c.mul(c.grad, c.mul(c.out, log))};
        };
      })
      .Case<math::FPowIOp>([](auto) -> Rule {
        return [](const Context &c) -> SmallVector<Value> {
          // n x^(n-1), and 0 for n = 0 wherever x is.
          Value n = c.in[1];
          Type count = n.getType(), type = c.grad.getType();
          auto integer = [&](int64_t value) -> Value {
            return arith::ConstantOp::create(c.b, c.loc,
                                             c.b.getIntegerAttr(count, value));
          };
          Value less = arith::SubIOp::create(c.b, c.loc, n, integer(1));
          Value power = math::FPowIOp::create(c.b, c.loc, c.in[0], less);
          Value times = arith::SIToFPOp::create(c.b, c.loc, type, n);
          Value none = arith::CmpIOp::create(
              c.b, c.loc, arith::CmpIPredicate::eq, n, integer(0));
          return {c.select(none, c.constant(0.0),
                           c.mul(c.grad, c.mul(times, power))),
                  Value()};
        };
      })
      .Case<math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
            math::TruncOp>([](auto) -> Rule { return nothing; })
      .Case<arith::SIToFPOp, arith::UIToFPOp, arith::ConstantOp, KeepOp>(
          [](auto) -> Rule { return nothing; })
      .Default([](Operation *) -> Rule { return nullptr; });
}

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

} // namespace

LogicalResult
mlir::attn::verifyDifferentiable(ScoreOpInterface op,
                                 ArrayRef<int64_t> differentiate) {
  Block &block = op.getScoreRegion().front();
  // What depends on something that is differentiated.
  llvm::SmallDenseSet<Value> active;
  active.insert(block.getArgument(0));
  for (int64_t extra : differentiate)
    active.insert(block.getArgument(extra + 1));
  for (Operation &inner : block.without_terminator()) {
    if (llvm::none_of(inner.getOperands(),
                      [&](Value v) { return active.contains(v); }))
      continue;
    if (llvm::none_of(inner.getResults(), isFloat))
      continue; // integers carry no gradient
    if (!ruleOf(&inner))
      return op->emitOpError("B4: expected ops with a derivative in the score "
                             "region, got ")
             << inner.getName();
    active.insert(inner.result_begin(), inner.result_end());
  }
  return success();
}

bool mlir::attn::hasDerivative(Operation *op) { return ruleOf(op); }

SmallVector<Value>
mlir::attn::emitBlockGradient(OpBuilder &b, Location loc, Block &region,
                              const IRMapping &values,
                              ArrayRef<std::pair<Value, Value>> seeds) {
  llvm::SmallDenseMap<Value, Value> grads;
  auto accumulate = [&](Value of, Value grad) {
    if (!grad || !isFloat(of))
      return;
    Value &sum = grads[of];
    sum = sum ? arith::AddFOp::create(b, loc, sum, grad).getResult() : grad;
  };
  for (auto [of, grad] : seeds)
    accumulate(of, grad);
  for (Operation &inner : llvm::reverse(region.without_terminator())) {
    if (inner.getNumResults() != 1)
      continue;
    Value grad = grads.lookup(inner.getResult(0));
    Rule rule = ruleOf(&inner);
    if (!grad || !rule)
      continue;
    SmallVector<Value> in;
    for (Value operand : inner.getOperands())
      in.push_back(values.lookupOrDefault(operand));
    Context context{b, loc, in, values.lookup(inner.getResult(0)), grad};
    for (auto [operand, flow] :
         llvm::zip_equal(inner.getOperands(), rule(context)))
      accumulate(operand, flow);
  }
  SmallVector<Value> results;
  for (BlockArgument argument : region.getArguments())
    results.push_back(grads.lookup(argument));
  return results;
}

SmallVector<Value> mlir::attn::emitScoreGradient(OpBuilder &b, Location loc,
                                                 Block &region,
                                                 const IRMapping &values,
                                                 Value dScore, Value dWeight) {
  auto yield = cast<YieldOp>(region.getTerminator());
  SmallVector<std::pair<Value, Value>> seeds{{yield.getScore(), dScore}};
  if (yield.getWeight())
    seeds.push_back({yield.getWeight(), dWeight});
  return emitBlockGradient(b, loc, region, values, seeds);
}
