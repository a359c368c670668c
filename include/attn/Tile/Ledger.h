//===- Ledger.h - what one attention of a file will move ----------*- C++
//-*-===//
//
// The cost model's account of an attention op that carries its tiling, as JSON:
// what `attn-ledger shape` prints for a shape, for an op of a file.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_TILE_LEDGER_H
#define ATTN_TILE_LEDGER_H

#include "attn/IR/AttnDialect.h"
#include "llvm/Support/JSON.h"

namespace mlir::attn {

/// accounting, direction (the op's), tiling, blocks {visited, total}, elements,
/// bytes, flops, exponentials, intensity, time_ms, bound, resource,
/// predicted_ms, footprint {level: {used, limit}}, operands {name: {read,
/// write}}; the roofline is that of the module's `attn.target`. `assumed` is
/// true where an extent is not static. Fails where attn.target describes no
/// machine, or the op has no tiling.
FailureOr<llvm::json::Object> getLedger(ScoreOpInterface op);

} // namespace mlir::attn

#endif // ATTN_TILE_LEDGER_H
