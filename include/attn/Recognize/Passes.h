//===- Passes.h - recognition of attention ------------------------*- C++
//-*-===//
#ifndef ATTN_RECOGNIZE_PASSES_H
#define ATTN_RECOGNIZE_PASSES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn {
#define GEN_PASS_DECL
#include "attn/Recognize/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "attn/Recognize/Passes.h.inc"
} // namespace mlir::attn

#endif // ATTN_RECOGNIZE_PASSES_H
