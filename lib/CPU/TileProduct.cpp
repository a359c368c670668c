//===- TileProduct.cpp - products by a CPU's matrix unit ------------------===//
#include "TileBlock.h"
#include "attn/Support/TilePermission.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

VectorType lineOf(Emit &b) {
  return VectorType::get(kTileRows, b.getF32Type());
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

class ScoresBody {
public:
  ScoresBody(Emit &b, const TileScores &spec) : b(b), spec(spec) {}

  /// Rows of A outside: they come from the second-level cache, B and the maxima
  /// stay in the first.
  void emit() {
    Value zero = b.index(0);
    int64_t width = spec.vectors * kTileRows;
    b.loop(zero, spec.columns, kTileRows,
           [&](Value j) { b.store(none(), spec.maxima, j); });
    b.loop(b.roundDown(spec.from, kTileBlock), spec.to, kTileBlock,
           [&](Value i) {
             b.loop(zero, spec.columns, width, [&](Value j) { block(i, j); });
           });
  }

private:
  Value none() {
    return b.constant(lineOf(b), -std::numeric_limits<double>::infinity());
  }

  void block(Value i, Value j) {
    TileBlock tiles(b, 2, spec.vectors);
    // Of A from column `left` on and of B from row `right` on, if parts lie
    // `apart`.
    auto step = [&](int64_t left, int64_t right, int64_t apart,
                    const ::attn::TileTerms &terms) {
      tiles.step(
          spec.a,
          [&](int64_t part, int64_t r) {
            return SmallVector<Value>{b.add(i, r * kTileRows),
                                      b.index(left + part * apart)};
          },
          spec.b,
          [&](int64_t part, int64_t v) {
            return SmallVector<Value>{b.index((right + part * apart) / 2),
                                      b.add(j, v * kTileRows)};
          },
          terms);
    };
    const ::attn::TileDepth &depth = spec.depth;
    for (int64_t k = 0; k < depth.part; k += kTileDepth)
      step(k, k, depth.part, spec.parts);
    for (int64_t pair = 0; pair < depth.pairs; ++pair)
      step(depth.pair(spec.parts.leftParts, pair),
           depth.pair(spec.parts.rightParts, pair), 0,
           ::attn::tileTerms(::attn::ElementType::BF16));
    tiles.store(spec.c, i, j);
    for (int64_t v = 0; v < spec.vectors; ++v)
      maxima(i, b.add(j, v * kTileRows));
  }

  /// The maxima of a block's rows that are asked for, in a column of tiles.
  void maxima(Value i, Value j) {
    Value end = b.add(i, kTileBlock);
    Value whole = arith::AndIOp::create(
        b, arith::CmpIOp::create(b, arith::CmpIPredicate::sle, spec.from, i),
        arith::CmpIOp::create(b, arith::CmpIPredicate::sle, end, spec.to));
    auto branch = scf::IfOp::create(b, lineOf(b), whole,
                                    /*withElseRegion=*/true);
    Value old = b.load(lineOf(b), spec.maxima, j);
    old.getDefiningOp()->moveBefore(branch);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      // Two beside each other, to hide their latency.
      Value most[2] = {old, none()};
      for (int64_t r = 0; r < kTileBlock; ++r)
        most[r % 2] = withRow(b.add(i, r), j, most[r % 2]);
      scf::YieldOp::create(b, b.maximum(most[0], most[1]));
      b.setInsertionPointToStart(branch.elseBlock());
      SmallVector<Value> all =
          b.loop(b.max(i, spec.from), b.min(end, spec.to), 1, old,
                 [&](Value row, ValueRange carried) {
                   return SmallVector<Value>{withRow(row, j, carried[0])};
                 });
      scf::YieldOp::create(b, all);
    }
    b.store(branch.getResult(0), spec.maxima, j);
  }

  Value withRow(Value i, Value j, Value most) {
    // A NaN shows in the exponentials; it must not hide the maximum.
    return b.maximum(b.load(lineOf(b), spec.c, {i, j}), most);
  }

  Emit &b;
  const TileScores &spec;
};

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

