//===- Product.cpp - the block product ------------------------------------===//
//
// The one inner loop of the CPU lowering: a register block of `rows` x
// `vectors` accumulators, each a 1-D vector carried by the loop over k, takes a
// row of B and a broadcast element of A per row. (A 2-D vector through
// vector.contract would be taken apart and put together in every step.) Rows
// that do not fill a block are done in smaller blocks of the same kind.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"
#include "attn/IR/ScoreRegion.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace mlir::attn;

/// What is asked for while a block runs along k is asked for between so many
/// parts of its steps: a line on its way holds one of a dozen buffers, and a
/// burst of them takes those that the steps' own loads need (1 to 5 %).
static constexpr int64_t kMostParts = 16;

namespace {

/// Index arithmetic that is emitted, as RegisterBlock counts with it.
struct Count {
  Emit *b;
  Value value;
  Count with(Value v) const { return {b, v}; }
  Count operator/(int64_t r) const { return with(b->div(value, b->index(r))); }
  Count operator%(int64_t r) const { return with(b->rem(value, b->index(r))); }
  Count operator*(int64_t r) const { return with(b->mul(value, r)); }
  Count operator+(Count r) const { return with(b->add(value, r.value)); }
  Count operator-(Count r) const { return with(b->sub(value, r.value)); }
  friend Count min(Count l, Count r) {
    return l.with(l.b->min(l.value, r.value));
  }
};

class ProductBody {
public:
  ProductBody(Emit &b, const Product &spec, const CPUTarget &target)
      : b(b), spec(spec), lanes(target.lanes(spec.type)),
        type(VectorType::get(lanes, spec.type)), stretch(stretchFor(target)) {}

  void emit() {
    int64_t width = spec.block.vectors * lanes;
    b.loop(b.index(0), spec.n, width, [&](Value j) { columns(j); });
  }

private:
  bool isScores() const { return spec.kind == Product::Kind::Scores; }

  /// Every block of rows goes over the same rows of B: as many steps along k as
  /// keep them in the first-level cache.
  int64_t stretchFor(const CPUTarget &target) const {
    int64_t bytes =
        spec.block.vectors * lanes * type.getElementTypeBitWidth() / 8;
    int64_t pitch = pitchBytes(spec.b);
    if (!spec.panelRows && !spec.streamsB && !ShapedType::isDynamic(pitch))
      bytes = std::max(bytes, pitch);
    return std::max<int64_t>(stretchOf(target, bytes), 16);
  }

  /// All rows of one block of columns.
  void columns(Value j) {
    column.clear();
    masks.clear();
    for (int64_t v = 0; v < spec.block.vectors; ++v) {
      column.push_back(b.add(j, v * lanes));
      if (spec.raggedColumns)
        masks.push_back(vector::CreateMaskOp::create(
            b, VectorType::get(lanes, b.getI1Type()),
            ValueRange{b.sub(spec.n, column.back())}));
    }
    panel = b.index(0);
    if (spec.panelRows)
      panel =
          b.mul(b.div(j, b.index(spec.block.vectors * lanes)), spec.panelRows);
    if (!isScores()) {
      b.loop(b.index(0), spec.k, stretch, [&](Value k) {
        from = k;
        to = b.min(b.add(k, stretch), spec.k);
        rows({});
      });
      return;
    }
    from = b.index(0);
    to = spec.k;
    if (!spec.vector) {
      rows({});
      return;
    }
    SmallVector<Value> none(
        spec.block.vectors,
        b.constant(type, -std::numeric_limits<double>::infinity()));
    for (auto [position, maximum] : llvm::zip_equal(column, rows(none)))
      b.store(maximum, spec.vector, position);
  }

  /// All rows, along k from `from` to `to`.
  SmallVector<Value> rows(SmallVector<Value> maxima) {
    Value first = b.index(0);
    SmallVector<Count, 4> counts = spec.block.counts(Count{&b, spec.m});
    for (auto [n, rowsOfBlock] : llvm::enumerate(spec.block.heights())) {
      int64_t height = rowsOfBlock;
      Value last = b.add(first, b.mul(counts[n].value, height));
      maxima =
          b.loop(first, last, height, maxima, [&](Value i, ValueRange carried) {
            return block(i, height, carried);
          });
      first = last;
    }
    return maxima;
  }

