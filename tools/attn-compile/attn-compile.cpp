//===- attn-compile.cpp - a file to IR, an object or a library ------------===//
#include "attn/Pipelines/Parse.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Runtime/Emit.h"
#include "attn/Runtime/RemarkLog.h"
#include "attn/Runtime/ToolOptions.h"
#include "attn/Support/AtomicFile.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
struct Options {
  std::string input, entry, output, emit = "llvm", remarks;
  PipelineOptions pipeline;
};
} // namespace

static LogicalResult fail(const Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return failure();
}

static LogicalResult fail(llvm::Error error) {
  return fail(llvm::toString(std::move(error)));
}

static LogicalResult write(StringRef path, StringRef contents) {
  if (path.empty() || path == "-") {
    llvm::outs() << contents;
    return success();
  }
  if (llvm::Error error = ::attn::writeFileAtomically(path, contents))
    return fail(std::move(error));
  return success();
}

static LogicalResult compile(const Options &options) {
  llvm::Expected<Emission> emission = findEmission(options.emit);
  if (!emission)
    return fail(emission.takeError());
  if (emission->isBinary() && (options.output.empty() || options.output == "-"))
    return fail("--emit=" + options.emit + " expects -o=FILE");
  if (llvm::Error error = checkRemarksPattern(options.remarks))
    return fail(std::move(error));

  DialectRegistry registry;
  registerEveryDialect(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  auto remarks = std::make_shared<RemarkLog>();
  if (failed(recordRemarks(context, remarks)))
    return failure();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseModuleFile(options.input, sources, &context);
  if (!module)
    return failure();
  FailureOr<Emitted> emitted =
      emit(*module, *emission, options.entry, options.pipeline);
  printRemarks(*remarks, options.remarks, llvm::errs());
  if (failed(emitted))
    return failure();
  if (failed(write(options.output, emitted->contents)))
    return failure();
  // After its kernels: a manifest that is there describes what is there.
  if (emitted->manifest && !options.output.empty() && options.output != "-")
    return write(options.output + ".json", *emitted->manifest);
  return success();
}

int main(int argc, char **argv) {
  constexpr int failureCode = 2;
  Options options;
  CommandLine line("attn-compile IN.mlir --emit=KIND -o=OUT [options]",
                   "Compiles a file and writes the IR of a phase, an object "
                   "file, a shared library, or kernels as PTX or cubin with "
                   "their launch manifest, OUT.json.");
  line.text("entry", options.entry, "NAME",
            "keep this function public and no other");
  line.text("emit", options.emit, getEmissionNames("|"),
            "what to write (default: llvm)");
  line.text("o", options.output, "OUT", "where to (default: stdout, for IR)");
  addPipelineOptions(line, options.pipeline);
  addRemarksOption(line, options.remarks);
  std::vector<std::string> inputs;
  if (llvm::Error error = line.parse(argc, argv, inputs)) {
    (void)fail(std::move(error));
    return failureCode;
  }
  if (line.helpRequested()) {
    line.printHelp(llvm::outs());
    return 0;
  }
  if (inputs.size() != 1) {
    (void)fail("expected one input file, got " + Twine(inputs.size()) +
               "; usage: attn-compile IN.mlir --emit=KIND -o=OUT");
    return failureCode;
  }
  options.input = inputs.front();
  return succeeded(compile(options)) ? 0 : failureCode;
}
