//===- CentralDifferences.cpp - an oracle for gradients -------------------===//
#include "attn/IR/Passes.h"
#include "attn/Runtime/Compare.h"
#include "attn/Runtime/Gradient.h"
#include "attn/Runtime/Jit.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include <chrono>
#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;
using ::attn::DType;

//===----------------------------------------------------------------------===//
// The input in f64
//===----------------------------------------------------------------------===//

static llvm::APFloat widened(llvm::APFloat value) {
  bool ignored;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &ignored);
  return value;
}

/// Makes every float of a module an f64.
static llvm::Error widen(ModuleOp module) {
  Type wide = Float64Type::get(module.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FloatType) -> Type { return wide; });
  replacer.addReplacement([&](FloatAttr attr) -> Attribute {
    return FloatAttr::get(wide, widened(attr.getValue()));
  });
  replacer.addReplacement(
      [&](DenseFPElementsAttr attr) -> std::optional<Attribute> {
        return attr.mapValues(wide, [](const llvm::APFloat &value) {
          return widened(value).bitcastToAPInt();
        });
      });
  replacer.addReplacement(
      [&](DenseResourceElementsAttr attr) -> std::optional<Attribute> {
        AsmResourceBlob *blob = attr.getRawHandle().getBlob();
        bool splat = false;
        if (!isa<FloatType>(attr.getElementType()) || !blob ||
            !DenseElementsAttr::isValidRawBuffer(attr.getType(),
                                                 blob->getData(), splat))
          return std::nullopt;
        auto dense =
            cast<DenseFPElementsAttr>(DenseElementsAttr::getFromRawBuffer(
                attr.getType(), blob->getData()));
        return dense.mapValues(wide, [](const llvm::APFloat &value) {
          return widened(value).bitcastToAPInt();
        });
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
  if (failed(verify(module)))
    return llvm::createStringError(
        "--grad --check: the input cannot be computed in f64, in which its "
        "central differences are taken");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

namespace {
/// L as a function of the arguments.
class Loss {
public:
  Loss(const EntryPoint &entry, CompiledModule::PackedFunction function,
       ArrayRef<Array> arguments, ArrayRef<Array> outputGrads)
      : entry(entry), function(function), arguments(arguments),
        outputGrads(outputGrads) {}

  /// With `direction` times `step` added to an argument.
  llvm::Expected<double> at(unsigned argument, ArrayRef<double> direction,
                            double step) {
    Array moved = arguments[argument];
    for (auto [i, d] : llvm::enumerate(direction))
      moved.set(i, moved.get(i) + step * d);
    std::swap(moved, arguments[argument]);
    auto results = PreparedCall(entry, arguments).run(function);
    std::swap(moved, arguments[argument]);
    if (!results)
      return results.takeError();
    double sum = 0;
    for (auto [result, grad] : llvm::zip(*results, outputGrads))
      if (::attn::isFloat(result.type))
        for (int64_t i = 0, e = result.numElements(); i < e; ++i)
          sum += result.get(i) * grad.get(i);
    return sum;
  }

  /// (L(x + h d) - L(x - h d)) / 2h.
  llvm::Expected<double> slope(unsigned argument, ArrayRef<double> direction) {
    constexpr double h = 1e-5;
    auto up = at(argument, direction, h);
    if (!up)
      return up.takeError();
    auto down = at(argument, direction, -h);
    if (!down)
      return down.takeError();
    return (*up - *down) / (2 * h);
  }

private:
  const EntryPoint &entry;
  CompiledModule::PackedFunction function;
  std::vector<Array> arguments;
  ArrayRef<Array> outputGrads;
};
} // namespace

/// Every element, or the gradient along `directions` random ones.
static llvm::Expected<std::pair<Array, Array>>
compareSlopes(Loss &loss, unsigned argument, const Array &grad,
              bool everyElement) {
  constexpr int64_t directions = 8;
  int64_t count = grad.numElements();
  std::mt19937_64 generator(argument);
  Array got(DType::F64, everyElement ? count : directions), want = got;
  for (int64_t i = 0; i < got.numElements(); ++i) {
    std::vector<double> direction(count);
    double along = 0;
    for (int64_t k = 0; k < count; ++k) {
      // Signs, so that the slope is of the size of one element.
      direction[k] = everyElement ? k == i
                                  : (generator() & 1 ? 1 : -1) /
                                        std::sqrt(static_cast<double>(count));
      if (direction[k] != 0)
        along += direction[k] * grad.get(k);
    }
    auto slope = loss.slope(argument, direction);
    if (!slope)
      return slope.takeError();
    got.set(i, along);
    want.set(i, *slope);
  }
  return std::make_pair(got, want);
}

llvm::Expected<CheckRecord> mlir::attn::checkByDifferences(
    ModuleOp module, StringRef name, ArrayRef<Array> arguments,
    ArrayRef<Array> outputGrads, ArrayRef<unsigned> differentiated,
    ArrayRef<Array> grads, double tolerance) {
  auto failed = [](const Twine &why) {
    return llvm::createStringError("--grad --check: " + why);
  };
  PassManager pm(module.getContext());
  pm.addPass(createAttnDecompose());
  if (mlir::failed(
          runCompilerPipeline(module, std::nullopt, Phase::Input, {})) ||
      mlir::failed(pm.run(module)))
    return failed("the input could not be lowered");
  if (llvm::Error error = widen(module))
    return error;
  auto function = module.lookupSymbol<func::FuncOp>(name);
  FailureOr<EntryPoint> entry = getEntryPoint(function);
  if (mlir::failed(entry) || mlir::failed(runOraclePipeline(module)))
    return failed("the input could not be lowered");
  auto jit = CompiledModule::create(module);
  if (!jit)
    return jit.takeError();
  auto compiled = (*jit)->lookup(name);
  if (!compiled)
    return compiled.takeError();
  std::vector<Array> wide;
  for (const Array &array : arguments)
    wide.push_back(::attn::isFloat(array.type) ? array.convertTo(DType::F64)
                                               : array);
  Loss loss(*entry, *compiled, wide, outputGrads);
  auto start = std::chrono::steady_clock::now();
  auto here = loss.at(0, {}, 0);
  if (!here)
    return here.takeError();
  if (!std::isfinite(*here))
    return failed("the results hold NaN or infinity, whose differences say "
                  "nothing of gradients");
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  int64_t elements = 0;
  for (const Array &grad : grads)
    elements += grad.numElements();
  // As many runs as take about five seconds.
  bool everyElement = 2 * seconds * elements < 5 && elements <= 20000;
  CheckRecord record;
  record.reference = everyElement ? "central differences"
                                  : "central differences along directions";
  for (auto [argument, grad] : llvm::zip_equal(differentiated, grads)) {
    if (grad.numElements() == 0)
      continue;
    auto slopes = compareSlopes(loss, argument, grad, everyElement);
    if (!slopes)
      return slopes.takeError();
    double allowed =
        std::max({tolerance, getDefaultTolerance(grad.type), 1e-7});
    Comparison comparison = compare(slopes->first, slopes->second, allowed);
    record.tolerance = std::max(record.tolerance, allowed);
    record.maxAbsError = std::max(record.maxAbsError, comparison.maxAbsError);
    record.maxRelError = std::max(record.maxRelError, comparison.maxRelError);
    if (comparison.agrees)
      continue;
    record.agrees = false;
    record.details.push_back(
        describe(comparison,
                 "grad" + std::to_string(argument) +
                     (everyElement ? " by linear index " : " along direction "),
                 slopes->first, slopes->second, allowed));
  }
  return record;
}
