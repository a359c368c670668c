//===- TileProduct.h - products by a CPU's matrix unit ------------*- C++
//-*-===//
//
// x86's AMX has eight tiles, matrices of at most 16 rows of 64 bytes, and an
// instruction that adds to a tile of 16 x 16 sums the product of one of 16 x 32
// bf16 and one of 32 x 16, whose rows hold pairs of bf16 that are neighbours
// along k. A product holds 2 x 2 tiles of C (or 2 x 1) while it runs along k;
// the other four are what it loads. Sums are f32; subnormal numbers count as 0.
//
// A forward reads K (keys x depth) and V^T (values x keys) as left operands,
// and Q (depth x rows) and P (keys x rows) as right ones, in the pairs in which
// dot products have them: rows of the attention are lanes here too, and acc is
// values x rows.
//
// What is wider than bf16 lies in parts (TileTerms.h): a product runs along its
// terms, each a part of the left operand times one of the right. The parts of K
// lie beside each other, those of Q and P below each other (TileDepth), and a
// panel of V^T holds its keys' parts below each other.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_CPU_TILEPRODUCT_H
#define ATTN_LIB_CPU_TILEPRODUCT_H

#include "Kernels.h"
#include "attn/CostModel/TileTerms.h"

namespace mlir::attn {

/// Rows of a tile and its f32 columns; bf16 of a row, which are a step along k.
constexpr int64_t kTileRows = 16, kTileDepth = ::attn::kStepDepth;
/// Rows of C that are computed at a time.
constexpr int64_t kTileBlock = 2 * kTileRows;

/// C[i, j] = A[i, :] B[:, j] for whole blocks of rows around [from, to), and
/// the maxima of C's columns over the rows of this range.
struct TileScores {
  int64_t vectors; ///< columns of C at a time, in tiles: 1 or 2
  /// How columns of A and rows of B lie.
  ::attn::TileDepth depth;
  ::attn::TileTerms parts = ::attn::tileTerms(::attn::ElementType::BF16);

  Value a;        ///< bf16, rows contiguous, whole blocks of them
  Value b;        ///< pairs as i32
  Value c;        ///< f32
  Value maxima;   ///< memref<?xf32>
  Value from, to; ///< rows of A and C
  Value columns;  ///< a multiple of `vectors` tiles
};
void emitTileScores(Emit &b, KernelLibrary &library, const TileScores &scores);

/// C = C diag(factors) + A B, A in panels: its columns by steps of kTileDepth,
/// each of which is `height` rows of 64 bytes for each part.
struct TileAccumulate {
  int64_t vectors; ///< as above
  int64_t rows;    ///< of C, at most `height`
  int64_t height;  ///< of a panel: `rows` rounded up to tiles
  /// The number of C's columns is not a multiple of a tile's: the last ones of
  /// C are masked.
  bool raggedColumns;
  ::attn::TileTerms parts = ::attn::tileTerms(::attn::ElementType::BF16);
  int64_t partRows = 0; ///< of B, between its parts

  Value panels;  ///< memref<?x16xi32>, pairs along k
  Value b;       ///< pairs as i32, k x columns; 0 where A's are not to count
  Value c;       ///< f32
  Value sums;    ///< scratch, `height` x columns
  Value factors; ///< memref<?xf32>
  /// Steps along k, [first, end); the panels to take in the place of the first
  /// and the last.
  Value first, end, firstPanel, lastPanel;
  Value columns; ///< of B, a multiple of `vectors` tiles
  Value columnsOfC;
};
void emitTileAccumulate(Emit &b, KernelLibrary &library,
                        const TileAccumulate &accumulate);

/// Of a part of a key block, [from, to), that begins or ends within a panel of
/// A = V^T.
struct TileEdges {
  int64_t height; ///< of a panel, all parts
  int64_t spare;  ///< the first of two panels that are free
  int64_t probabilityParts = 1;
  int64_t partRows = 0; ///< of P, between its parts

  Value panels, probabilities; ///< as `panels` and `b` above
  Value from, to, columns;     ///< from: even
};
/// Sets P to 0 beside the part, in the panels that it touches, and copies those
/// that hold other keys as well without them. Returns which are to be taken as
/// the first and the last. What lies at `end` and beyond is 0 already.
std::pair<Value, Value> emitTileEdges(Emit &b, KernelLibrary &library,
                                      const TileEdges &edges, Value end);

/// Has the function around `op` ask the system for tiles when it is called, and
/// stop where it does not get them. Once for each function: `guarded`.
void requestTiles(Operation *op, llvm::SmallPtrSetImpl<Operation *> &guarded);

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_TILEPRODUCT_H
