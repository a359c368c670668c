//===- Gradient.cpp - attn-run --grad -------------------------------------===//
#include "attn/Runtime/Gradient.h"
#include "FileSession.h"
#include "attn/Runtime/Compare.h"
#include "attn/Runtime/Findings.h"
#include "attn/Support/Npy.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/WithColor.h"
#include <chrono>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;
using ::attn::ArrayMap;
using ::attn::DType;

namespace {
/// A file's function with its gradients, step by step.
class GradientSession : FileSession {
public:
  using FileSession::FileSession;
  RunStatus run();

private:
  /// Gradients pass through all types on the way to the results.
  double allowed() const {
    return tolerances().empty() ? 0 : *llvm::max_element(tolerances());
  }

  LogicalResult checkRequest();
  LogicalResult parse();
  LogicalResult prepareInputs();
  LogicalResult compile();
  LogicalResult chooseArguments();
  LogicalResult checkNames(StringRef prefix, ArrayRef<unsigned> known,
                           StringRef what);
  LogicalResult runForward();
  LogicalResult takeGrads(StringRef prefix, ArrayRef<Array> like,
                          std::vector<Array> &grads, uint64_t seed);
  LogicalResult runProduct();
  LogicalResult compareGrads();
  LogicalResult save();

  EntryPoint forwardEntry, productEntry;
  ArrayMap named; // of an F.npz
  bool hasLseGrads = false;
  SmallVector<unsigned> differentiated; // argument numbers
  std::vector<Array> residuals, outputGrads, lseGrads, grads;
};
} // namespace

/// The number, if a name is the prefix and a number.
static std::optional<unsigned> numberAfter(StringRef name, StringRef prefix) {
  unsigned number = 0;
  if (name.consume_front(prefix) && !name.getAsInteger(10, number))
    return number;
  return std::nullopt;
}

LogicalResult GradientSession::checkRequest() {
  if (!request.fuse || request.trace || request.tune)
    return fail("--grad excludes --trace and --tune");
  if (!request.save.empty() && !StringRef(request.save).ends_with(".npz"))
    return fail("--save: expected F.npz for gradients, got '" + request.save +
                "'");
  return FileSession::checkRequest();
}

LogicalResult GradientSession::parse() {
  if (failed(FileSession::parse()))
    return failure();
  for (auto [i, argument] : llvm::enumerate(entry.arguments))
    if (argument.isTensor && ::attn::isFloat(argument.type))
      differentiated.push_back(i);
  return chooseArguments();
}

/// --grad-of: some of them.
LogicalResult GradientSession::chooseArguments() {
  if (request.gradOf.empty())
    return success();
  SmallVector<unsigned> chosen;
  SmallVector<StringRef> parts;
  StringRef(request.gradOf).split(parts, ',');
  for (StringRef part : parts) {
    unsigned number;
    if (part.trim().getAsInteger(10, number) ||
        !llvm::is_contained(differentiated, number)) {
      std::string numbers;
      for (unsigned k : differentiated)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(k);
      return fail("--grad-of: expected numbers of arguments that are arrays of "
                  "floats (" +
                  (numbers.empty() ? "there are none" : numbers) + "), got '" +
                  part + "'");
    }
    if (!llvm::is_contained(chosen, number))
      chosen.push_back(number);
  }
  llvm::sort(chosen);
  differentiated = std::move(chosen);
  pipeline.differentiateArguments.assign(differentiated.begin(),
                                         differentiated.end());
  return success();
}

LogicalResult GradientSession::prepareInputs() {
  if (failed(FileSession::prepareInputs()))
    return failure();
  if (StringRef(request.args).ends_with(".npz")) {
    auto map = ::attn::readNpz(request.args);
    if (!map)
      return fail(map.takeError());
    named = std::move(*map);
  }
  hasLseGrads = llvm::any_of(named.entries(), [](const ArrayMap::Entry &e) {
    return numberAfter(e.first, "dlse");
  });
  if (hasLseGrads && request.check)
    return fail("--grad --check: dlse0.. are gradients of log-sum-exps, "
                "which the unfused input does not return");
  SmallVector<unsigned> results;
  for (auto [i, result] : llvm::enumerate(entry.results))
    if (::attn::isFloat(result.type))
      results.push_back(i);
  return success(
      succeeded(checkNames("dout", results, "results of floats")) &&
      succeeded(checkNames("grad", differentiated, "arguments of floats")));
}

