//===- attn-run.cpp - compile a file, run it, check it, time it -----------===//
#include "attn/Runtime/CommandLine.h"
#include "attn/Runtime/Run.h"
#include "attn/Runtime/ToolOptions.h"
#include "llvm/Support/WithColor.h"

using namespace mlir::attn;

/// Options of the design that other builds will have; named so that a user
/// learns that the spelling is right and the feature absent.
struct Absent {
  bool grad = false;
  std::string ptx, manifest;

  const char *first() const {
    if (grad)
      return "--grad";
    if (!ptx.empty() || !manifest.empty())
      return "--ptx";
    return nullptr;
  }
};

static void addOptions(CommandLine &line, RunRequest &request, Absent &absent,
                       bool &json) {
  line.text("entry", request.entry, "NAME",
            "function to run (default: main, else the only public one)");
  line.text("executor", request.executor, "cpu", "where to run");
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
  line.flag("json", json, "print the report as JSON");
  addPipelineOptions(line, request.pipeline);
  addRemarksOption(line, request.remarks);
  line.flag("tune", request.tune,
            "time a grid of tilings and say where the chosen one stands");
  line.text("tune-out", request.tuneOut, "F",
            "table of tilings to write, or to go on with (--tune)");
  line.flag("count-io", request.pipeline.countIo,
            "count the elements that tiles move, by operand");
  line.flag("grad", absent.grad, "not in this build");
  line.text("ptx", absent.ptx, "F", "not in this build");
  line.text("manifest", absent.manifest, "F", "not in this build");
}

static int usageError(const llvm::Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return static_cast<int>(RunStatus::Error);
}

int main(int argc, char **argv) {
  RunRequest request;
  Absent absent;
  bool json = false;
  CommandLine line("attn-run IN.mlir [options]",
                   "Compiles a function, runs it and reports what was fused, "
                   "how fast it is and how exact.");
  addOptions(line, request, absent, json);
  std::vector<std::string> inputs;
  if (llvm::Error error = line.parse(argc, argv, inputs))
    return usageError(llvm::toString(std::move(error)));
  if (line.helpRequested()) {
    line.printHelp(llvm::outs());
    return 0;
  }
  if (const char *name = absent.first())
    return usageError(llvm::Twine(name) +
                      " is not supported yet by this build");
  if (inputs.size() != 1)
    return usageError("expected one input file, got " +
                      llvm::Twine(inputs.size()) +
                      "; usage: attn-run IN.mlir [options]");
  request.input = inputs.front();
  // OpenMP's runtime aborts where the system refuses it a thread.
  constexpr unsigned kMostThreads = 1024;
  if (request.threads > kMostThreads)
    return usageError("expected at most " + llvm::Twine(kMostThreads) +
                      " in --threads, got " + llvm::Twine(request.threads));
  request.pipeline.cores = request.threads;

  RunReport report;
  RunStatus status = run(request, report);
  if (status != RunStatus::Error) {
    if (json)
      llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(report.toJson()))
                   << '\n';
    else
      report.print(llvm::outs());
  }
  return static_cast<int>(status);
}
