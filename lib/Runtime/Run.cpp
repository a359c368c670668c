//===- Run.cpp - compile, run, check and time one file --------------------===//
#include "attn/Runtime/Run.h"
#include "attn/CostModel/Target.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Runtime/Compare.h"
#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/Inputs.h"
#include "attn/Runtime/RemarkLog.h"
#include "attn/Runtime/ShapeGuard.h"
#include "attn/Runtime/ToolOptions.h"
#include "attn/Runtime/Trace.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include <chrono>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;

namespace {
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// One run of a file, step by step. A step that fails has reported why.
class Session {
public:
  Session(const RunRequest &request, RunReport &report)
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

  LogicalResult checkRequest();
  LogicalResult parse();
  LogicalResult prepareInputs();
  LogicalResult compile();
  void recordAttentions();
  void recordDeclined();
  LogicalResult execute();
  LogicalResult checkAgainstFile();
  LogicalResult checkAgainstOracle();
  LogicalResult measureBaseline(PreparedCall &call,
                                CompiledModule::PackedFunction function,
                                double firstMs);
  void recordCheck(StringRef reference, ArrayRef<Array> want);
  void recordRate();
  LogicalResult trace();
  LogicalResult tune();
  LogicalResult save();

  const RunRequest &request;
  RunReport &report;
  MLIRContext context{MLIRContext::Threading::DISABLED};
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  std::shared_ptr<RemarkLog> remarks;
  OwningOpRef<ModuleOp> module, original, recognised;
  EntryPoint entry;
  InputSet inputs;
  std::unique_ptr<CompiledModule> compiled;
  CompiledModule::PackedFunction function = nullptr;
  std::vector<Array> results;
};
} // namespace

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

LogicalResult Session::checkRequest() {
  if (request.executor != "cpu")
    return fail("--executor: expected cpu, got '" + request.executor +
                "'; this build runs on the CPU only");
  if (llvm::StringRef name = request.pipeline.target; !name.empty()) {
    llvm::Expected<::attn::Target> target = ::attn::findTarget(name);
    if (!target)
      return fail(target.takeError());
    if (target->isGpu())
      return fail("--target: '" + name +
                  "' is a GPU, --executor=cpu runs code "
                  "for CPUs; choose another target or leave it out");
  }
  if (!request.args.empty() && !request.shapes.empty())
    return fail("--args and --shapes exclude each other: arrays bring their "
                "shapes along");
  if (llvm::Error error = checkRemarksPattern(request.remarks))
    return fail(std::move(error));
  if (!request.tuneOut.empty() && !request.tune)
    return fail("--tune-out: expected --tune beside it");
  if (request.tune && request.pipeline.countIo)
    return fail("--tune and --count-io exclude each other: counting code is "
                "slow");
  StringRef save = request.save;
  if (!save.empty() && !save.ends_with(".npz") && !save.ends_with(".npy"))
    return fail("--save: expected F.npz or F.npy, got '" + save + "'");
  return success();
}

LogicalResult Session::parse() {
  auto start = Clock::now();
  DialectRegistry registry;
  registerEveryDialect(registry);
  context.appendDialectRegistry(registry);
  // A location and a message say enough; the op may be a whole function.
  context.printOpOnDiagnostic(false);
  if (failed(recordRemarks(context, remarks)))
    return failure();
  module = parseSourceFile<ModuleOp>(request.input, sources, &context);
  if (!module)
    return failure();
  report.parseMs = millisecondsSince(start);
  FailureOr<func::FuncOp> found = findEntry(*module, request.entry);
  if (failed(found))
    return failure();
  FailureOr<EntryPoint> signature = getEntryPoint(*found);
  if (failed(signature))
    return failure();
  entry = std::move(*signature);
  report.entry = entry.name;
  return success();
}