LogicalResult GradientSession::compile() {
  auto start = std::chrono::steady_clock::now();
  pipeline.differentiate = entry.name;
  pipeline.lseGradients = hasLseGrads;
  if (failed(
          runCompilerPipeline(*module, std::nullopt, Phase::Attn, pipeline))) {
    // What stayed unfused may be what has no derivative.
    for (const DeclinedRecord &record : findDeclined(*remarks))
      llvm::WithColor::note()
          << record.location
          << ": an attention was not fused: " << record.obligation
          << (record.obligation.empty() ? "" : ": ") << record.reason << '\n';
    return failure();
  }
  recordAttentions(/*keep=*/false);
  // The function itself is not run, nor what it alone calls; their attentions
  // are not reported.
  if (auto function = module->lookupSymbol<func::FuncOp>(entry.name);
      SymbolTable::symbolKnownUseEmpty(function, *module)) {
    function.erase();
    PassManager unused(&context);
    unused.addPass(createSymbolDCEPass());
    if (failed(unused.run(*module)))
      return failure();
  }
  report.attentions = findAttentions(*module);
  for (auto [suffix, signature] : {std::make_pair("_forward", &forwardEntry),
                                   std::make_pair("_vjp", &productEntry)}) {
    FailureOr<EntryPoint> found =
        getEntryPoint(module->lookupSymbol<func::FuncOp>(entry.name + suffix));
    if (failed(found))
      return failure();
    *signature = std::move(*found);
  }
  LogicalResult lowered = lowerAttentions();
  printRecorded();
  if (failed(lowered) || failed(compileModule()))
    return failure();
  report.compileMs =
      report.parseMs + std::chrono::duration<double, std::milli>(
                           std::chrono::steady_clock::now() - start)
                           .count();
  return checkRecognised();
}

/// An array that nothing reads is more likely a mistake than meant.
LogicalResult GradientSession::checkNames(StringRef prefix,
                                          ArrayRef<unsigned> known,
                                          StringRef what) {
  for (const ArrayMap::Entry &entry : named.entries()) {
    std::optional<unsigned> number = numberAfter(entry.first, prefix);
    if (!number || llvm::is_contained(known, *number))
      continue;
    std::string numbers;
    for (unsigned k : known)
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(k);
    return fail(request.args + ": expected " + prefix + " of " + what +
                " alone (" + (numbers.empty() ? "there are none" : numbers) +
                "), got '" + entry.first + "'");
  }
  return success();
}

/// prefix0, prefix1, ... in the shapes and types of `like`; seeded without
/// --args. What is no float has none.
LogicalResult GradientSession::takeGrads(StringRef prefix, ArrayRef<Array> like,
                                         std::vector<Array> &taken,
                                         uint64_t seed) {
  EntryPoint shapes;
  shapes.name = entry.name;
  for (const Array &array : like)
    shapes.arguments.push_back(
        {array.type, true,
         SmallVector<int64_t>(array.shape.begin(), array.shape.end())});
  auto seeded = makeInputs("", shapes, seed);
  if (!seeded)
    return fail(seeded.takeError());
  taken = std::move(seeded->arguments);
  bool given = llvm::any_of(named.entries(), [&](const ArrayMap::Entry &e) {
    return numberAfter(e.first, prefix).has_value();
  });
  if (!given) {
    // An exporter's file holds arguments and results.
    if (!request.args.empty())
      llvm::WithColor::note()
          << request.args << " has no " << prefix
          << "0, ...: gradients of the results are drawn at random\n";
    return success();
  }
  for (auto [i, array] : llvm::enumerate(like)) {
    std::string name = (prefix + Twine(i)).str();
    const Array *given = named.find(name);
    if (!given && ::attn::isFloat(array.type))
      return fail(request.args + ": expected '" + name + "', " +
                  array.typeString() +
                  ", the gradient of a result, beside the arguments");
    if (!given)
      continue;
    Array grad = given->type == DType::U16 && array.type == DType::BF16
                     ? given->reinterpretAs(DType::BF16)
                     : *given;
    if (grad.type != array.type || grad.shape != array.shape)
      return fail(request.args + ": expected '" + name + "' to be " +
                  array.typeString() + ", got " + grad.typeString());
    taken[i] = std::move(grad);
  }
  return success();
}

