//===- Gradient.cpp - attn-run --grad -------------------------------------===//
#include "attn/Runtime/Gradient.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Runtime/Compare.h"
#include "attn/Runtime/Inputs.h"
#include "attn/Runtime/RemarkLog.h"
#include "attn/Runtime/ShapeGuard.h"
#include "attn/Runtime/ToolOptions.h"
#include "attn/Support/Npy.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include <chrono>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;
using ::attn::ArrayMap;
using ::attn::DType;

namespace {
/// A file's function with its gradients, step by step. A step that fails has
/// reported why.
class GradientSession {
public:
  GradientSession(const RunRequest &request, RunReport &report)
      : request(request), report(report), handler(sources, &context),
        remarks(std::make_shared<RemarkLog>()) {}

  RunStatus run();

private:
  LogicalResult fail(llvm::Error error) {
    llvm::WithColor::error() << llvm::toString(std::move(error)) << '\n';
    return failure();
  }
  LogicalResult fail(const Twine &message) {
    llvm::WithColor::error() << message << '\n';
    return failure();
  }

  /// The inputs' tolerance, the widest if each result has one.
  std::optional<double> allowed() const {
    if (inputs.tolerances.empty())
      return std::nullopt;
    return *llvm::max_element(inputs.tolerances);
  }

  LogicalResult checkRequest();
  LogicalResult parse();
  LogicalResult prepareInputs();
  LogicalResult compile();
  LogicalResult runForward();
  LogicalResult takeGrads(StringRef prefix, ArrayRef<Array> like,
                          std::vector<Array> &grads, uint64_t seed);
  LogicalResult runProduct();
  LogicalResult compareGrads();
  LogicalResult save();

  const RunRequest &request;
  RunReport &report;
  MLIRContext context{MLIRContext::Threading::DISABLED};
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  std::shared_ptr<RemarkLog> remarks;
  OwningOpRef<ModuleOp> module, original;
  EntryPoint entry, forwardEntry, productEntry;
  InputSet inputs;
  ArrayMap named; // of an F.npz
  bool hasLseGrads = false;
  std::unique_ptr<CompiledModule> compiled;
  SmallVector<unsigned> differentiated; // argument numbers
  std::vector<Array> residuals, outputGrads, lseGrads, grads;
};
} // namespace

LogicalResult GradientSession::checkRequest() {
  if (request.executor != "cpu")
    return fail("--grad: expected --executor=cpu, got '" + request.executor +
                "'");
  if (!request.fuse || request.trace || request.tune)
    return fail("--grad excludes --trace and --tune");
  if (!request.args.empty() && !request.shapes.empty())
    return fail("--args and --shapes exclude each other: arrays bring their "
                "shapes along");
  if (!request.save.empty() && !StringRef(request.save).ends_with(".npz"))
    return fail("--save: expected F.npz for gradients, got '" + request.save +
                "'");
  if (llvm::Error error = checkRemarksPattern(request.remarks))
    return fail(std::move(error));
  return success();
}

LogicalResult GradientSession::parse() {
  DialectRegistry registry;
  registerEveryDialect(registry);
  context.appendDialectRegistry(registry);
  context.printOpOnDiagnostic(false);
  if (failed(recordRemarks(context, remarks)))
    return failure();
  module = parseSourceFile<ModuleOp>(request.input, sources, &context);
  if (!module)
    return failure();
  FailureOr<func::FuncOp> found = findEntry(*module, request.entry);
  if (failed(found))
    return failure();
  FailureOr<EntryPoint> signature = getEntryPoint(*found);
  if (failed(signature))
    return failure();
  entry = std::move(*signature);
  report.entry = entry.name;
  for (auto [i, argument] : llvm::enumerate(entry.arguments))
    if (argument.isTensor && ::attn::isFloat(argument.type))
      differentiated.push_back(i);
  return success();
}

LogicalResult GradientSession::prepareInputs() {
  auto loaded = request.args.empty() ? makeInputs(request.shapes, entry)
                                     : loadInputs(request.args, entry);
  if (!loaded)
    return fail(loaded.takeError());
  inputs = std::move(*loaded);
  if (StringRef(request.args).ends_with(".npz")) {
    auto map = ::attn::readNpz(request.args);
    if (!map)
      return fail(map.takeError());
    named = std::move(*map);
  }
  hasLseGrads = named.find("dlse0") != nullptr;
  if (hasLseGrads && request.check)
    return fail("--grad --check: dlse0 is the gradient of a log-sum-exp, which "
                "the unfused input does not return");
  if (!needsShapeGuard(entry))
    return success();
  OwningOpRef<ModuleOp> guard(module->clone());
  if (llvm::Error error = checkShapes(*guard, entry, inputs.arguments))
    return fail(std::move(error));
  return success();
}

