//===- Copy.cpp - packing of operands -------------------------------------===//
//
// Plain copies and pairs are done by whole vectors where the source's rows are
// contiguous; a transposition by squares of vectors, each passing through
// log2(lanes) stages of two-input shuffles. What is left, and sources with
// other strides, go element by element.
//
// Where elements become parts, a transposition comes first: it has f32 to move
// and not the pairs of each part.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"
#include "attn/IR/ScoreRegion.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

class CopyBody {
public:
  CopyBody(Emit &b, const Copy &spec, int64_t lanes)
      : b(b), spec(spec), lanes(lanes),
        fromType(cast<MemRefType>(spec.from.getType()).getElementType()),
        toType(cast<MemRefType>(spec.to.getType()).getElementType()) {}

  void emit() {
    Value zero = b.index(0);
    Value wholeRows = zero, wholeColumns = zero;
    if (canUseVectors()) {
      wholeColumns = b.roundDown(spec.columns, lanes * perColumn());
      // A plain copy takes vectors of any row, a transposition squares.
      int64_t height = perRow() * (spec.transposed ? lanes : 1);
      wholeRows = b.roundDown(spec.rows, height);
      int64_t width = lanes * perColumn();
      if (spec.transposed) // along the source's rows: whole pages, in order
        b.loop(zero, wholeColumns, width, [&](Value j) {
          b.loop(zero, wholeRows, height, [&](Value i) { square(i, j); });
        });
      else
        b.loop(zero, wholeRows, height, [&](Value i) {
          b.loop(zero, wholeColumns, width,
                 [&](Value j) { put(vectorAt(i, j), target(i, j)); });
        });
    }
    elements(zero, wholeRows, wholeColumns, spec.columns);
    elements(wholeRows, spec.rows, zero, spec.columns);
    if (spec.paddedColumns)
      pad();
  }

private:
  int64_t perRow() const { return spec.pairs == Copy::Pairs::Rows ? 2 : 1; }
  int64_t perColumn() const {
    return spec.pairs == Copy::Pairs::Columns ? 2 : 1;
  }
  bool hasPairs() const { return spec.pairs != Copy::Pairs::None; }

  bool canUseVectors() const {
    auto contiguousRows = [](Value view) {
      auto type = cast<MemRefType>(view.getType());
      return type.getStridesAndOffset().first.back() == 1;
    };
    return contiguousRows(spec.from) && contiguousRows(spec.to);
  }

  SmallVector<Value> source(Value i, Value j) {
    return spec.transposed ? SmallVector<Value>{j, i}
                           : SmallVector<Value>{i, j};
  }
  SmallVector<Value> target(Value i, Value j) {
    return {b.div(i, b.index(perRow())), b.div(j, b.index(perColumn()))};
  }

  Type like(Value v, Type element) {
    if (auto vector = dyn_cast<VectorType>(v.getType()))
      return vector.clone(element);
    return element;
  }

  Value convert(Value v) {
    if (fromType == toType)
      return v;
    if (isa<FloatType>(fromType) && isa<FloatType>(toType))
      return convertFloat(b, b.getLoc(), v, toType);
    return arith::ExtUIOp::create(b, like(v, toType), v);
  }

  Value narrow(Value v) {
    return convertFloat(b, b.getLoc(), v, b.getBF16Type());
  }

  /// Two elements (or vectors of them) as bf16, one i32 each; the first is low.
  Value pair(Value first, Value second) {
    auto widen = [&](Value v) -> Value {
      v = arith::BitcastOp::create(b, like(v, b.getI16Type()), narrow(v));
      return arith::ExtUIOp::create(b, like(v, b.getI32Type()), v);
    };
    Value low = widen(first), high = widen(second);
    Value shift = b.integer(low.getType(), 16);
    return arith::OrIOp::create(b, low, arith::ShLIOp::create(b, high, shift));
  }

  /// What is stored of an element, or of two that make a pair: a value for each
  /// part.
  SmallVector<Value, 3> stored(Value first, Value second) {
    if (!spec.parts)
      return {second ? pair(first, second) : convert(first)};
    SmallVector<Value, 3> all = partsOf(first);
    if (!second) {
      for (Value &part : all)
        part = emitUpperHalf(b, part);
      return all;
    }
    for (auto [low, high] : llvm::zip_equal(all, partsOf(second)))
      low = emitUpperHalves(b, low, high);
    return all;
  }

  SmallVector<Value, 3> partsOf(Value v) {
    return emitParts(b, convertFloat(b, b.getLoc(), v, b.getF32Type()),
                     *spec.parts);
  }