LogicalResult GradientSession::runForward() {
  report.threads = setNumThreads(request.threads);
  auto function = compiled->lookup(forwardEntry.name);
  if (!function)
    return fail(function.takeError());
  auto results = PreparedCall(forwardEntry, inputs.arguments).run(*function);
  if (!results)
    return fail(results.takeError());
  if (device)
    if (llvm::Error error = launchScope->takeError())
      return fail(std::move(error));
  size_t own = entry.results.size();
  std::vector<Array> outputs(results->begin(), results->begin() + own);
  residuals.assign(results->begin() + own, results->end());
  if (!inputs.expected.empty())
    report.checks.push_back(
        compareResults("file", outputs, inputs.expected, tolerances()));
  std::vector<Array> lses;
  for (size_t i = 1; i < residuals.size(); i += 2)
    lses.push_back(residuals[i]);
  if (failed(takeGrads("dout", outputs, outputGrads, 1)))
    return failure();
  if (!hasLseGrads)
    return success();
  if (failed(checkNames("dlse",
                        llvm::to_vector(llvm::seq<unsigned>(lses.size())),
                        "fused attentions")))
    return failure();
  return takeGrads("dlse", lses, lseGrads, 2);
}

LogicalResult GradientSession::runProduct() {
  std::vector<Array> arguments = inputs.arguments;
  llvm::append_range(arguments, residuals);
  for (auto [type, grad] : llvm::zip_equal(entry.results, outputGrads))
    if (type.isTensor && ::attn::isFloat(type.type))
      arguments.push_back(grad);
  llvm::append_range(arguments, lseGrads);
  if (llvm::Error error = checkArguments(productEntry, arguments))
    return fail(std::move(error));
  return callTimed(productEntry, arguments, grads);
}

LogicalResult GradientSession::compareGrads() {
  CheckRecord record;
  record.reference = "file (gradients)";
  bool any = false;
  for (auto [argument, grad] : llvm::zip_equal(differentiated, grads)) {
    std::string name = "grad" + std::to_string(argument);
    const Array *want = named.find(name);
    if (!want)
      continue;
    any = true;
    double tolerance = std::max(allowed(), getDefaultTolerance(grad.type));
    Comparison comparison = compare(grad, *want, tolerance);
    record.tolerance = std::max(record.tolerance, tolerance);
    record.maxAbsError = std::max(record.maxAbsError, comparison.maxAbsError);
    record.maxRelError = std::max(record.maxRelError, comparison.maxRelError);
    if (!comparison.agrees) {
      record.agrees = false;
      record.details.push_back(
          describe(comparison, name, grad, *want, tolerance));
    }
  }
  if (any)
    report.checks.push_back(std::move(record));
  if (!original)
    return success();
  auto checked =
      checkByDifferences(*original, entry.name, inputs.arguments, outputGrads,
                         differentiated, grads, allowed());
  if (!checked)
    return fail(checked.takeError());
  report.checks.push_back(std::move(*checked));
  return success();
}

LogicalResult GradientSession::save() {
  if (request.save.empty())
    return success();
  ArrayMap map;
  for (auto [argument, grad] : llvm::zip_equal(differentiated, grads))
    map.set("grad" + std::to_string(argument), grad);
  if (llvm::Error error = ::attn::writeNpz(request.save, map))
    return fail(std::move(error));
  return success();
}

RunStatus GradientSession::run() {
  bool done = succeeded(checkRequest()) && succeeded(openExecutor()) &&
              succeeded(parse()) && succeeded(prepareInputs()) &&
              succeeded(compile()) && succeeded(runForward()) &&
              succeeded(runProduct()) && succeeded(compareGrads()) &&
              succeeded(save());
  return statusOf(success(done));
}

RunStatus mlir::attn::runGradient(const RunRequest &request,
                                  RunReport &report) {
  return GradientSession(request, report).run();
}
