//===- Kernels.h - the functions that attentions share ------------*- C++
//-*-===//
//
// Block products, packing and the softmax of a block are emitted once per
// distinct shape, as internal functions that are not inlined: a module with
// twenty attentions of one kind compiles as fast as one with one. All operate
// on views, 2-D strided memrefs with run-time sizes; strides that the operands'
// types fix stay fixed in a function's signature.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_CPU_KERNELS_H
#define ATTN_LIB_CPU_KERNELS_H

#include "Emit.h"
#include "Parts.h"
#include "Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>
#include <optional>

namespace mlir::attn {

/// The functions of a module.
class KernelLibrary {
public:
  KernelLibrary(ModuleOp module, const CPUTarget &target)
      : target(target), module(module) {}

  using Body = function_ref<void(Emit &b, ValueRange arguments)>;
  /// Calls the function `stem`_N that `key` and the types of `arguments`
  /// identify; emits it first if there is none yet. `key` names every number
  /// that the body depends on beside the target and the arguments' types.
  void call(Emit &b, StringRef stem, const Twine &key, ValueRange arguments,
            Body body);

  const CPUTarget target;

private:
  ModuleOp module;
  llvm::StringMap<func::FuncOp> functions;
};

//===----------------------------------------------------------------------===//
// C = A B
//===----------------------------------------------------------------------===//

/// Of the first-level cache, what a stretch of B may fill: the rest is
/// for C's lines and what the prefetcher brings.
constexpr double kStretchShare = 0.75;
/// Rows of B, `bytes` apart, that fill this part, in sixteens. Those that lie
/// apart use only some sets of the cache: what is between them counts.
int64_t stretchOf(const CPUTarget &target, int64_t bytes);
/// Elements of so many bits, at least `count`, that fill an odd number of cache
/// lines: a column of such rows visits all sets of a cache.
inline int64_t oddLines(int64_t count, int64_t bits) {
  int64_t line = 512 / bits, lines = llvm::divideCeil(count, line);
  return (lines + (lines % 2 == 0)) * line;
}
/// Between two rows of a matrix, or kDynamic.
int64_t pitchBytes(Value matrix);

/// What streams through a kernel is asked for so far ahead: by the time that it
/// is read it has arrived, also where a page, or a block of another operand,
/// lies between, where a processor's own prefetching starts anew. Into the
/// second level: the first is too small to wait in.
constexpr int64_t kAheadBytes = 16384;
constexpr int kAheadLocality = 2;
/// The same in rows of a matrix.
int64_t rowsAhead(Value matrix);

/// 2 x `lanes` elements of a bf16 matrix as two vectors of f32: those in even
/// places and those in odd ones. One is a shift and one a mask; to widen one
/// half after the other takes a shuffle for each as well.
std::pair<Value, Value> loadEvenOdd(Emit &b, Value matrix, ValueRange at,
                                    int64_t lanes);

/// C[m, n] = A[m, k] B[k, n]. A may have any strides, the rows of B and C are
/// contiguous. Vectors run along n; B is padded to whole blocks of columns. B
/// may be of a narrower float type, which is widened as it is read.
/// `bf16Pairs`: A and B hold pairs of bf16 that are neighbours along k, as i32
/// (A may also be a view of bf16 with contiguous rows), and k counts pairs.
struct Product {
  /// What becomes of a score while it is in registers.
  struct Epilogue {
    std::string name;             ///< of the code, which is all that it reads
    SmallVector<Value> arguments; ///< beside these
    /// What the points of row i share.
    std::function<SmallVector<Value>(Emit &b, Value i, ValueRange arguments)>
        row;
    /// What is stored in C at row i in the lanes from j on.
    std::function<Value(Emit &b, Value sum, Value i, Value j, ValueRange row,
                        ValueRange arguments)>
        point;
  };

  enum class Kind {
    Scores,     ///< C is padded too; `vector` takes the maximum of each column
    Accumulate, ///< C = diag(vector) C + A B
    // Without a `vector`: no maxima are taken; C += A B.
  };
  Kind kind;
  FloatType type; ///< of the accumulators and C
  RegisterBlock block;
  bool bf16Pairs = false;
  /// B's blocks of columns lie below each other, each of this many rows; 0: B
  /// is one matrix. A block is then contiguous, and its lines spread over the
  /// cache.
  int64_t panelRows = 0;
  /// The number of columns is not a multiple of the block's: the last vectors
  /// of C are masked. Accumulate only.
  bool raggedColumns = false;

