//===- Trace.h - the recurrence of a row, block by block --------*- C++ -*-===//
//
// What a reader of attn/Support/Algebra.h would like to see: m, l and the
// correction after each key block, for one row of a real problem. The row's
// blocks are cut from the attention by its TilingInterface, folded one after
// the other by attn.online_attention's executable meaning (attn-decompose), and
// the state after each is returned.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_TRACE_H
#define ATTN_RUNTIME_TRACE_H

#include "attn/Runtime/EntryPoint.h"

namespace mlir::attn {

/// Traces the first attention of the entry function in `module`, which holds
/// attn ops and is consumed. `row` counts over the row dims; the batch index is
/// 0. Key blocks are those of the op's tiling. Emits an error if there is no
/// attention or its extents are not static.
FailureOr<std::string> traceAttention(ModuleOp module, const EntryPoint &entry,
                                      ArrayRef<::attn::Array> arguments,
                                      unsigned row);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_TRACE_H