  /// Lines that are asked for while a block runs along k, shared evenly by the
  /// parts of its steps.
  struct Request {
    int64_t lines;
    std::function<void(Value line)> ask;
  };

  void prefetch(Value matrix, ValueRange position) {
    memref::PrefetchOp::create(b, matrix, position, /*isWrite=*/false,
                               kAheadLocality, /*isDataCache=*/true);
  }

  /// What the block at row i asks for of what later products read.
  Request requestOf(const Product::Next &next, Value i) {
    auto matrix = cast<MemRefType>(next.matrix.getType());
    int64_t line = 512 / matrix.getElementTypeBitWidth();
    int64_t perRow = llvm::divideCeil(next.columns, line);
    Value number = b.div(i, b.index(spec.block.rows));
    if (next.panels > 1)
      number = b.add(b.mul(number, next.panels),
                     b.div(column[0], b.index(spec.block.vectors * lanes)));
    Value first = b.mul(number, next.rowsPerBlock);
    return {next.rowsPerBlock * perRow, [=](Value n) {
              Value row = b.add(first, b.div(n, b.index(perRow)));
              Value at = b.mul(b.rem(n, b.index(perRow)), line);
              prefetch(next.matrix, {row, at});
            }};
  }

  /// Of what is read after the product, one of the lines that belong to each of
  /// these rows.
  Request requestOf(const Product::Ahead &ahead, ArrayRef<Value> row) {
    int64_t lines = llvm::divideCeil(ahead.columns, ahead.perLine);
    return {lines, [=](Value n) {
              for (Value i : row) {
                Value at = b.mul(n, ahead.perLine);
                // Rows that share a line ask for those of different columns.
                if (!ahead.alongColumns)
                  at = b.add(b.mul(b.rem(i, b.index(ahead.perLine)), lines), n);
                prefetch(ahead.matrix, {i, at});
              }
            }};
  }

  SmallVector<Value> block(Value i, int64_t rows, ValueRange maxima) {
    SmallVector<Value> row;
    for (int64_t r = 0; r < rows; ++r)
      row.push_back(b.add(i, r));
    // Sums start at 0 and join what C holds at the end: a sum over few keys
    // loses less than one that runs on over all of them.
    SmallVector<Value> sums(rows * spec.block.vectors, b.constant(type, 0.0));
    SmallVector<Request> requests;
    for (const Product::Ahead &ahead : spec.ahead)
      requests.push_back(requestOf(ahead, row));
    if (rows == spec.block.rows)
      for (const Product::Next &next : spec.next)
        requests.push_back(requestOf(next, i));
    sums = alongInParts(row, sums, requests);
    if (spec.evenOdd)
      joinEvenOdd(sums);
    return finish(row, sums, maxima);
  }

  SmallVector<Value> along(ArrayRef<Value> row, Value begin, Value end,
                           ValueRange sums) {
    return b.loop(begin, end, 1, sums, [&](Value k, ValueRange carried) {
      return step(row, k, carried);
    });
  }

  /// All steps of a block, with requests between their parts.
  SmallVector<Value> alongInParts(ArrayRef<Value> row, ValueRange sums,
                                  ArrayRef<Request> requests) {
    int64_t most = 1;
    for (const Request &request : requests)
      most = std::max(most, request.lines);
    int64_t parts = llvm::divideCeil(most, llvm::divideCeil(most, kMostParts));
    if (parts == 1) {
      for (const Request &request : requests)
        request.ask(b.index(0));
      return along(row, from, to, sums);
    }
    Value size = b.sub(to, from);
    auto startOf = [&](Value part) {
      return b.add(from, b.div(b.mul(size, part), b.index(parts)));
    };
    return b.loop(
        b.index(0), b.index(parts), 1, sums,
        [&](Value part, ValueRange carried) {
          for (const Request &request : requests) {
            int64_t share = llvm::divideCeil(request.lines, parts);
            for (int64_t n = 0; n < share; ++n)
              askWithin(request, b.add(b.mul(part, share), n), parts * share);
          }
          return along(row, startOf(part), startOf(b.add(part, 1)), carried);
        });
  }

  /// Asks for line n, which is below `bound`, if there is such a line.
  void askWithin(const Request &request, Value n, int64_t bound) {
    if (bound == request.lines)
      return request.ask(n);
    Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, n,
                                          b.index(request.lines));
    b.when(isThere, [&] { request.ask(n); });
  }

