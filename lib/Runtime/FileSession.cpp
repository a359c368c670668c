//===- FileSession.cpp - what every run of a file begins with -------------===//
#include "FileSession.h"
#include "attn/CostModel/Target.h"
#include "attn/Pipelines/Parse.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Runtime/Diagnostics.h"
#include "attn/Runtime/KernelBuild.h"
#include "attn/Runtime/ShapeGuard.h"
#include "attn/Runtime/Tolerance.h"
#include "attn/Runtime/ToolOptions.h"
#include "llvm/Support/WithColor.h"
#include <chrono>

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;

using Clock = std::chrono::steady_clock;

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

LogicalResult FileSession::fail(llvm::Error error) {
  // A kernel that does wrong is a wrong result, found early.
  if (error.isA<::attn::emulator::LaunchError>())
    failureStatus = RunStatus::Disagrees;
  printError(std::move(error));
  return failure();
}

LogicalResult FileSession::fail(const Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return failure();
}

LogicalResult FileSession::checkRequest() {
  if (!request.args.empty() && !request.shapes.empty())
    return fail("--args and --shapes exclude each other: arrays bring their "
                "shapes along");
  if (llvm::Error error = checkRemarksPattern(request.remarks))
    return fail(std::move(error));
  if (llvm::Error error = checkSavePath(request.save))
    return fail(std::move(error));
  return success();
}

LogicalResult FileSession::openExecutor() {
  report.executor = request.executor;
  ::attn::emulator::LaunchOptions options;
  options.threads = request.threads;
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

LogicalResult FileSession::parse() {
  auto start = Clock::now();
  DialectRegistry registry;
  registerEveryDialect(registry);
  context.appendDialectRegistry(registry);
  // A location and a message say enough; the op may be a whole function.
  context.printOpOnDiagnostic(false);
  if (failed(recordRemarks(context, remarks)))
    return failure();
  module = parseModuleFile(request.input, sources, &context);
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
  defaultTolerances = tolerancesOfResults(*found);
  // The oracle starts from what was read, not from what became of it.
  if (request.check)
    original = OwningOpRef<ModuleOp>(module->clone());
  return success();
}

LogicalResult FileSession::prepareInputs() {
  auto loaded = request.args.empty() ? makeInputs(request.shapes, entry)
                                     : loadInputs(request.args, entry);
  if (!loaded)
    return fail(loaded.takeError());
  inputs = std::move(*loaded);
  if (llvm::Error error = checkShapes(*module, entry, inputs.arguments))
    return fail(std::move(error));
  return success();
}

void FileSession::recordAttentions(bool keep) {
  report.attentions = findAttentions(*module);
  if (keep || (needsShapeGuard(entry) && !report.attentions.empty()))
    recognised = OwningOpRef<ModuleOp>(module->clone());
}

LogicalResult FileSession::checkRecognised() {
  if (!recognised)
    return success();
  if (llvm::Error error = checkShapes(*recognised, entry, inputs.arguments))
    return fail(std::move(error));
  return success();
}

LogicalResult FileSession::lowerAttentions() {
  if (!device)
    return runCompilerPipeline(*module, Phase::Attn, Phase::LLVM, pipeline);
  // With tilings that the assembler, where there is one, lets stand.
  FailureOr<KernelBuild> build = buildKernels(*module, entry.name, pipeline);
  if (failed(build))
    return failure();
  report.attentions = std::move(build->attentions);
  report.assembly = std::move(build->assembly);
  kernelOperands = std::move(build->operands);
  return runCompilerPipeline(*module, Phase::Host, Phase::LLVM, pipeline);
}

LogicalResult FileSession::compileModule() {
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
  return success();
}

/// What was declined is known once everything is lowered.
void FileSession::printRecorded() {
  printRemarks(*remarks, request.remarks, llvm::errs());
  report.declined = findDeclined(*remarks);
}

LogicalResult FileSession::callTimed(const EntryPoint &called,
                                     ArrayRef<Array> arguments,
                                     std::vector<Array> &results) {
  auto function = compiled->lookup(called.name);
  if (!function)
    return fail(function.takeError());
  PreparedCall call(called, arguments);
  PreparedCall::Measurement measurement;
  resetIoCounts();
  // The emulator is no part of the program; its stack and heap are not either.
  auto first = call.run(*function, &measurement, /*measureMemory=*/!device);
  if (!first)
    return fail(first.takeError());
  results = std::move(*first);
  if (device) {
    if (llvm::Error error = launchScope->takeError())
      return fail(std::move(error));
    // What the kernels of the first run did, by the operands they hold.
    report.kernels = device->launches();
    report.io = countIo(report.kernels, kernelOperands);
    nameBuffers(report.kernels, kernelOperands);
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
    auto again = call.run(*function, &measurement);
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

RunStatus FileSession::statusOf(LogicalResult done) const {
  if (failed(done))
    return failureStatus;
  return report.ok() ? RunStatus::Agrees : RunStatus::Disagrees;
}
