//===- Registration.h - every dialect and pass, in one call -----*- C++ -*-===//
//
// What attn-opt, attn-run and the other tools know: upstream's dialects, their
// extensions and translations, ours, and every pass and named pipeline.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_PIPELINES_REGISTRATION_H
#define ATTN_PIPELINES_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::attn {

/// Fills `registry` with all dialects, extensions and LLVM IR translations.
void registerEveryDialect(DialectRegistry &registry);

/// Registers our passes and the named pipelines of Pipelines.h with the textual
/// pass-pipeline parser. Call it once.
void registerOurPasses();

/// The same and every upstream pass.
void registerEveryPass();

} // namespace mlir::attn

#endif // ATTN_PIPELINES_REGISTRATION_H
