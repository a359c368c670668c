//===- Functions.cpp - elementary functions on whole vectors --------------===//
//
// 2^x: x = r + f with r integer and |f| <= 1/2. Adding 1.5 * 2^m (m: mantissa
// bits) leaves r in the low bits of the sum, from where a shift moves it into
// the exponent. 2^f - 1 = f q(f), a polynomial fitted to the relative error of
// 2^f (f32: 9.2e-8 by weighted least squares; f64: 8.5e-18 by interpolation at
// Chebyshev nodes). By instruction r is floor(x) and f in [0, 1): the same
// degrees, fitted to that range. log is fdlibm's scheme with s = f / (2 + f)
// and the series of atanh; tanh is a quotient of polynomials in f32 and comes
// from e^(-2|x|) - 1 in f64.
//
//===----------------------------------------------------------------------===//
#include "Functions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

constexpr double kLog2E = 1.4426950408889634;
constexpr double kLn2 = 0.6931471805599453;

const double exp2Single[] = {0.6931469775973989, 0.24022242082356676,
                             0.05550733744421082, 0.009671512837446581,
                             0.0013264727462486902};
const double exp2Double[] = {
    0.6931471805599453,    0.24022650695910097,   0.0555041086648216,
    0.009618129107606888,  0.0013333558146416936, 0.0001540353044173605,
    1.525273382983612e-05, 1.321544258792169e-06, 1.0178062445845774e-07,
    7.072585949269223e-09, 4.4549605981865186e-10};

// The same for 0 <= f < 1: minimax, and Chebyshev nodes (8.2e-8, 8.7e-18).
const double exp2SingleUp[] = {0.6931513118089229, 0.2401644501090476,
                               0.055799913259598, 0.00901703011423559,
                               0.0018671301652577812};
const double exp2DoubleUp[] = {
    0.6931471805599453,     0.24022650695909673,    0.05550410866498067,
    0.009618129105151757,   0.001333355834393728,   0.00015403521219107733,
    1.5252998899728418e-05, 1.3210583477765189e-06, 1.0236023803275179e-07,
    6.634445866251414e-09,  6.123092916826387e-10};

// tanh x = x P(x^2) / Q(x^2) for |x| <= tanhLimit: 2.2e-8, by least squares
// weighted towards the largest errors. No coefficient is negative: nothing is
// cancelled.
constexpr double tanhLimit = 9.02;
const double tanhAbove[] = {1, 0.13382718010455581, 0.0034974932126519834,
                            2.0636364490433997e-5, 1.3384948533433184e-8};
const double tanhBelow[] = {1, 0.46716039311668749, 0.025884498655328582,
                            0.00032885736935696962, 7.7905388685881524e-7};

/// The constants of a float type, and arithmetic on a vector of it.
struct Float {
  Float(Emit &b, Value x) : b(b), type(cast<VectorType>(x.getType())) {
    isDouble = type.getElementType().isF64();
    bits = type.clone(isDouble ? b.getI64Type() : b.getI32Type());
  }

  int64_t mantissa() const { return isDouble ? 52 : 23; }
  int64_t bias() const { return isDouble ? 1023 : 127; }
  double magic() const { return isDouble ? 0x1.8p52 : 0x1.8p23; }
  double ln2High() const { return isDouble ? 0x1.62e42fefa38p-1 : 0x1.62e4p-1; }
  double ln2Low() const {
    return isDouble ? 0x1.ef35793c7673p-45 : 0x1.7f7d1cf79abcap-20;
  }
  ArrayRef<double> exp2() const {
    return isDouble ? ArrayRef(exp2Double) : ArrayRef(exp2Single);
  }
  ArrayRef<double> exp2Up() const {
    return isDouble ? ArrayRef(exp2DoubleUp) : ArrayRef(exp2SingleUp);
  }

