//===- Passes.h - from tiles to vector code -----------------------*- C++
//-*-===//
#ifndef ATTN_CPU_PASSES_H
#define ATTN_CPU_PASSES_H

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/CPU/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "attn/CPU/Passes.h.inc"

} // namespace mlir::attn

#endif // ATTN_CPU_PASSES_H
