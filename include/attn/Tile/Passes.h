//===- Passes.h - from attention to tiles -------------------------*- C++
//-*-===//
#ifndef ATTN_TILE_PASSES_H
#define ATTN_TILE_PASSES_H

#include "attn/IR/AttnDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/Tile/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "attn/Tile/Passes.h.inc"

} // namespace mlir::attn

#endif // ATTN_TILE_PASSES_H