  Value constant(double v) { return b.constant(type, v); }
  Value integer(int64_t v) { return b.integer(bits, v); }
  Value add(Value l, Value r) { return arith::AddFOp::create(b, l, r); }
  Value sub(Value l, Value r) { return arith::SubFOp::create(b, l, r); }
  Value mul(Value l, Value r) { return arith::MulFOp::create(b, l, r); }
  Value div(Value l, Value r) { return arith::DivFOp::create(b, l, r); }
  Value fma(Value l, Value r, Value c) {
    return vector::FMAOp::create(b, l, r, c);
  }
  Value addBits(Value l, Value r) { return arith::AddIOp::create(b, l, r); }
  Value subBits(Value l, Value r) { return arith::SubIOp::create(b, l, r); }
  Value select(Value c, Value l, Value r) {
    return arith::SelectOp::create(b, c, l, r);
  }
  Value compare(arith::CmpFPredicate p, Value l, Value r) {
    return arith::CmpFOp::create(b, p, l, r);
  }
  Value toBits(Value v) { return arith::BitcastOp::create(b, bits, v); }
  Value toFloat(Value v) { return arith::BitcastOp::create(b, type, v); }
  /// The larger of a bound and x, the smaller one; a NaN in x stays.
  Value atLeast(double bound, Value x) { return b.maximum(constant(bound), x); }
  Value atMost(double bound, Value x) {
    Value limit = constant(bound);
    return select(compare(arith::CmpFPredicate::OLT, limit, x), limit, x);
  }
  /// 2^e for integers e in the exponent's range.
  Value power(Value e) {
    Value biased = addBits(e, integer(bias()));
    return toFloat(arith::ShLIOp::create(b, biased, integer(mantissa())));
  }
  /// c0 + c1 x + c2 x^2 + ...
  Value polynomial(ArrayRef<double> coefficients, Value x) {
    Value sum = constant(coefficients.back());
    for (double c : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, constant(c));
    return sum;
  }
  /// 2^f - 1 for |f| <= 1/2: exact relative to 2^f, in f64 also to itself.
  Value exp2Minus1(Value f) { return mul(f, polynomial(exp2(), f)); }

  Emit &b;
  VectorType type, bits;
  bool isDouble;
};

/// x rounded to an integer, as a float and as integer bits.
struct Rounded {
  Value value, bits;
};
Rounded roundToInteger(Float &t, Value x) {
  Value magic = t.constant(t.magic());
  Value sum = t.add(x, magic);
  return {t.sub(sum, magic), t.subBits(t.toBits(sum), t.toBits(magic))};
}

/// 2^r (1 + fraction) in two steps, so that neither factor leaves the
/// exponent's range where the product is subnormal or infinite.
Value scaleTwice(Float &t, Value fraction, Value r) {
  Value half = arith::ShRSIOp::create(t.b, r, t.integer(1));
  Value first = t.power(half), second = t.power(t.subBits(r, half));
  return t.mul(t.fma(fraction, first, first), second);
}

/// y - r ln 2 in two steps; r = round(y / ln 2).
Value reduceNatural(Float &t, Value y, Value r) {
  Value rest = t.fma(r, t.constant(-t.ln2High()), y);
  return t.fma(r, t.constant(-t.ln2Low()), rest);
}

} // namespace

/// An instruction of AVX-512 on a whole register; lanes outside of `mask` are
/// 0. Ends on the rounding mode that the control register has.
static Value emitAVX512(Float &t, StringRef name, ValueRange operands,
                        Value mask) {
  Emit &b = t.b;
  std::string intrinsic =
      ("llvm.x86.avx512.mask." + name + (t.isDouble ? ".pd.512" : ".ps.512"))
          .str();
  Type bits = b.getIntegerType(t.type.getNumElements());
  Value lanes = vector::BitCastOp::create(b, VectorType::get(1, bits), mask);
  SmallVector<Value> arguments(operands);
  arguments.append({t.constant(0), vector::ExtractOp::create(b, lanes, 0),
                    b.integer(b.getI32Type(), 4)});
  return LLVM::CallIntrinsicOp::create(b, t.type, b.getStringAttr(intrinsic),
                                       arguments)
      .getResult(0);
}

/// By fraction and scaling, with x log2(e) rounded once. What would be
/// subnormal, where both are slow, is masked out.
static Value emitExpByScale(Float &t, Value x) {
  Emit &b = t.b;
  Value y = t.mul(x, t.constant(kLog2E));
  Value all = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             VectorType::get(t.type.getShape(), b.getI1Type()), true));
  // Bit 0: round down; bits 4 and up: no bits of the fraction are kept.
  Value f = emitAVX512(t, "reduce", {y, b.integer(b.getI32Type(), 1)}, all);
  SmallVector<double> coefficients{1.0};
  llvm::append_range(coefficients, t.exp2Up());
  Value normal =
      t.compare(arith::CmpFPredicate::UGE, y, t.constant(double(1 - t.bias())));
  return emitAVX512(t, "scalef", {t.polynomial(coefficients, f), y}, normal);
}

