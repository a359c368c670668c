//===- Parse.cpp - MLIR text from anywhere --------------------------------===//
#include "attn/Pipelines/Parse.h"
#include "attn/Support/Nesting.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::attn;

LogicalResult mlir::attn::checkNesting(llvm::MemoryBufferRef buffer,
                                       MLIRContext *context) {
  if (isBytecode(buffer))
    return success();
  auto place =
      ::attn::findDeepNesting(buffer.getBuffer(), ::attn::Syntax::MLIR);
  if (!place)
    return success();
  return emitError(FileLineColLoc::get(context, buffer.getBufferIdentifier(),
                                       place->line, place->column),
                   ::attn::deepNestingMessage());
}

OwningOpRef<ModuleOp> mlir::attn::parseModule(StringRef text, StringRef name,
                                              MLIRContext *context) {
  // A copy: upstream's lexer stops at the NUL behind a buffer.
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  if (failed(checkNesting(*buffer, context)))
    return nullptr;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, context);
}

OwningOpRef<ModuleOp> mlir::attn::parseModuleFile(StringRef path,
                                                  llvm::SourceMgr &sources,
                                                  MLIRContext *context) {
  std::string reason;
  auto buffer = openInputFile(path, &reason);
  if (!buffer) {
    emitError(UnknownLoc::get(context), reason);
    return nullptr;
  }
  llvm::MemoryBufferRef text = *buffer;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  if (failed(checkNesting(text, context)))
    return nullptr;
  return parseSourceFile<ModuleOp>(sources, context);
}
