//===- attn-run.cpp - compile a file, run it, check it, time it -----------===//
#include "attn/Runtime/CommandLine.h"
#include "attn/Runtime/Gradient.h"
#include "attn/Runtime/RunKernels.h"
#include "attn/Runtime/ToolOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"

using namespace mlir::attn;

namespace {
struct Options {
  RunRequest run;
  KernelRequest kernels; ///< of --ptx
  std::string executor;
  bool json = false, grad = false;

  bool launchesPtx() const {
    return !kernels.ptx.empty() || !kernels.manifest.empty();
  }
};
} // namespace

static void addOptions(CommandLine &line, Options &options) {
  RunRequest &request = options.run;
  line.text("entry", request.entry, "NAME",
            "function to run (default: main, else the only public one)");
  line.text("executor", options.executor, "cpu|emulator|cuda",
            "where kernels run: this CPU, the PTX emulator, a GPU (default: "
            "cpu; with --ptx emulator)");
  line.text("ptx", options.kernels.ptx, "F",
            "run these kernels instead of compiling a file");
  line.text("manifest", options.kernels.manifest, "F",
            "how to launch them (docs/Manifest.md)");
  line.text("args", request.args, "F.npz|a.npy,b.npy",
            "arrays arg0.. to run on, and out0.. to compare with");
  line.text("shapes", request.shapes, "2x4x37x32,...",
            "shapes of seeded inputs, for dynamic dims");
  line.text("save", request.save, "F.npz|F.npy", "write the results");
  line.flag("check", request.check,
            "compare with the unfused input, lowered by upstream passes");
  line.optionalNumber("time", request.timed, request.timedRuns, "N",
                      "time N runs, and the unfused input with --check");
  line.optionalNumber("trace", request.trace, request.traceRow, "ROW",
                      "print the recurrence per key block for a row");
  line.number("threads", request.threads, "N", "threads (default: all cores)");
  line.flag("json", options.json, "print the report as JSON");
  addPipelineOptions(line, request.pipeline);
  addRemarksOption(line, request.remarks);
  line.flag("tune", request.tune,
            "time a grid of tilings and say where the chosen one stands");
  line.text("tune-out", request.tuneOut, "F",
            "table of tilings to write, or to go on with (--tune)");
  line.number("tune-seconds", request.tuneSeconds, "S",
              "stop after S seconds; --tune-out goes on there next time");
  line.flag("count-io", request.pipeline.countIo,
            "count the elements that tiles move, by operand");
  line.flag("grad", options.grad,
            "gradients of all float arguments; reads dout0.., saves grad0..");
  line.text("grad-of", request.gradOf, "I,J,..",
            "of these arguments alone, by number (--grad)");
}

static int usageError(const llvm::Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return static_cast<int>(RunStatus::Error);
}

/// Options that mean something without a compiler.
static constexpr llvm::StringLiteral launchOptions[] = {
    "executor", "ptx", "manifest", "args", "save", "time", "threads", "json"};

/// Runs kernels that come as PTX; what only a compiled file has is refused.
static RunStatus launchPtx(const Options &options, const CommandLine &line,
                           RunReport &report) {
  const RunRequest &run = options.run;
  KernelRequest request = options.kernels;
  if (request.ptx.empty() || request.manifest.empty()) {
    usageError("expected --ptx=F and --manifest=F together");
    return RunStatus::Error;
  }
  for (llvm::StringRef name : line.given())
    if (!llvm::is_contained(launchOptions, name)) {
      usageError("--ptx excludes --" + name +
                 ", which says what to do with a file that is compiled; "
                 "kernels take --" +
                 llvm::join(llvm::ArrayRef(launchOptions), ", --"));
      return RunStatus::Error;
    }
  request.args = run.args;
  request.save = run.save;
  request.executor = options.executor.empty() ? "emulator" : options.executor;
  request.timed = run.timed;
  request.timedRuns = run.timedRuns;
  request.threads = run.threads;
  return runKernels(request, report);
}

int main(int argc, char **argv) {
  Options options;
  CommandLine line("attn-run IN.mlir [options]",
                   "Compiles a function, runs it and reports what was fused, "
                   "how fast it is and how exact.");
  addOptions(line, options);
  std::vector<std::string> inputs;
  if (llvm::Error error = line.parse(argc, argv, inputs))
    return usageError(llvm::toString(std::move(error)));
  if (line.helpRequested()) {
    line.printHelp(llvm::outs());
    return 0;
  }
  RunRequest &request = options.run;
  size_t wanted = options.launchesPtx() ? 0 : 1;
  if (inputs.size() != wanted)
    return usageError((wanted ? "expected one input file, got "
                              : "expected no input file beside --ptx, got ") +
                      llvm::Twine(inputs.size()) +
                      "; usage: attn-run IN.mlir [options]");
  // OpenMP's runtime aborts where the system refuses it a thread.
  constexpr unsigned kMostThreads = 1024;
  if (request.threads > kMostThreads)
    return usageError("expected at most " + llvm::Twine(kMostThreads) +
                      " in --threads, got " + llvm::Twine(request.threads));
  request.pipeline.cores = request.threads;
  if (!request.gradOf.empty() && !options.grad)
    return usageError("--grad-of: expected --grad beside it");

  RunReport report;
  RunStatus status;
  if (options.launchesPtx()) {
    status = launchPtx(options, line, report);
  } else {
    request.input = inputs.front();
    if (!options.executor.empty())
      request.executor = options.executor;
    status = options.grad ? runGradient(request, report) : run(request, report);
  }
  // Nothing was found out where an error was reported.
  if (status == RunStatus::Error ||
      (status == RunStatus::Disagrees && report.checks.empty()))
    return static_cast<int>(status);
  if (options.json)
    llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(report.toJson()))
                 << '\n';
  else
    report.print(llvm::outs());
  return static_cast<int>(status);
}