Value mlir::attn::emitExpNegative(Emit &b, Value x, const CPUTarget &target) {
  Float t(b, x);
  if (target.hasExponentScale)
    return emitExpByScale(t, x);
  // Below, the factor is 2^-bias, whose bits are those of +0.
  x = t.atLeast(t.isDouble ? -709.2 : -88.2, x);
  // The bias is part of the magic number.
  Value magic = t.constant(t.magic() + double(t.bias()));
  Value sum = t.fma(x, t.constant(kLog2E), magic);
  Value f = t.fma(t.sub(sum, magic), t.constant(-kLn2), x);
  Value scale = t.toFloat(
      arith::ShLIOp::create(b, t.toBits(sum), t.integer(t.mantissa())));
  // 2^(f log2(e)) as a polynomial in f.
  SmallVector<double> coefficients{1.0};
  double power = 1.0;
  for (double c : t.exp2())
    coefficients.push_back(c * (power *= kLog2E));
  return t.mul(t.polynomial(coefficients, f), scale);
}

Value mlir::attn::emitExp2(Emit &b, Value x) {
  Float t(b, x);
  double top = t.isDouble ? 1025 : 129, bottom = t.isDouble ? -1080 : -152;
  x = t.atMost(top, t.atLeast(bottom, x));
  Rounded r = roundToInteger(t, x);
  return scaleTwice(t, t.exp2Minus1(t.sub(x, r.value)), r.bits);
}

Value mlir::attn::emitExp(Emit &b, Value x) {
  Float t(b, x);
  double top = t.isDouble ? 711 : 90, bottom = t.isDouble ? -750 : -106;
  x = t.atMost(top, t.atLeast(bottom, x));
  Value log2e = t.constant(kLog2E);
  Rounded r = roundToInteger(t, t.mul(x, log2e));
  Value f = t.mul(reduceNatural(t, x, r.value), log2e);
  return scaleTwice(t, t.exp2Minus1(f), r.bits);
}

Value mlir::attn::emitLog(Emit &b, Value x) {
  Float t(b, x);
  // Subnormal numbers are scaled into the normal range.
  double smallest = t.isDouble ? 0x1p-1022 : 0x1p-126;
  double up = t.isDouble ? 0x1p54 : 0x1p25;
  Value small = t.compare(arith::CmpFPredicate::OLT, x, t.constant(smallest));
  Value normal = t.select(small, t.mul(x, t.constant(up)), x);
  // x = 2^e m with m in [sqrt(1/2), sqrt 2): e counts from sqrt(1/2).
  int64_t root = t.isDouble ? 0x3fe6a09e667f3bcd : 0x3f3504f3;
  Value offset = t.subBits(t.toBits(normal), t.integer(root));
  Value e = arith::ShRSIOp::create(b, offset, t.integer(t.mantissa()));
  Value shifted = arith::ShLIOp::create(b, e, t.integer(t.mantissa()));
  Value f =
      t.sub(t.toFloat(t.subBits(t.toBits(normal), shifted)), t.constant(1.0));
  Value exponent = arith::SIToFPOp::create(b, t.type, e);
  exponent = t.sub(exponent, t.select(small, t.constant(t.isDouble ? 54 : 25),
                                      t.constant(0)));
  // log(1 + f) = f - s (f - R), R = 2 (s^2/3 + s^4/5 + ...).
  Value s = t.div(f, t.add(t.constant(2), f));
  Value square = t.mul(s, s);
  SmallVector<double> series;
  for (int k = 1; k <= (t.isDouble ? 11 : 5); ++k)
    series.push_back(2.0 / (2 * k + 1));
  Value rest = t.mul(square, t.polynomial(series, square));
  Value low =
      t.sub(t.mul(s, t.sub(f, rest)), t.mul(exponent, t.constant(t.ln2Low())));
  Value log = t.sub(t.mul(exponent, t.constant(t.ln2High())), t.sub(low, f));
  // log 0 = -inf, log of a negative number = NaN, log inf = inf, NaN stays.
  constexpr double inf = std::numeric_limits<double>::infinity();
  Value zero = t.constant(0);
  log = t.select(t.compare(arith::CmpFPredicate::OLT, x, t.constant(inf)), log,
                 x);
  log = t.select(t.compare(arith::CmpFPredicate::OLT, x, zero),
                 t.constant(std::numeric_limits<double>::quiet_NaN()), log);
  return t.select(t.compare(arith::CmpFPredicate::OEQ, x, zero),
                  t.constant(-inf), log);
}