class AccumulateBody {
public:
  AccumulateBody(Emit &b, const TileAccumulate &spec) : b(b), spec(spec) {}

  void emit() {
    b.loop(b.index(0), spec.columns, spec.vectors * kTileRows, [&](Value j) {
      int64_t tiles = spec.height / kTileRows;
      if (tiles > 1)
        b.loop(b.index(0), b.index(tiles / 2 * kTileBlock), kTileBlock,
               [&](Value i) { block(i, j, 2); });
      if (tiles % 2)
        block(b.index((tiles - 1) * kTileRows), j, 1);
      join(j);
    });
  }

private:
  void block(Value i, Value j, int64_t rows) {
    TileBlock tiles(b, rows, spec.vectors);
    Value last = b.sub(spec.end, b.index(1));
    tiles.sums = b.loop(
        spec.first, spec.end, 1, tiles.sums, [&](Value k, ValueRange carried) {
          TileBlock inner(b, rows, spec.vectors, carried);
          auto is = [&](Value step) -> Value {
            return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, k, step);
          };
          Value panel = arith::SelectOp::create(b, is(last), spec.lastPanel, k);
          panel = arith::SelectOp::create(b, is(spec.first), spec.firstPanel,
                                          panel);
          Value top =
              b.add(b.mul(panel, spec.parts.leftParts * spec.height), i);
          Value pair = b.mul(k, kTileDepth / 2);
          inner.step(
              spec.panels,
              [&](int64_t part, int64_t r) {
                return SmallVector<Value>{
                    b.add(top, part * spec.height + r * kTileRows), b.index(0)};
              },
              spec.b,
              [&](int64_t part, int64_t v) {
                return SmallVector<Value>{b.add(pair, part * spec.partRows),
                                          b.add(j, v * kTileRows)};
              },
              spec.parts);
          return inner.sums;
        });
    tiles.store(spec.sums, i, j);
  }

  /// C = C diag(factors) + sums in these columns.
  void join(Value j) {
    SmallVector<Value> column, factor, masks;
    for (int64_t v = 0; v < spec.vectors; ++v) {
      column.push_back(b.add(j, v * kTileRows));
      factor.push_back(b.load(lineOf(b), spec.factors, column.back()));
      if (spec.raggedColumns)
        masks.push_back(vector::CreateMaskOp::create(
            b, VectorType::get(kTileRows, b.getI1Type()),
            ValueRange{b.sub(spec.columnsOfC, column.back())}));
    }
    int64_t together = spec.rows % 4 == 0 ? 4 : 1;
    b.loop(b.index(0), b.index(spec.rows), together, [&](Value i) {
      for (int64_t r = 0; r < together; ++r)
        for (auto [v, at] : llvm::enumerate(column))
          joinLine(b.add(i, r), at, factor[v],
                   masks.empty() ? Value() : masks[v]);
    });
  }

  void joinLine(Value i, Value j, Value factor, Value mask) {
    SmallVector<Value> at{i, j};
    Value old;
    if (mask)
      old = vector::MaskedLoadOp::create(b, lineOf(b), spec.c, at, mask,
                                         b.constant(lineOf(b), 0.0));
    else
      old = b.load(lineOf(b), spec.c, at);
    Value sum =
        vector::FMAOp::create(b, old, factor, b.load(lineOf(b), spec.sums, at));
    if (mask)
      vector::MaskedStoreOp::create(b, spec.c, at, mask, sum);
    else
      b.store(sum, spec.c, at);
  }

  Emit &b;
  const TileAccumulate &spec;
};

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

class EdgesBody {
public:
  EdgesBody(Emit &b, const TileEdges &spec) : b(b), spec(spec) {}