LogicalResult Session::prepareInputs() {
  llvm::Expected<InputSet> loaded = request.args.empty()
                                        ? makeInputs(request.shapes, entry)
                                        : loadInputs(request.args, entry);
  if (!loaded)
    return fail(loaded.takeError());
  inputs = std::move(*loaded);
  if (!needsShapeGuard(entry))
    return success();
  OwningOpRef<ModuleOp> guard(module->clone());
  if (llvm::Error error = checkShapes(*guard, entry, inputs.arguments))
    return fail(std::move(error));
  return success();
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// What was fused is known before it is lowered, what was declined after.
void Session::recordAttentions() {
  report.attentions = findAttentions(*module);
}

void Session::recordDeclined() {
  printRemarks(*remarks, request.remarks, llvm::errs());
  report.declined = findDeclined(*remarks);
}

LogicalResult Session::compile() {
  // The oracle starts from what was read, not from what became of it.
  if (request.check)
    original = OwningOpRef<ModuleOp>(module->clone());
  auto start = Clock::now();
  if (request.fuse) {
    if (failed(runCompilerPipeline(*module, std::nullopt, Phase::Attn,
                                   request.pipeline)))
      return failure();
    recordAttentions();
    if (request.trace || request.tune)
      recognised = OwningOpRef<ModuleOp>(module->clone());
    LogicalResult lowered = runCompilerPipeline(*module, Phase::Attn,
                                                Phase::LLVM, request.pipeline);
    recordDeclined();
    if (failed(lowered))
      return failure();
  } else if (failed(runOraclePipeline(*module))) {
    return failure();
  }
  llvm::StringMap<void *> symbols;
  addIoSymbols(symbols);
  auto jit = CompiledModule::create(*module, Unrolling::AsWritten, symbols);
  if (!jit)
    return fail(jit.takeError());
  compiled = std::move(*jit);
  auto found = compiled->lookup(entry.name);
  if (!found)
    return fail(found.takeError());
  function = *found;
  report.compileMs = report.parseMs + millisecondsSince(start);
  return success();
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

LogicalResult Session::execute() {
  report.threads = setNumThreads(request.threads);
  PreparedCall call(entry, inputs.arguments);
  PreparedCall::Measurement measurement;
  resetIoCounts();
  auto first = call.run(function, &measurement, /*measureMemory=*/true);
  if (!first)
    return fail(first.takeError());
  results = std::move(*first);
  // Threads of a parallel loop run the same code, as deep as this one.
  report.peakExtraBytes =
      measurement.peakHeapBytes + measurement.stackBytes * report.threads;
  report.io = getIoCounts();
  if (!request.timed)
    return success();
  std::vector<double> times;
  for (unsigned i = 0; i < std::max(request.timedRuns, 1u); ++i) {
    auto again = call.run(function, &measurement);
    if (!again)
      return fail(again.takeError());
    times.push_back(measurement.milliseconds);
  }
  llvm::sort(times);
  report.time = TimingRecord{times.front(), times[times.size() / 2],
                             static_cast<unsigned>(times.size())};
  return success();
}

void Session::recordCheck(StringRef reference, ArrayRef<Array> want) {
  CheckRecord record;
  record.reference = reference.str();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(results, want))) {
    const Array &got = std::get<0>(pair), &expected = std::get<1>(pair);
    double tolerance = inputs.tolerance.value_or(getDefaultTolerance(got.type));
    record.tolerance = std::max(record.tolerance, tolerance);
    Comparison comparison = compare(got, expected, tolerance);
    record.maxAbsError = std::max(record.maxAbsError, comparison.maxAbsError);
    record.maxRelError = std::max(record.maxRelError, comparison.maxRelError);
    if (comparison.agrees)
      continue;
    record.agrees = false;
    record.details.push_back(describe(comparison, "out" + std::to_string(index),
                                      got, expected, tolerance));
  }
  report.checks.push_back(std::move(record));
}

LogicalResult Session::checkAgainstFile() {
  if (!inputs.expected.empty())
    recordCheck("file", inputs.expected);
  return success();
}

