//===- TileMultiply.h - C = A B and C += A B by a matrix unit -----*- C++
//-*-===//
//
// Matrices in memory, products by the tiles of TileProduct.h: C is f32 and its
// blocks stay in tiles while a product runs along k. What lies beside the sizes
// asked for is read and written by whole tiles: buffers are padded to them, and
// along k either side is 0 there.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_CPU_TILEMULTIPLY_H
#define ATTN_LIB_CPU_TILEMULTIPLY_H

#include "TileProduct.h"

namespace mlir::attn {

/// C[rows x columns] (+)= A B over `steps` of kTileDepth along k.
struct TileMultiply {
  bool adds = false; ///< to what is in C
  /// Which of A's rows and B's columns are walked in the outer loop: the other
  /// matrix is read again for each of its blocks, and had better be small.
  bool columnsOutside = false;
  bool oddColumns = false;  ///< columns are an odd number of tiles
  int64_t staticSteps = -1; ///< `steps` where it is known
  /// The parts of A and B, where they are wider than bf16: each so many rows
  /// and columns of the matrix behind the one before it.
  ::attn::TileTerms parts = ::attn::tileTerms(::attn::ElementType::BF16);
  int64_t leftRows = 0, leftColumns = 0, rightRows = 0;

  Value a; ///< rows x k: bf16, or pairs of them as i32; rows contiguous
  Value b; ///< k / 2 x columns: pairs along k as i32
  Value c;
  Value rows;    ///< a multiple of kTileBlock
  Value columns; ///< a multiple of kTileRows
  Value steps;
};
void emitTileMultiply(Emit &b, KernelLibrary &library,
                      const TileMultiply &multiply);

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_TILEMULTIPLY_H