  void emit() {
    Value from = b.roundDown(spec.from, kTileDepth);
    Value to = b.roundUp(spec.to, kTileDepth);
    clear(from, spec.from);
    clear(b.roundUp(spec.to, 2), to);
    copy(b.div(from, b.index(kTileDepth)), spec.spare);
    copy(b.div(b.sub(to, b.index(1)), b.index(kTileDepth)), spec.spare + 1);
  }

private:
  /// P = 0 for the keys from `from` on, both even.
  void clear(Value from, Value to) {
    auto type = VectorType::get(kTileRows, b.getI32Type());
    Value none = b.integer(type, 0), two = b.index(2);
    b.loop(b.div(from, two), b.div(to, two), 1, [&](Value pair) {
      b.loop(b.index(0), spec.columns, kTileRows, [&](Value j) {
        for (int64_t part = 0; part < spec.probabilityParts; ++part)
          b.store(none, spec.probabilities,
                  {b.add(pair, part * spec.partRows), j});
      });
    });
  }

  /// A panel with nothing but the keys of the part.
  void copy(Value panel, int64_t target) {
    auto type = VectorType::get(kTileRows, b.getI32Type());
    Value first = b.mul(panel, kTileDepth);
    Value mask = arith::OrIOp::create(b, seen(first, 0, 0x0000ffff),
                                      seen(first, 1, 0xffff0000));
    Value top = b.mul(panel, spec.height);
    b.loop(b.index(0), b.index(spec.height), 1, [&](Value i) {
      Value line = b.load(type, spec.panels, {b.add(top, i), b.index(0)});
      b.store(arith::AndIOp::create(b, line, mask), spec.panels,
              {b.add(i, target * spec.height), b.index(0)});
    });
  }

  /// `bits` where the first or second key of a pair is in the part.
  Value seen(Value first, int64_t second, uint32_t bits) {
    auto type = VectorType::get(kTileRows, b.getI32Type());
    SmallVector<int32_t> keys;
    for (int64_t pair = 0; pair < kTileRows; ++pair)
      keys.push_back(int32_t(2 * pair + second));
    Value key = arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, ArrayRef<int32_t>(keys)));
    auto bound = [&](Value index) {
      Value local =
          arith::IndexCastOp::create(b, b.getI32Type(), b.sub(index, first));
      return b.broadcast(type, local);
    };
    Value is = arith::AndIOp::create(
        b,
        arith::CmpIOp::create(b, arith::CmpIPredicate::sge, key,
                              bound(spec.from)),
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, key,
                              bound(spec.to)));
    return arith::SelectOp::create(b, is, b.integer(type, int32_t(bits)),
                                   b.integer(type, 0));
  }

  Emit &b;
  const TileEdges &spec;
};

} // namespace

std::pair<Value, Value> mlir::attn::emitTileEdges(Emit &b,
                                                  KernelLibrary &library,
                                                  const TileEdges &edges,
                                                  Value end) {
  Value depth = b.index(kTileDepth), zero = b.index(0);
  auto isRagged = [&](Value v) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, b.rem(v, depth),
                                 zero);
  };
  Value begins = isRagged(edges.from), ends = isRagged(edges.to);
  b.when(arith::OrIOp::create(b, begins, ends), [&] {
    library.call(b, "attn_tile_edges",
                 llvm::formatv("{0} {1} {2} {3}", edges.height, edges.spare,
                               edges.probabilityParts, edges.partRows)
                     .str(),
                 {edges.panels, edges.probabilities, edges.from, edges.to,
                  edges.columns},
                 [&](Emit &inner, ValueRange formal) {
                   TileEdges body = edges;
                   body.panels = formal[0];
                   body.probabilities = formal[1];
                   body.from = formal[2];
                   body.to = formal[3];
                   body.columns = formal[4];
                   EdgesBody(inner, body).emit();
                 });
  });
  Value first = b.div(edges.from, depth);
  Value last = b.sub(b.ceilDiv(edges.to, kTileDepth), b.index(1));
  ends = arith::AndIOp::create(
      b, ends,
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, edges.to, end));
  Value single =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, first, last);
  begins =
      arith::OrIOp::create(b, begins, arith::AndIOp::create(b, single, ends));
  return {arith::SelectOp::create(b, begins, b.index(edges.spare), first),
          arith::SelectOp::create(b, ends, b.index(edges.spare + 1), last)};
}