LogicalResult GradientSession::compile() {
  if (request.check)
    original = OwningOpRef<ModuleOp>(module->clone());
  auto start = std::chrono::steady_clock::now();
  PipelineOptions pipeline = request.pipeline;
  pipeline.differentiate = entry.name;
  pipeline.lseGradients = hasLseGrads;
  if (failed(runCompilerPipeline(*module, std::nullopt, Phase::Attn, pipeline)))
    return failure();
  // The function itself is not run.
  if (auto function = module->lookupSymbol<func::FuncOp>(entry.name);
      SymbolTable::symbolKnownUseEmpty(function, *module))
    function.erase();
  report.attentions = findAttentions(*module);
  for (auto [suffix, signature] : {std::make_pair("_forward", &forwardEntry),
                                   std::make_pair("_vjp", &productEntry)}) {
    FailureOr<EntryPoint> found =
        getEntryPoint(module->lookupSymbol<func::FuncOp>(entry.name + suffix));
    if (failed(found))
      return failure();
    *signature = std::move(*found);
  }
  LogicalResult lowered =
      runCompilerPipeline(*module, Phase::Attn, Phase::LLVM, pipeline);
  printRemarks(*remarks, request.remarks, llvm::errs());
  report.declined = findDeclined(*remarks);
  if (failed(lowered))
    return failure();
  llvm::StringMap<void *> symbols;
  addIoSymbols(symbols);
  auto jit = CompiledModule::create(*module, Unrolling::AsWritten, symbols);
  if (!jit)
    return fail(jit.takeError());
  compiled = std::move(*jit);
  report.compileMs = std::chrono::duration<double, std::milli>(
                         std::chrono::steady_clock::now() - start)
                         .count();
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
  if (request.args.empty())
    return success();
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
  size_t own = entry.results.size();
  std::vector<Array> outputs(results->begin(), results->begin() + own);
  residuals.assign(results->begin() + own, results->end());
  if (!inputs.expected.empty())
    report.checks.push_back(
        compareResults("file", outputs, inputs.expected, inputs.tolerances));
  std::vector<Array> lses;
  for (size_t i = 1; i < residuals.size(); i += 2)
    lses.push_back(residuals[i]);
  if (failed(takeGrads("dout", outputs, outputGrads, 1)))
    return failure();
  return hasLseGrads ? takeGrads("dlse", lses, lseGrads, 2) : success();
}

LogicalResult GradientSession::runProduct() {
  auto function = compiled->lookup(productEntry.name);
  if (!function)
    return fail(function.takeError());
  std::vector<Array> arguments = inputs.arguments;
  llvm::append_range(arguments, residuals);
  for (auto [type, grad] : llvm::zip_equal(entry.results, outputGrads))
    if (type.isTensor && ::attn::isFloat(type.type))
      arguments.push_back(grad);
  llvm::append_range(arguments, lseGrads);
  if (llvm::Error error = checkArguments(productEntry, arguments))
    return fail(std::move(error));
  PreparedCall call(productEntry, arguments);
  PreparedCall::Measurement measurement;
  resetIoCounts();
  auto first = call.run(*function, &measurement, /*measureMemory=*/true);
  if (!first)
    return fail(first.takeError());
  grads = std::move(*first);
  report.peakExtraBytes =
      measurement.peakHeapBytes + measurement.stackBytes * report.threads;
  report.io = getIoCounts();
  if (!request.timed)
    return success();
  std::vector<double> times;
  for (unsigned i = 0; i < std::max(request.timedRuns, 1u); ++i) {
    auto again = call.run(*function, &measurement);
    if (!again)
      return fail(again.takeError());
    times.push_back(measurement.milliseconds);
  }
  llvm::sort(times);
  report.time = TimingRecord{times.front(), times[times.size() / 2],
                             static_cast<unsigned>(times.size())};
  return success();
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
    double tolerance = allowed().value_or(getDefaultTolerance(grad.type));
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
  report.executor = request.executor;
  report.target =
      request.pipeline.target.empty() ? "host" : request.pipeline.target;
  if (failed(checkRequest()) || failed(parse()) || failed(prepareInputs()) ||
      failed(compile()) || failed(runForward()) || failed(runProduct()) ||
      failed(compareGrads()) || failed(save()))
    return RunStatus::Error;
  return report.ok() ? RunStatus::Agrees : RunStatus::Disagrees;
}

RunStatus mlir::attn::runGradient(const RunRequest &request,
                                  RunReport &report) {
  return GradientSession(request, report).run();
}
