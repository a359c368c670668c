//===- attn-reduce.cpp - smaller files, by our steps or upstream's --------===//
//
// With --test=SCRIPT a function is taken apart op by op (Reduce.h). With
// --reduction-tree or --opt-reduction-pass this is mlir-reduce, which knows
// attn.
//
//===----------------------------------------------------------------------===//
#include "Reduce.h"
#include "attn/Pipelines/Parse.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Runtime/CommandLine.h"
#include "attn/Support/AtomicFile.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::attn;

static int fail(llvm::Error error) {
  llvm::WithColor::error() << llvm::toString(std::move(error)) << '\n';
  return 1;
}

static int reduceBySteps(int argc, char **argv, MLIRContext &context) {
  std::string script, output = "-";
  CommandLine line("attn-reduce IN.mlir --test=SCRIPT [-o=OUT]",
                   "Takes a file apart for as long as SCRIPT, called with a "
                   "candidate's path, ends with exit code 1.");
  line.text("test", script, "SCRIPT", "finds a file interesting");
  line.text("o", output, "OUT", "where to (default: stdout)");
  std::vector<std::string> inputs;
  if (llvm::Error error = line.parse(argc, argv, inputs))
    return fail(std::move(error));
  if (line.helpRequested()) {
    line.printHelp(llvm::outs());
    return 0;
  }
  if (inputs.size() != 1)
    return fail(llvm::createStringError("expected one input file, got " +
                                        Twine(inputs.size())));
  // The script is no command to be looked for: a path, from here.
  SmallString<128> path(script);
  if (std::error_code code = llvm::sys::fs::make_absolute(path))
    return fail(llvm::createStringError(script + ": " + code.message()));
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseModuleFile(inputs.front(), sources, &context);
  if (!module)
    return 1;
  auto report = reduce(module, path);
  if (!report)
    return fail(report.takeError());
  std::string text;
  llvm::raw_string_ostream(text) << *module << '\n';
  if (output == "-")
    llvm::outs() << text;
  else if (llvm::Error error = ::attn::writeFileAtomically(output, text))
    return fail(std::move(error));
  llvm::errs() << report->before << " ops before, " << report->after
               << " after, " << report->runs << " runs of the script\n";
  return 0;
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerEveryDialect(registry);
  registerEveryPass();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  if (llvm::any_of(ArrayRef(argv, argc), [](StringRef argument) {
        return argument.ltrim('-').starts_with("test=") ||
               argument.ltrim('-') == "test";
      }))
    return reduceBySteps(argc, argv, context);
  // Upstream's main reads the file by itself: whatever of the command line is
  // one is looked at first.
  for (int i = 1; i < argc; ++i) {
    llvm::SourceMgr sources;
    SourceMgrDiagnosticHandler handler(sources, &context);
    if (auto file = llvm::MemoryBuffer::getFile(argv[i]);
        file && failed(checkNesting(**file, &context)))
      return 1;
  }
  return failed(mlirReduceMain(argc, argv, context));
}