static std::string keyOf(const ::attn::TileTerms &parts) {
  std::string key;
  for (::attn::TileTerm term : parts.terms)
    key += llvm::formatv(" {0}.{1}", term.left, term.right);
  return key;
}

void mlir::attn::emitTileScores(Emit &b, KernelLibrary &library,
                                const TileScores &scores) {
  library.call(b, "attn_tile_scores",
               Twine(scores.vectors) + " " + Twine(scores.depth.part) + " " +
                   Twine(scores.depth.end) + keyOf(scores.parts),
               {scores.a, scores.b, scores.c, scores.maxima, scores.from,
                scores.to, scores.columns},
               [&](Emit &inner, ValueRange formal) {
                 TileScores body = scores;
                 body.a = formal[0];
                 body.b = formal[1];
                 body.c = formal[2];
                 body.maxima = formal[3];
                 body.from = formal[4];
                 body.to = formal[5];
                 body.columns = formal[6];
                 ScoresBody(inner, body).emit();
               });
}

void mlir::attn::emitTileAccumulate(Emit &b, KernelLibrary &library,
                                    const TileAccumulate &accumulate) {
  std::string key = llvm::formatv("{0} {1} {2} {3} {4}", accumulate.vectors,
                                  accumulate.rows, accumulate.height,
                                  accumulate.raggedColumns, accumulate.partRows)
                        .str() +
                    keyOf(accumulate.parts);
  library.call(b, "attn_tile_accumulate", key,
               {accumulate.panels, accumulate.b, accumulate.c, accumulate.sums,
                accumulate.factors, accumulate.first, accumulate.end,
                accumulate.firstPanel, accumulate.lastPanel, accumulate.columns,
                accumulate.columnsOfC},
               [&](Emit &inner, ValueRange formal) {
                 TileAccumulate body = accumulate;
                 body.panels = formal[0];
                 body.b = formal[1];
                 body.c = formal[2];
                 body.sums = formal[3];
                 body.factors = formal[4];
                 body.first = formal[5];
                 body.end = formal[6];
                 body.firstPanel = formal[7];
                 body.lastPanel = formal[8];
                 body.columns = formal[9];
                 body.columnsOfC = formal[10];
                 AccumulateBody(inner, body).emit();
               });
}

void mlir::attn::requestTiles(Operation *op,
                              llvm::SmallPtrSetImpl<Operation *> &guarded) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function || !guarded.insert(function).second)
    return;
  Emit b(op->getLoc(), op->getContext());
  b.setInsertionPointToStart(&function.getFunctionBody().front());
  // The call itself and not a library's: what is compiled ahead of time needs
  // nothing then. It takes a fraction of a microsecond.
  SmallVector<Value> arguments;
  for (int64_t number :
       {::attn::kArchPrctl, ::attn::kRequestPermission, ::attn::kTileData})
    arguments.push_back(b.integer(b.getI64Type(), number));
  Value result =
      LLVM::InlineAsmOp::create(
          b, b.getI64Type(), arguments, "syscall",
          "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory}",
          /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::tailcallkind::TailCallKind::None,
          LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
          ArrayAttr())
          .getResult(0);
  Value granted = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, result,
                                        b.integer(b.getI64Type(), 0));
  cf::AssertOp::create(
      b, granted,
      "the system does not let this process use AMX tiles, which the code was "
      "compiled for: compile it for target avx512, or with bf16_tiles = 0");
}