  void put(ArrayRef<Value> values, ArrayRef<Value> at) {
    put(values, at, spec.adds);
  }
  void put(ArrayRef<Value> values, ArrayRef<Value> at, bool adds) {
    SmallVector<Copy::Place, 6> places(spec.places);
    if (places.empty())
      for (int64_t part = 0; part < int64_t(values.size()); ++part)
        places.push_back({part, part * spec.partRows, part * spec.partColumns});
    for (auto [part, row, column] : places) {
      SmallVector<Value> place{b.add(at[0], row), b.add(at[1], column)};
      Value v = values[part];
      if (adds) {
        auto vector = dyn_cast<VectorType>(v.getType());
        Value old =
            vector ? b.load(vector, spec.to, place) : b.load(spec.to, place);
        v = arith::AddFOp::create(b, old, v);
      }
      b.store(v, spec.to, place);
    }
  }

  //===--------------------------------------------------------------------===//
  // Elements
  //===--------------------------------------------------------------------===//

  SmallVector<Value, 3> elementAt(Value i, Value j) {
    Value first = b.load(spec.from, source(i, j));
    if (!hasPairs())
      return stored(first, Value());
    bool alongRows = spec.pairs == Copy::Pairs::Rows;
    Value &moving = alongRows ? i : j;
    Value limit = alongRows ? spec.rows : spec.columns;
    Value next = b.add(moving, 1);
    Value exists =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, next, limit);
    moving = b.min(next, b.sub(limit, b.index(1)));
    Value second = b.load(spec.from, source(i, j));
    second =
        arith::SelectOp::create(b, exists, second, b.constant(fromType, 0.0));
    return stored(first, second);
  }

  void elements(Value fromRow, Value toRow, Value fromColumn, Value toColumn) {
    b.loop(fromRow, toRow, perRow(), [&](Value i) {
      b.loop(fromColumn, toColumn, perColumn(),
             [&](Value j) { put(elementAt(i, j), target(i, j)); });
    });
  }

  void pad() {
    Value rows = spec.rows;
    if (spec.padding == Copy::Padding::Repeat) { // nothing to repeat
      Value zero = b.index(0);
      Value none = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                         spec.columns, zero);
      rows = arith::SelectOp::create(b, none, zero, rows);
    }
    b.loop(b.index(0), rows, perRow(), [&](Value i) {
      SmallVector<Value, 3> fill;
      if (spec.padding == Copy::Padding::Repeat)
        fill = elementAt(i, b.sub(spec.columns, b.index(1)));
      else
        fill.assign(spec.parts ? spec.parts->count() : 1,
                    isa<FloatType>(toType) ? b.constant(toType, 0.0)
                                           : b.integer(toType, 0));
      b.loop(b.roundUp(spec.columns, perColumn()), spec.paddedColumns,
             perColumn(), [&](Value j) { put(fill, target(i, j), false); });
    });
  }

  //===--------------------------------------------------------------------===//
  // Vectors
  //===--------------------------------------------------------------------===//

  SmallVector<Value, 3> vectorAt(Value i, Value j) {
    auto type = VectorType::get(lanes, fromType);
    if (spec.pairs == Copy::Pairs::Columns) {
      Value both =
          b.load(VectorType::get(2 * lanes, fromType), spec.from, source(i, j));
      SmallVector<Value, 3> all;
      if (spec.parts)
        all = stored(both, Value());
      else
        all = {narrow(both)};
      for (Value &v : all)
        v = vector::BitCastOp::create(b, VectorType::get(lanes, toType), v);
      return all;
    }
    Value first = b.load(type, spec.from, source(i, j));
    if (!hasPairs())
      return stored(first, Value());
    return stored(first, b.load(type, spec.from, source(b.add(i, 1), j)));
  }

  /// One row of the source, from row i on, of the column j; or a pair of them.
  Value sourceRow(Value i, Value j) {
    if (spec.pairs == Copy::Pairs::Columns) {
      auto type = VectorType::get(lanes, fromType);
      return pair(b.load(type, spec.from, {j, i}),
                  b.load(type, spec.from, {b.add(j, 1), i}));
    }
    if (hasPairs())
      return vector::BitCastOp::create(
          b, VectorType::get(lanes, toType),
          narrow(
              b.load(VectorType::get(2 * lanes, fromType), spec.from, {j, i})));
    return convert(b.load(VectorType::get(lanes, fromType), spec.from, {j, i}));
  }

  void square(Value i, Value j) {
    if (spec.parts)
      return squareOfParts(i, j);
    SmallVector<Value> rows;
    for (int64_t r = 0; r < lanes; ++r) {
      rows.push_back(sourceRow(i, b.add(j, r * perColumn())));
      if (spec.fetchNext)
        memref::PrefetchOp::create(
            b, spec.from, ValueRange{b.add(j, r), b.add(i, spec.rows)},
            /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
    }
    transpose(rows);
    SmallVector<Value> top = target(i, j);
    for (auto [r, row] : llvm::enumerate(rows))
      put(row, {b.add(top[0], r), top[1]});
  }

  /// The same of f32, two squares where they become pairs: those of rows are
  /// neighbours in them, those of columns lie at the same place of both.
  void squareOfParts(Value i, Value j) {
    auto type = VectorType::get(lanes, fromType);
    bool alongRows = spec.pairs == Copy::Pairs::Rows;
    SmallVector<Value> all;
    for (int64_t s = 0; s < (hasPairs() ? 2 : 1); ++s) {
      SmallVector<Value> rows;
      for (int64_t r = 0; r < lanes; ++r)
        rows.push_back(b.load(type, spec.from,
                              {b.add(j, alongRows ? r : r * perColumn() + s),
                               b.add(i, alongRows ? s * lanes : 0)}));
      transpose(rows);
      llvm::append_range(all, rows);
    }
    SmallVector<Value> top = target(i, j);
    for (int64_t r = 0; r < lanes; ++r) {
      SmallVector<Value, 3> values =
          alongRows ? stored(all[2 * r], all[2 * r + 1])
                    : stored(all[r], hasPairs() ? all[lanes + r] : Value());
      put(values, {b.add(top[0], r), top[1]});
    }
  }

  /// Transposes lanes x lanes elements. Stage by stage the vectors v and v + d
  /// swap the lanes whose numbers differ in bit d.
  void transpose(SmallVectorImpl<Value> &rows) {
    for (int64_t d = 1; d < lanes; d *= 2) {
      SmallVector<int64_t> low, high;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        bool upper = lane & d;
        low.push_back(upper ? lanes + lane - d : lane);
        high.push_back(upper ? lanes + lane : lane + d);
      }
      for (int64_t r = 0; r < lanes; ++r) {
        if (r & d)
          continue;
        Value first = rows[r], second = rows[r + d];
        rows[r] = vector::ShuffleOp::create(b, first, second, low);
        rows[r + d] = vector::ShuffleOp::create(b, first, second, high);
      }
    }
  }

  Emit &b;
  const Copy &spec;
  int64_t lanes;
  Type fromType, toType;
};

} // namespace

