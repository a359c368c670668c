//===- Pipeline.cpp - passes and pipelines by name ------------------------===//
#include "attn-c/Pipeline.h"
#include "Support.h"
#include "attn-c/Dialects.h"
#include "attn/IR/AttnDialect.h"
#include "attn/Pipelines/Parse.h"
#include "attn/Pipelines/Registration.h"
#include "attn/Support/Nesting.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <mutex>

using namespace mlir;
using namespace mlir::attn;

void attnRegisterPasses(void) {
  static std::once_flag once;
  std::call_once(once, [] { registerEveryPass(); });
}

bool attnRegisterDialect(MlirDialectRegistry registry) {
  if (mlirDialectRegistryIsNull(registry))
    return false;
  unwrap(registry)->insert<AttnDialect>();
  return true;
}

bool attnRegisterAllDialects(MlirDialectRegistry registry) {
  if (mlirDialectRegistryIsNull(registry))
    return false;
  registerEveryDialect(*unwrap(registry));
  return true;
}

static llvm::Expected<std::string> runPipeline(StringRef text, StringRef name,
                                               StringRef pipeline) {
  // Passes nest by parentheses, which upstream follows by recursion.
  if (::attn::findDeepNesting(pipeline, ::attn::Syntax::MLIR))
    return llvm::createStringError("pipeline: " + ::attn::deepNestingMessage());
  std::string complaint;
  llvm::raw_string_ostream complaints(complaint);
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, complaints);
  if (failed(parsed))
    return llvm::createStringError(StringRef(complaint).rtrim());
  if (parsed->getOpAnchorName() != ModuleOp::getOperationName())
    return llvm::createStringError(
        "expected a pipeline 'builtin.module(...)', got '" + pipeline + "'");

  DialectRegistry registry;
  registerEveryDialect(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  std::vector<DiagnosticRecord> records;
  DiagnosticLog handler(&context, records);
  auto module = parseModule(text, name, &context);
  PassManager passes(&context);
  static_cast<OpPassManager &>(passes) = std::move(*parsed);
  if (!module || failed(passes.run(*module)))
    return llvm::make_error<LocatedError>(std::move(records));
  std::string result;
  llvm::raw_string_ostream(result) << *module << '\n';
  return result;
}

bool attnRunPipeline(const char *text, size_t length, const char *name,
                     const char *pipeline, AttnString *result,
                     AttnError **error) {
  if (result)
    *result = {nullptr, 0};
  if (llvm::Error bad = requirePointers({{"text", text},
                                         {"name", name},
                                         {"pipeline", pipeline},
                                         {"result", result}}))
    return report(std::move(bad), error);
  attnRegisterPasses();
  auto output = runPipeline(StringRef(text, length), name, pipeline);
  if (!output)
    return report(output.takeError(), error);
  *result = toOwnedString(*output);
  return true;
}