  /// The factor of what C held in row i: only the first stretch corrects.
  Value oldFactor(Value i) {
    Value first =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, from, b.index(0));
    Value factor = arith::SelectOp::create(b, first, b.load(spec.vector, i),
                                           b.constant(spec.type, 1.0));
    return b.broadcast(type, factor);
  }

  SmallVector<Value> step(ArrayRef<Value> row, Value k, ValueRange carried) {
    SmallVector<Value> next, rowOfB;
    for (auto [v, j] : llvm::enumerate(column)) {
      if (!spec.evenOdd) {
        rowOfB.push_back(
            loadB(b.add(k, panel), spec.panelRows ? b.index(v * lanes) : j));
      } else if (v % 2 == 0) {
        auto [even, odd] = loadEvenOdd(b, spec.b, {k, j}, lanes);
        rowOfB.append({even, odd});
      }
    }
    if (spec.streamsB)
      askForB(k);
    for (auto [r, i] : llvm::enumerate(row)) {
      Value element = loadA(i, k);
      for (auto [v, other] : llvm::enumerate(rowOfB))
        next.push_back(
            multiplyAdd(element, other, carried[r * spec.block.vectors + v]));
    }
    return next;
  }

  /// The lines that a later row of B has in this block of columns.
  void askForB(Value k) {
    auto stored = cast<MemRefType>(spec.b.getType()).getElementType();
    Value later = b.add(k, *spec.streamsB);
    int64_t perVector = lanes * stored.getIntOrFloatBitWidth();
    for (auto [v, j] : llvm::enumerate(column))
      if (int64_t(v) * perVector % 512 < perVector)
        memref::PrefetchOp::create(b, spec.b, ValueRange{later, j},
                                   /*isWrite=*/false, kAheadLocality,
                                   /*isDataCache=*/true);
  }

  void finishByEpilogue(ArrayRef<Value> row, ArrayRef<Value> sums) {
    const Product::Epilogue &epilogue = *spec.epilogue;
    for (auto [r, i] : llvm::enumerate(row)) {
      SmallVector<Value> shared = epilogue.row(b, i, epilogue.arguments);
      for (auto [v, j] : llvm::enumerate(column)) {
        Value sum = sums[r * spec.block.vectors + v];
        b.store(epilogue.point(b, sum, i, j, shared, epilogue.arguments),
                spec.c, {i, j});
      }
    }
  }

  /// Sums of even and of odd columns as sums of neighbours.
  void joinEvenOdd(SmallVectorImpl<Value> &sums) {
    for (size_t i = 0; i < sums.size(); i += 2) {
      Value both = vector::InterleaveOp::create(b, sums[i], sums[i + 1]);
      for (size_t half : {0, 1})
        sums[i + half] = vector::ExtractStridedSliceOp::create(
            b, both, int64_t(half) * lanes, lanes, int64_t(1));
    }
  }

  SmallVector<Value> finish(ArrayRef<Value> row, ArrayRef<Value> sums,
                            ValueRange maxima) {
    if (spec.epilogue) {
      finishByEpilogue(row, sums);
      return {};
    }
    SmallVector<Value> next, factors;
    if (!isScores() && spec.vector)
      for (Value i : row)
        factors.push_back(oldFactor(i));
    for (auto [v, j] : llvm::enumerate(column)) {
      Value maximum;
      for (auto [r, i] : llvm::enumerate(row)) {
        Value sum = sums[r * spec.block.vectors + v];
        if (!factors.empty())
          sum = vector::FMAOp::create(b, loadC(i, j, v), factors[r], sum);
        else if (!isScores())
          sum = arith::AddFOp::create(b, loadC(i, j, v), sum);
        if (masks.empty())
          b.store(sum, spec.c, {i, j});
        else
          vector::MaskedStoreOp::create(b, spec.c, ValueRange{i, j}, masks[v],
                                        sum);
        if (isScores() && spec.vector)
          maximum = maximum ? b.maximum(sum, maximum) : sum;
      }
      // A NaN shows in the exponentials; it must not hide the maximum.
      if (maximum)
        next.push_back(b.maximum(maximum, maxima[v]));
    }
    return next;
  }

  Value loadC(Value i, Value j, unsigned v) {
    if (masks.empty())
      return b.load(type, spec.c, {i, j});
    return vector::MaskedLoadOp::create(b, type, spec.c, ValueRange{i, j},
                                        masks[v], b.constant(type, 0.0));
  }

  VectorType pairVector() { return VectorType::get(lanes, b.getI32Type()); }

  Value loadB(Value k, Value j) {
    if (spec.bf16Pairs)
      return b.load(pairVector(), spec.b, {k, j});
    Type stored = cast<MemRefType>(spec.b.getType()).getElementType();
    Value row = b.load(VectorType::get(lanes, stored), spec.b, {k, j});
    return convertFloat(b, b.getLoc(), row, spec.type);
  }

  /// A[i, k] in every lane.
  Value loadA(Value i, Value k) {
    if (!spec.bf16Pairs)
      return b.broadcast(type, b.load(spec.a, {i, k}));
    Value pair;
    if (cast<MemRefType>(spec.a.getType()).getElementType().isBF16()) {
      Value two =
          b.load(VectorType::get(2, b.getBF16Type()), spec.a, {i, b.mul(k, 2)});
      Value bits =
          vector::BitCastOp::create(b, VectorType::get(1, b.getI32Type()), two);
      pair = vector::ExtractOp::create(b, bits, 0);
    } else {
      pair = b.load(spec.a, {i, k});
    }
    return b.broadcast(pairVector(), pair);
  }

  Value multiplyAdd(Value x, Value y, Value sum) {
    if (!spec.bf16Pairs)
      return vector::FMAOp::create(b, x, y, sum);
    auto halves = VectorType::get(2 * lanes, b.getBF16Type());
    return x86vector::DotBF16Op::create(
        b, type, sum, vector::BitCastOp::create(b, halves, x),
        vector::BitCastOp::create(b, halves, y));
  }

  Emit &b;
  const Product &spec;
  int64_t lanes;
  VectorType type;
  SmallVector<Value> column; ///< where the block's vectors start
  SmallVector<Value> masks;  ///< of the vectors, if ragged
  Value panel;               ///< the first row of B's block
  Value from, to;            ///< along k
  int64_t stretch;           ///< most steps along k at a time
};

} // namespace

