//===- Run.cpp - compile, run, check and time one file --------------------===//
#include "attn/Runtime/Run.h"
#include "FileSession.h"
#include "attn/Runtime/Trace.h"
#include <chrono>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;

namespace {
/// One run of a file for its results, step by step.
class Session : FileSession {
public:
  using FileSession::FileSession;
  RunStatus run();

private:
  LogicalResult checkRequest();
  LogicalResult compile();
  LogicalResult lower();
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

  std::vector<Array> results;
};
} // namespace

//===----------------------------------------------------------------------===//
// Before the run
//===----------------------------------------------------------------------===//

LogicalResult Session::checkRequest() {
  if (!request.tuneOut.empty() && !request.tune)
    return fail("--tune-out: expected --tune beside it");
  if (request.tuneSeconds && !request.tune)
    return fail("--tune-seconds: expected --tune beside it");
  if (request.tune && request.pipeline.countIo)
    return fail("--tune and --count-io exclude each other: counting code is "
                "slow");
  if (request.tune && request.executor != "cpu")
    return fail("--tune: expected --executor=cpu, got '" + request.executor +
                "'");
  return FileSession::checkRequest();
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

LogicalResult Session::lower() {
  if (!request.fuse)
    return runOraclePipeline(*module);
  if (failed(runCompilerPipeline(*module, std::nullopt, Phase::Attn, pipeline)))
    return failure();
  // What was fused is known before it is lowered, what was declined after.
  recordAttentions(/*keep=*/request.trace || request.tune);
  LogicalResult lowered = lowerAttentions();
  printRecorded();
  return lowered;
}

LogicalResult Session::compile() {
  auto start = std::chrono::steady_clock::now();
  if (failed(lower()) || failed(compileModule()))
    return failure();
  report.compileMs =
      report.parseMs + std::chrono::duration<double, std::milli>(
                           std::chrono::steady_clock::now() - start)
                           .count();
  return checkRecognised();
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

LogicalResult Session::execute() {
  report.threads = setNumThreads(request.threads);
  return callTimed(entry, inputs.arguments, results);
}

void Session::recordCheck(StringRef reference, ArrayRef<Array> want) {
  report.checks.push_back(
      compareResults(reference, results, want, tolerances()));
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
  asked.seconds = request.tuneSeconds;
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
  bool done = succeeded(checkRequest()) && succeeded(openExecutor()) &&
              succeeded(parse()) && succeeded(prepareInputs()) &&
              succeeded(compile()) && succeeded(execute()) &&
              succeeded(checkAgainstFile()) &&
              succeeded(checkAgainstOracle()) && succeeded(tune()) &&
              succeeded(trace()) && succeeded(save());
  if (done)
    recordRate();
  return statusOf(success(done));
}

RunStatus mlir::attn::run(const RunRequest &request, RunReport &report) {
  return Session(request, report).run();
}
