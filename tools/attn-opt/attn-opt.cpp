//===- attn-opt.cpp - mlir-opt with everything registered -----------------===//
#include "attn/Pipelines/Parse.h"
#include "attn/Pipelines/Registration.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Whether upstream's parser can take the text; says so where it cannot.
static LogicalResult check(llvm::MemoryBufferRef buffer) {
  MLIRContext context;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(
                                 buffer, /*RequiresNullTerminator=*/false),
                             llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  return attn::checkNesting(buffer, &context);
}

/// What MlirOptMain does with a file, which here is read once: it may be a
/// pipe.
static LogicalResult run(std::unique_ptr<llvm::MemoryBuffer> input,
                         StringRef outputFile, DialectRegistry &registry,
                         const MlirOptMainConfig &config) {
  std::string reason;
  auto output = openOutputFile(outputFile, &reason);
  if (!output) {
    llvm::errs() << reason << '\n';
    return failure();
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  DialectRegistry registry;
  attn::registerEveryDialect(registry);
  attn::registerEveryPass();
  auto [inputFile, outputFile] = registerAndParseCLIOptions(
      argc, argv, "attn-mlir optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  bool asksOnly = config.shouldListPasses() || config.shouldShowDialects();
  std::unique_ptr<llvm::MemoryBuffer> input;
  if (!asksOnly && inputFile == "-" &&
      llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to "
                    "interrupt)\n";
  if (!asksOnly)
    // Without one, MlirOptMain says what is wrong.
    input = openInputFile(inputFile);
  if (input && failed(check(*input)))
    return EXIT_FAILURE;
  if (input)
    return asMainReturnCode(
        run(std::move(input), outputFile, registry, config));
  return asMainReturnCode(
      MlirOptMain(argc, argv, inputFile, outputFile, registry));
}
