//===- Run.cpp - compile, run, check and time one file --------------------===//
#include "attn/Runtime/Run.h"
#include "attn/CostModel/Target.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/Inputs.h"
#include "attn/Runtime/LaunchSites.h"
#include "attn/Runtime/RemarkLog.h"
#include "attn/Runtime/Results.h"
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
    // A kernel that does wrong is a wrong result, found early.
    if (error.isA<::attn::emulator::LaunchError>())
      failureStatus = RunStatus::Disagrees;
    llvm::WithColor::error() << llvm::toString(std::move(error)) << '\n';
    return failure();
  }
  LogicalResult fail(const Twine &message) {
    llvm::WithColor::error() << message << '\n';
    return failure();
  }

  LogicalResult checkRequest();
  LogicalResult openExecutor();
  LogicalResult parse();
  LogicalResult prepareInputs();
  LogicalResult compile();
  LogicalResult lower();
  void recordAttentions();
  void recordDeclined();
  LogicalResult execute();
  LogicalResult checkAgainstFile();
  LogicalResult checkAgainstOracle();
  LogicalResult measureBaseline(PreparedCall &call,
                                CompiledModule::PackedFunction function,
                                double firstMs);
  void recordCheck(StringRef reference, ArrayRef<Array> want);
  void recordKernels();
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
  PipelineOptions pipeline;
  KernelOperands kernelOperands;
  // Compiled code gives back to the device what it holds when it goes.
  std::unique_ptr<LaunchDevice> device; ///< null: the CPU
  std::optional<LaunchScope> launchScope;
  std::unique_ptr<CompiledModule> compiled;
  CompiledModule::PackedFunction function = nullptr;
  std::vector<Array> results;
  RunStatus failureStatus = RunStatus::Error;
};
} // namespace

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

LogicalResult Session::checkRequest() {
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
  if (request.tune && request.executor != "cpu")
    return fail("--tune: expected --executor=cpu, got '" + request.executor +
                "'");
  if (llvm::Error error = checkSavePath(request.save))
    return fail(std::move(error));
  return success();
}

/// The machine that code is made for, and the device that runs its kernels.
LogicalResult Session::openExecutor() {
  ::attn::emulator::LaunchOptions options;
  options.threads = request.threads;
  pipeline = request.pipeline;
  auto created = createExecutor(request.executor, options);
  if (!created)
    return fail(created.takeError());
  device = std::move(*created);
  if (device) {
    launchScope.emplace(*device);
    if (pipeline.target.empty())
      pipeline.target = device->chip();
  }
  report.target = pipeline.target.empty() ? "host" : pipeline.target;
  if (pipeline.target.empty())
    return success();
  llvm::Expected<::attn::Target> target = ::attn::findTarget(pipeline.target);
  if (!target)
    return fail(target.takeError());
  if (target->isGpu() == (device != nullptr))
    return success();
  return fail("--target: '" + pipeline.target +
              (device ? "' is a CPU, --executor=" + request.executor +
                            " runs code for GPUs"
                      : "' is a GPU, --executor=cpu runs code for CPUs") +
              "; choose another target or leave it out");
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

LogicalResult Session::lower() {
  if (!request.fuse)
    return runOraclePipeline(*module);
  if (failed(runCompilerPipeline(*module, std::nullopt, Phase::Attn, pipeline)))
    return failure();
  recordAttentions();
  if (request.trace || request.tune)
    recognised = OwningOpRef<ModuleOp>(module->clone());
  Phase reached = device ? Phase::Gpu : Phase::Attn;
  LogicalResult lowered =
      runCompilerPipeline(*module, Phase::Attn, reached, pipeline);
  if (succeeded(lowered) && device)
    kernelOperands = findKernelOperands(*module);
  if (succeeded(lowered))
    lowered = runCompilerPipeline(*module, reached, Phase::LLVM, pipeline);
  recordDeclined();
  return lowered;
}

LogicalResult Session::compile() {
  // The oracle starts from what was read, not from what became of it.
  if (request.check)
    original = OwningOpRef<ModuleOp>(module->clone());
  auto start = Clock::now();
  if (failed(lower()))
    return failure();
  llvm::StringMap<void *> symbols;
  addIoSymbols(symbols);
  addLaunchSymbols(symbols);
  auto jit = CompiledModule::create(*module, Unrolling::AsWritten, symbols);
  if (!jit)
    return fail(jit.takeError());
  compiled = std::move(*jit);
  // Kernels were loaded.
  if (launchScope)
    if (llvm::Error error = launchScope->takeError())
      return fail(std::move(error));
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
  // The emulator is no part of the program; its stack and heap are not either.
  auto first = call.run(function, &measurement, /*measureMemory=*/!device);
  if (!first)
    return fail(first.takeError());
  results = std::move(*first);
  if (device) {
    if (llvm::Error error = launchScope->takeError())
      return fail(std::move(error));
    recordKernels();
  } else {
    // Threads of a parallel loop run the same code, as deep as this one.
    report.peakExtraBytes =
        measurement.peakHeapBytes + measurement.stackBytes * report.threads;
    report.io = getIoCounts();
  }
  if (!request.timed)
    return success();
  std::vector<double> times;
  for (unsigned i = 0; i < std::max(request.timedRuns, 1u); ++i) {
    auto again = call.run(function, &measurement);
    if (!again)
      return fail(again.takeError());
    times.push_back(measurement.milliseconds);
  }
  if (launchScope)
    if (llvm::Error error = launchScope->takeError())
      return fail(std::move(error));
  llvm::sort(times);
  report.time = TimingRecord{times.front(), times[times.size() / 2],
                             static_cast<unsigned>(times.size())};
  return success();
}

/// What the kernels of the first run did; buffers by the operands they hold.
void Session::recordKernels() {
  report.kernels = device->launches();
  report.io = countIo(report.kernels, kernelOperands);
  nameBuffers(report.kernels, kernelOperands);
}

void Session::recordCheck(StringRef reference, ArrayRef<Array> want) {
  report.checks.push_back(
      compareResults(reference, results, want, inputs.tolerances));
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
  if (llvm::Error error = saveResults(request.save, results))
    return fail(std::move(error));
  return success();
}

RunStatus Session::run() {
  report.executor = request.executor;
  if (failed(checkRequest()) || failed(openExecutor()) || failed(parse()) ||
      failed(prepareInputs()) || failed(compile()) || failed(execute()) ||
      failed(checkAgainstFile()) || failed(checkAgainstOracle()) ||
      failed(tune()) || failed(trace()) || failed(save()))
    return failureStatus;
  recordRate();
  return report.ok() ? RunStatus::Agrees : RunStatus::Disagrees;
}

RunStatus mlir::attn::run(const RunRequest &request, RunReport &report) {
  return Session(request, report).run();
}
