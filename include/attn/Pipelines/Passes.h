//===- Passes.h - small passes that only pipelines need ---------*- C++ -*-===//
#ifndef ATTN_PIPELINES_PASSES_H
#define ATTN_PIPELINES_PASSES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/Pipelines/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "attn/Pipelines/Passes.h.inc"

} // namespace mlir::attn

#endif // ATTN_PIPELINES_PASSES_H