/// At most three runs in all, or ten seconds: the unfused code may be slow.
LogicalResult Session::measureBaseline(PreparedCall &call,
                                       CompiledModule::PackedFunction oracle,
                                       double firstMs) {
  double best = firstMs, total = firstMs;
  for (unsigned i = 1; i < 3 && total < 10000; ++i) {
    PreparedCall::Measurement measurement;
    auto again = call.run(oracle, &measurement);
    if (!again)
      return fail(again.takeError());
    best = std::min(best, measurement.milliseconds);
    total += measurement.milliseconds;
  }
  report.baselineMs = best;
  return success();
}

LogicalResult Session::checkAgainstOracle() {
  if (!original)
    return success();
  if (failed(runOraclePipeline(*original)))
    return failure();
  auto jit = CompiledModule::create(
      *original, request.timed ? Unrolling::Full : Unrolling::AsWritten);
  if (!jit)
    return fail(jit.takeError());
  auto oracle = (*jit)->lookup(entry.name);
  if (!oracle)
    return fail(oracle.takeError());
  PreparedCall call(entry, inputs.arguments);
  PreparedCall::Measurement measurement;
  auto want = call.run(*oracle, &measurement);
  if (!want)
    return fail(want.takeError());
  recordCheck("unfused", *want);
  if (!request.timed)
    return success();
  return measureBaseline(call, *oracle, measurement.milliseconds);
}

/// Products of all attentions by the time of the whole function; nothing where
/// the ledger had to assume extents.
void Session::recordRate() {
  if (!report.time || report.attentions.empty() || report.time->min == 0)
    return;
  double flops = 0;
  for (const AttentionRecord &attention : report.attentions) {
    const llvm::json::Object *ledger = attention.ledger.getAsObject();
    if (!ledger || ledger->getBoolean("assumed").value_or(true))
      return;
    flops += ledger->getNumber("flops").value_or(0);
  }
  report.gflops = flops / (report.time->min * 1e6);
}

LogicalResult Session::trace() {
  if (!request.trace)
    return success();
  // The trace consumes its module.
  OwningOpRef<ModuleOp> traced(recognised->clone());
  FailureOr<std::string> text =
      traceAttention(*traced, entry, inputs.arguments, request.traceRow);
  if (failed(text))
    return failure();
  report.trace = *text;
  return success();
}

LogicalResult Session::tune() {
  if (!request.tune)
    return success();
  TuneRequest asked;
  asked.pipeline = request.pipeline;
  asked.table = request.tuneOut;
  auto tuned = tuneAttentions(*recognised, entry, inputs.arguments, asked);
  if (!tuned)
    return fail(tuned.takeError());
  report.tunings = std::move(*tuned);
  return success();
}

LogicalResult Session::save() {
  if (request.save.empty())
    return success();
  if (StringRef(request.save).ends_with(".npz")) {
    ::attn::ArrayMap map;
    for (auto [index, array] : llvm::enumerate(results))
      map.set("out" + std::to_string(index), array);
    if (llvm::Error error = ::attn::writeNpz(request.save, map))
      return fail(std::move(error));
    return success();
  }
  if (results.empty())
    return fail("--save: @" + entry.name + " has no result to save");
  if (llvm::Error error = ::attn::writeNpy(
          request.save, results.front().convertTo(::attn::DType::F32)))
    return fail(std::move(error));
  return success();
}

RunStatus Session::run() {
  report.executor = request.executor;
  report.target =
      request.pipeline.target.empty() ? "host" : request.pipeline.target;
  if (failed(checkRequest()) || failed(parse()) || failed(prepareInputs()) ||
      failed(compile()) || failed(execute()) || failed(checkAgainstFile()) ||
      failed(checkAgainstOracle()) || failed(tune()) || failed(trace()) ||
      failed(save()))
    return RunStatus::Error;
  recordRate();
  return report.ok() ? RunStatus::Agrees : RunStatus::Disagrees;
}

RunStatus mlir::attn::run(const RunRequest &request, RunReport &report) {
  return Session(request, report).run();
}
