//===- Passes.h - passes on the attn dialect alone ----------------*- C++
//-*-===//
#ifndef ATTN_IR_PASSES_H
#define ATTN_IR_PASSES_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/IR/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "attn/IR/Passes.h.inc"

/// Lowers attn ops on tensors to linalg (the patterns of attn-decompose).
void populateDecomposePatterns(RewritePatternSet &patterns);

} // namespace mlir::attn

#endif // ATTN_IR_PASSES_H