  /// A matrix like C that is read after a later product and comes from memory:
  /// its lines are asked for between steps along k. `perLine`: elements of a
  /// line, which are neighbours along C's columns, or else along its rows.
  struct Ahead {
    Value matrix;
    int64_t columns, perLine;
    bool alongColumns;
  };
  SmallVector<Ahead, 1> ahead; ///< scores only
  /// B is read once, and comes from memory: it is asked for so many bytes
  /// ahead.
  std::optional<int64_t> streamsB;
  /// B is bf16, read by loadEvenOdd; its columns fill pairs of vectors.
  bool evenOdd = false;

  Value a, b, c, vector; ///< vector: memref<?xtype>, or null
  Value m, n, k;         ///< sizes

  /// Scores without maxima only.
  std::optional<Epilogue> epilogue;

  /// A matrix that later steps read from its first row on: whole blocks of rows
  /// ask for so many of its rows each, into the second-level cache, a line at a
  /// time between steps along k. Spread over products, what comes from memory
  /// is waited for by nobody.
  struct Next {
    Value matrix;
    int64_t columns, rowsPerBlock; ///< both static
    /// Blocks of columns that share the request; each asks for rows of its own.
    int64_t panels = 1;
  };
  SmallVector<Next> next;
};
void emitProduct(Emit &b, KernelLibrary &library, const Product &product);

/// The scores of few rows: scores[key, row] = keys[key, :] . queries[row, :] in
/// the first vector of each row of `scores`, and their maxima over the keys.
/// Depth is a multiple of the vector; keys may be of a narrower float type.
/// Lanes beyond the last row repeat it; there are at most `rowBound` rows.
struct Dots {
  FloatType type;
  int64_t rowBound;
  /// Keys are bf16, read by loadEvenOdd; of queries, each 2 vectors' even
  /// elements lie before the odd ones.
  bool evenOdd = false;
  int64_t ahead = 0; ///< rows that keys are asked for before they are read

  Value keys, queries, scores, maxima;
  Value keyCount, rows, depth;
};
void emitDots(Emit &b, KernelLibrary &library, const Dots &dots);

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// to[i, j] = convert(from[i, j]), or from[j, i], for i < rows, j < columns.
struct Copy {
  bool transposed = false;
  /// Two elements, neighbours along i or j, become one i32 of two bf16; a
  /// missing second one is 0. Sizes count elements, `to` pairs.
  enum class Pairs { None, Rows, Columns } pairs = Pairs::None;
  /// Columns from `columns` to `paddedColumns` repeat the last one, or are 0.
  enum class Padding { Repeat, Zero } padding = Padding::Zero;

  /// Transposed: ask for what follows in the rows of the source, as much as is
  /// copied. What comes from memory is then there for the next copy.
  bool fetchNext = false;
  /// to[i, j] += what would be copied. Not for pairs.
  bool adds = false;

  /// Elements, of f16 or f32, become bf16 parts; each lies `partRows` and
  /// `partColumns` of `to` behind the one before it.
  std::optional<Parts> parts;
  int64_t partRows = 0, partColumns = 0;
  /// Or here, from `to`'s first element on, some more than once.
  struct Place {
    int64_t part, row, column;
  };
  SmallVector<Place, 6> places;

  Value from, to;
  Value rows, columns, paddedColumns;
};
void emitCopy(Emit &b, KernelLibrary &library, const Copy &copy);

//===----------------------------------------------------------------------===//
// Softmax of a block whose lanes are rows
//===----------------------------------------------------------------------===//

/// Moves the state to its new reference and turns scores into probabilities:
///     max' = max(max, scale * raw);  correction = e^(max - max')
///     P = e^(scale * S - max');      sum' = sum * correction + column sums of
///     P
/// S and P are keys x rows, padded to whole vectors of rows. P is multiplied by
/// `weight` (if any) and rounded to `valueType` after the sum is taken.
struct Softmax {
  FloatType type;         ///< of scores and state
  FloatType valueType;    ///< what P is rounded to
  bool bf16Pairs = false; ///< P holds pairs of keys as i32
  /// Pairs of P's parts, each `partRows` below the one before it.
  std::optional<Parts> parts;
  int64_t partRows = 0;
  int64_t vectors; ///< rows are a multiple of this many vectors
  double scale;    ///< positive

  Value scores, probabilities, weight; ///< probabilities may be the scores
  Value raw, max, sum, correction;     ///< memref<?xtype>; raw: column maxima
  Value keys, rows;
};
void emitSoftmax(Emit &b, KernelLibrary &library, const Softmax &softmax);

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_KERNELS_H