void mlir::attn::emitProduct(Emit &b, KernelLibrary &library,
                             const Product &product) {
  bool scores = product.kind == Product::Kind::Scores;
  std::string key = llvm::formatv("{0}x{1} {2}{3}{4}", product.block.rows,
                                  product.block.vectors, product.panelRows,
                                  product.bf16Pairs ? " pairs" : "",
                                  product.raggedColumns ? " ragged" : "");
  if (product.streamsB)
    key += llvm::formatv(" streams {0}", *product.streamsB);
  if (product.evenOdd)
    key += " even odd";
  if (product.epilogue)
    key += " " + product.epilogue->name;
  for (const Product::Ahead &ahead : product.ahead)
    key += llvm::formatv(" ahead {0} {1} {2}", ahead.columns, ahead.perLine,
                         ahead.alongColumns);
  for (const Product::Next &next : product.next)
    key += llvm::formatv(" next {0}x{1} of {2}", next.rowsPerBlock,
                         next.columns, next.panels);
  SmallVector<Value> arguments{product.a, product.b, product.c,
                               product.m, product.n, product.k};
  if (product.vector)
    arguments.push_back(product.vector);
  for (const Product::Ahead &ahead : product.ahead)
    arguments.push_back(ahead.matrix);
  if (product.epilogue)
    llvm::append_range(arguments, product.epilogue->arguments);
  for (const Product::Next &next : product.next)
    arguments.push_back(next.matrix);
  library.call(b, scores ? "attn_scores" : "attn_accumulate", key, arguments,
               [&](Emit &inner, ValueRange formal) {
                 Product body = product;
                 body.a = formal[0];
                 body.b = formal[1];
                 body.c = formal[2];
                 body.m = formal[3];
                 body.n = formal[4];
                 body.k = formal[5];
                 formal = formal.drop_front(6);
                 if (product.vector) {
                   body.vector = formal.front();
                   formal = formal.drop_front();
                 }
                 for (Product::Ahead &ahead : body.ahead) {
                   ahead.matrix = formal.front();
                   formal = formal.drop_front();
                 }
                 if (product.epilogue)
                   body.epilogue->arguments =
                       formal.take_front(body.epilogue->arguments.size());
                 formal = formal.take_back(body.next.size());
                 for (auto [next, matrix] : llvm::zip_equal(body.next, formal))
                   next.matrix = matrix;
                 ProductBody(inner, body, library.target).emit();
               });
}
