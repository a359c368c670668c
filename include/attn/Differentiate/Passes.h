//===- Passes.h - gradients of functions with attention -----------*- C++
//-*-===//
#ifndef ATTN_DIFFERENTIATE_PASSES_H
#define ATTN_DIFFERENTIATE_PASSES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn {
#define GEN_PASS_DECL
#include "attn/Differentiate/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "attn/Differentiate/Passes.h.inc"
} // namespace mlir::attn

#endif // ATTN_DIFFERENTIATE_PASSES_H
