//===- AttnDialect.h - the attn dialect --------------------------*- C++
//-*-===//
//
// Attributes, interfaces and ops of the attn dialect. Roles.h has the helpers
// that reason about an op's dims; Passes.h the passes that need nothing but the
// dialect. What each op means is in its description (AttnOps.td) and, for the
// mathematics, in attn/Support/Algebra.h.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_IR_ATTNDIALECT_H
#define ATTN_IR_ATTNDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "attn/IR/AttnDialect.h.inc"
#include "attn/IR/AttnEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "attn/IR/AttnAttrs.h.inc"
#include "attn/IR/AttnInterfaces.h.inc"
#define GET_OP_CLASSES
#include "attn/IR/AttnOps.h.inc"

namespace mlir::attn {

/// Parses the text of a tiling as `#attn.tiling<...>` has it between the angle
/// brackets, e.g. "query_block=16,key_block=16,order=kv_outer,key_splits=1".
/// query_block and key_block are required; the order defaults to q_outer, the
/// number of splits to 1. On failure `error` says what was expected.
FailureOr<TilingAttr> parseTiling(StringRef text, MLIRContext *context,
                                  std::string &error);

} // namespace mlir::attn

#endif // ATTN_IR_ATTNDIALECT_H
