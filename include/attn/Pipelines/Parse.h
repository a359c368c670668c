//===- Parse.h - MLIR text from anywhere ------------------------*- C++ -*-===//
//
// How the tools and libraries read a module. Beside upstream's parser there is
// a check of how deep the text nests (attn/Support/Nesting.h), so that no input
// ends the process; whatever is wrong is a diagnostic of the context, with its
// place.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_PIPELINES_PARSE_H
#define ATTN_PIPELINES_PARSE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class SourceMgr;
class MemoryBufferRef;
} // namespace llvm

namespace mlir::attn {

/// Fails, with a diagnostic, where text nests too deep to be parsed. Bytecode
/// passes.
LogicalResult checkNesting(llvm::MemoryBufferRef buffer, MLIRContext *context);

/// Parses `text`, which needs no NUL behind it and which diagnostics call
/// `name`. Null, with a diagnostic, where it is no module.
OwningOpRef<ModuleOp> parseModule(StringRef text, StringRef name,
                                  MLIRContext *context);

/// The same for a file ("-": standard input), which `sources` then holds, so
/// that a SourceMgrDiagnosticHandler shows its lines.
OwningOpRef<ModuleOp> parseModuleFile(StringRef path, llvm::SourceMgr &sources,
                                      MLIRContext *context);

} // namespace mlir::attn

#endif // ATTN_PIPELINES_PARSE_H