/// x P(x^2) / Q(x^2), up to where f32 knows only 1.
static Value emitTanhRational(Float &t, Value x) {
  x = t.atMost(tanhLimit, t.atLeast(-tanhLimit, x));
  Value square = t.mul(x, x);
  Value above = t.mul(x, t.polynomial(tanhAbove, square));
  Value quotient = t.div(above, t.polynomial(tanhBelow, square));
  return t.atMost(1, t.atLeast(-1, quotient));
}

Value mlir::attn::emitTanh(Emit &b, Value x) {
  Float t(b, x);
  if (!t.isDouble)
    return emitTanhRational(t, x);
  // tanh |x| = -m / (m + 2), m = e^(-2|x|) - 1 = 2^r (2^f - 1) + (2^r - 1).
  Value y = t.mul(math::AbsFOp::create(b, x), t.constant(-2.0));
  y = t.atLeast(-88.0, y);
  Value log2e = t.constant(kLog2E);
  Rounded r = roundToInteger(t, t.mul(y, log2e));
  Value f = t.mul(reduceNatural(t, y, r.value), log2e);
  Value power = t.power(r.bits);
  Value m = t.fma(power, t.exp2Minus1(f), t.sub(power, t.constant(1.0)));
  Value positive = t.div(t.sub(t.constant(0), m), t.add(m, t.constant(2.0)));
  return math::CopySignOp::create(b, positive, x);
}

/// x / c by the reciprocal of c in two parts, the first rounded towards zero:
/// neither is of another sign then, so that infinities stay. Null: c has no
/// such parts, or is a power of two, which LLVM multiplies with.
static Value emitQuotient(Emit &b, Value x, const APFloat &divisor) {
  Float t(b, x);
  const llvm::fltSemantics &kind = divisor.getSemantics();
  APFloat high(1.0);
  bool inexact;
  high.convert(kind, APFloat::rmNearestTiesToEven, &inexact);
  APFloat one = high;
  int exponent = divisor.isFiniteNonZero() ? llvm::ilogb(divisor) : 0;
  constexpr int far = 100; // the parts are normal numbers
  if (!divisor.isFiniteNonZero() || divisor.getExactInverse(nullptr) ||
      std::abs(exponent) > far)
    return {};
  high.divide(divisor, APFloat::rmTowardZero);
  // (1 - high c) / c; the difference is exact.
  APFloat rest = high;
  rest.changeSign();
  rest.fusedMultiplyAdd(divisor, one, APFloat::rmNearestTiesToEven);
  rest.divide(divisor, APFloat::rmNearestTiesToEven);
  auto constant = [&](const APFloat &value) {
    return arith::ConstantOp::create(b, DenseElementsAttr::get(t.type, value))
        .getResult();
  };
  return t.fma(x, constant(high), t.mul(x, constant(rest)));
}

/// The number that all lanes of a value are, if that is known.
static std::optional<APFloat> constantOf(Value value) {
  if (auto spread = value.getDefiningOp<vector::BroadcastOp>())
    value = spread.getSource();
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

/// What an op is by arithmetic on whole vectors; null: it stays.
static Value expand(Operation *op) {
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!type ||
      !(type.getElementType().isF32() || type.getElementType().isF64()))
    return {};
  Emit b(op->getLoc(), op->getContext());
  b.setInsertionPoint(op);
  Value x = op->getOperand(0);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::Exp2Op) { return emitExp2(b, x); })
      .Case([&](math::ExpOp) { return emitExp(b, x); })
      .Case([&](math::LogOp) { return emitLog(b, x); })
      .Case([&](math::TanhOp) { return emitTanh(b, x); })
      .Case([&](arith::DivFOp quotient) -> Value {
        std::optional<APFloat> divisor = constantOf(quotient.getRhs());
        return divisor ? emitQuotient(b, x, *divisor) : Value();
      })
      .Default([](Operation *) { return Value(); });
}

void mlir::attn::expandMath(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<math::Exp2Op, math::ExpOp, math::LogOp, math::TanhOp,
            arith::DivFOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    if (Value result = expand(op)) {
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
}
