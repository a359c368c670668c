//===- FileSession.h - what every run of a file begins with -----*- C++ -*-===//
//
// A file is read, its function found, its arrays taken or drawn, its shapes
// tried; compiled code is called once for its results and memory, then again
// for its time. Results (Run.cpp) and gradients (Gradient.cpp) differ only in
// what is compiled and what is compared.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RUNTIME_FILESESSION_H
#define ATTN_LIB_RUNTIME_FILESESSION_H

#include "attn/Runtime/Inputs.h"
#include "attn/Runtime/LaunchSites.h"
#include "attn/Runtime/RemarkLog.h"
#include "attn/Runtime/Run.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::attn {

/// A step that fails has reported why, on stderr.
class FileSession {
public:
  FileSession(const RunRequest &request, RunReport &report)
      : request(request), report(report), pipeline(request.pipeline),
        handler(sources, &context), remarks(std::make_shared<RemarkLog>()) {}

protected:
  LogicalResult fail(llvm::Error error);
  LogicalResult fail(const Twine &message);

  /// What no run of a file accepts.
  LogicalResult checkRequest();
  /// The machine that code is made for, and the device that runs its kernels.
  LogicalResult openExecutor();
  /// The module, its entry, and the tolerance of its results.
  LogicalResult parse();
  LogicalResult prepareInputs();
  /// Reports the attentions that were found. Keeps the module as it is then,
  /// where asked for, or where their operands are checked against each other.
  void recordAttentions(bool keep);
  LogicalResult checkRecognised();
  /// From Phase::Attn to LLVM; on a device also which operands its kernels
  /// hold.
  LogicalResult lowerAttentions();
  LogicalResult compileModule();
  /// Calls a function of the compiled module: once for results and memory,
  /// again as often as the request times it.
  LogicalResult callTimed(const EntryPoint &called,
                          ArrayRef<::attn::Array> arguments,
                          std::vector<::attn::Array> &results);
  void printRecorded();
  RunStatus statusOf(LogicalResult done) const;

  /// The inputs' tolerances; without them those of the function's types.
  ArrayRef<double> tolerances() const {
    return inputs.tolerances.empty() ? defaultTolerances : inputs.tolerances;
  }

  const RunRequest &request;
  RunReport &report;
  PipelineOptions pipeline; // with the target of the executor
  MLIRContext context{MLIRContext::Threading::DISABLED};
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  std::shared_ptr<RemarkLog> remarks;
  OwningOpRef<ModuleOp> module;
  OwningOpRef<ModuleOp> original;   // as it was read, with `check`
  OwningOpRef<ModuleOp> recognised; // with attentions as ops, if it was kept
  EntryPoint entry;
  InputSet inputs;
  std::vector<double> defaultTolerances;
  KernelOperands kernelOperands;
  // Compiled code gives back to the device what it holds when it goes.
  std::unique_ptr<LaunchDevice> device; // null: the CPU
  std::optional<LaunchScope> launchScope;
  std::unique_ptr<CompiledModule> compiled;
  RunStatus failureStatus = RunStatus::Error;
};

} // namespace mlir::attn

#endif // ATTN_LIB_RUNTIME_FILESESSION_H