/// i1 has no vector loads of one byte per element, as which it is stored: the
/// same matrix of i8. Both types become one descriptor, and the cast nothing.
static Value asBytes(Emit &b, Value matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  auto bytes = MemRefType::get(type.getShape(), b.getI8Type(), type.getLayout(),
                               type.getMemorySpace());
  return UnrealizedConversionCastOp::create(b, bytes, matrix).getResult(0);
}

void mlir::attn::emitCopy(Emit &b, KernelLibrary &library, const Copy &given) {
  Copy copy = given;
  if (cast<MemRefType>(copy.from.getType()).getElementType().isInteger(1))
    copy.from = asBytes(b, copy.from);
  Type element = cast<MemRefType>(copy.to.getType()).getElementType();
  // Elements of less than 4 bytes gain nothing from more lanes than words.
  int64_t lanes = library.target.vectorBits /
                  std::max<int64_t>(32, element.isIndex()
                                            ? 64
                                            : element.getIntOrFloatBitWidth());
  std::string key = llvm::formatv(
      "{0} {1} {2} {3} {4} {5}", copy.transposed, int(copy.pairs),
      int(copy.padding), bool(copy.paddedColumns), copy.fetchNext, copy.adds);
  if (copy.parts)
    key += llvm::formatv(" {0} {1} {2} {3}", int(copy.parts->type),
                         copy.parts->bounded, copy.partRows, copy.partColumns);
  SmallVector<Value> arguments{copy.from, copy.to, copy.rows, copy.columns};
  if (copy.paddedColumns)
    arguments.push_back(copy.paddedColumns);
  for (auto [part, row, column] : copy.places)
    key += llvm::formatv(" {0}:{1}:{2}", part, row, column);
  library.call(b, copy.transposed ? "attn_transpose" : "attn_copy", key,
               arguments, [&](Emit &inner, ValueRange formal) {
                 Copy body = copy;
                 body.from = formal[0];
                 body.to = formal[1];
                 body.rows = formal[2];
                 body.columns = formal[3];
                 if (copy.paddedColumns)
                   body.paddedColumns = formal[4];
                 CopyBody(inner, body, lanes).emit();
               });
}
