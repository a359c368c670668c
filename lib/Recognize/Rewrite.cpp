//===- Rewrite.cpp - from a complete match to attn.attention --------------===//
#include "Rewrite.h"
#include "Layout.h"
#include "Operand.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

SmallVector<Atom> mlir::attn::iterationSpace(const Match &match) {
  SmallVector<Atom> loops;
  for (ArrayRef<Atom> atoms :
       {ArrayRef<Atom>(match.batch), ArrayRef<Atom>(match.row),
        ArrayRef<Atom>(match.keys), ArrayRef<Atom>(match.depths),
        ArrayRef<Atom>(match.value_)})
    llvm::append_range(loops, atoms);
  return loops;
}

SmallVector<Atom> mlir::attn::unitLoops(ArrayRef<ArrayRef<Atom>> roles) {
  SmallVector<Atom> units;
  for (ArrayRef<Atom> atoms : roles)
    for (Atom atom : atoms)
      if (isUnitLoop(atom))
        units.push_back(atom);
  return units;
}

/// A constant, a scalar, or a tensor over batch and row loops.
static TensorOverLoops readSink(Match &match, OpBuilder &builder, Location loc,
                                OperandWriter &writer) {
  Node *sink = match.sink;
  auto type = RankedTensorType::get({}, sink->type);
  if (sink->kind == Node::Constant)
    return {arith::ConstantOp::create(builder, loc,
                                      DenseElementsAttr::get(type, sink->attr)),
            {}};
  if (sink->kind == Node::Scalar)
    return {tensor::FromElementsOp::create(builder, loc, type, sink->value),
            {}};
  return writer.operand(sink, {});
}

/// 0 if there is no key, else -inf: a sink that makes rows without any key zero
/// and counts for nothing beside keys, even if all of them are hidden.
static TensorOverLoops sinkWithoutKeys(Match &match, OpBuilder &builder,
                                       Location loc,
                                       const TensorOverLoops &key) {
  Type type = builder.getF32Type();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, value));
  };
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  Value sink = constant(-std::numeric_limits<double>::infinity());
  for (auto [dim, atom] : llvm::enumerate(key.loops)) {
    if (!llvm::is_contained(match.keys, atom) ||
        !ShapedType::isDynamic(match.view.getSpace().size(atom)))
      continue;
    Value size = tensor::DimOp::create(builder, loc, key.tensor, dim);
    Value empty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        size, none);
    sink = arith::SelectOp::create(builder, loc, empty, constant(0), sink);
  }
  return {tensor::FromElementsOp::create(builder, loc,
                                         RankedTensorType::get({}, type), sink),
          {}};
}

EmptyRows mlir::attn::emptyRowsOf(const Match &match) {
  return match.emptyRowsZero  ? EmptyRows::Zero
         : match.maskBySelect ? EmptyRows::NaNSelect
                              : EmptyRows::NaN;
}

WrittenAttention mlir::attn::writeAttention(Match &match, ScoreRegion &region,
                                            OpBuilder &builder, Location loc,
                                            OperandWriter &writer,
                                            ArrayRef<Atom> resultLoops,
                                            bool withLse,
                                            ArrayRef<int64_t> differentiated) {
  WrittenAttention written;
  written.query =
      writer.operand(match.query, unitLoops({match.row, match.depths}));
  written.key = writer.operand(match.key, unitLoops({match.depths}));
  written.value = writer.operand(match.value, unitLoops({match.value_}));
  TensorOverLoops qkv[] = {written.query, written.key, written.value};
  SmallVector<AffineMap> maps;
  for (const TensorOverLoops &operand : qkv)
    maps.push_back(writer.mapOf(operand.loops));

  SmallVector<Value> extras;
  for (auto [i, extra] : llvm::enumerate(region.getExtras())) {
    AffineMap map = writer.mapOf({});
    TensorOverLoops operand;
    if (!extra.reading) {
      operand.tensor = extra.node->value;
    } else if (llvm::is_contained(differentiated, i)) {
      operand = writer.read(*extra.reading, {});
      map = writer.mapOf(operand.loops);
    } else {
      operand = writer.readExtra(*extra.reading, map);
    }
    written.extras.push_back(operand);
    extras.push_back(operand.tensor);
    maps.push_back(map);
  }
  Value sink;
  if (match.sink || match.sinkWithoutKeys) {
    written.sink = match.sink
                       ? readSink(match, builder, loc, writer)
                       : sinkWithoutKeys(match, builder, loc, written.key);
    sink = written.sink.tensor;
    maps.push_back(writer.mapOf(written.sink.loops));
  }
  SmallVector<Value> symbols;
  for (Node *symbol : match.symbols) {
    symbols.push_back(symbol->value);
    if (symbol->kind == Node::Scalar)
      continue;
    TensorOverLoops read =
        writer.read(*bestReading(match.view.getSpace(), symbol), {});
    symbols.back() = read.tensor;
    maps.push_back(writer.mapOf(read.loops));
  }
  SmallVector<Value> outs{
      writer.destination(resultLoops, qkv, resultType(match))};
  maps.push_back(writer.mapOf(resultLoops));
  if (withLse) {
    SmallVector<Atom> rows;
    for (ArrayRef<Atom> atoms :
         {ArrayRef<Atom>(match.batch), ArrayRef<Atom>(match.row)})
      for (Atom atom : atoms)
        if (llvm::is_contained(written.query.loops, atom) ||
            llvm::is_contained(written.key.loops, atom))
          rows.push_back(atom);
    outs.push_back(writer.destination(rows, qkv, accumulateType(match)));
    maps.push_back(writer.mapOf(rows));
    written.lseLoops = rows;
  }
  written.op = AttentionOp::create(
      builder, loc, ValueRange{qkv[0].tensor, qkv[1].tensor, qkv[2].tensor},
      extras, sink, symbols, Value(), outs, maps, match.scale, match.visible,
      match.hidden, emptyRowsOf(match));

  Block &block = written.op.getScore().front();
  auto yield = cast<YieldOp>(block.getTerminator());
  OpBuilder inner(yield);
  auto [score, weight] = region.build(inner, loc, block.getArguments());
  yield.getScoreMutable().assign(score);
  if (weight)
    yield.getWeightMutable().assign(weight);
  return written;
}

SmallVector<Value> mlir::attn::operandsOf(Match &match,
                                          const ScoreRegion &region) {
  IndexSpace &space = match.view.getSpace();
  SmallVector<Value> result;
  for (Node *node : {match.query, match.key, match.value, match.sink}) {
    SetVector<Node *> leaves;
    if (!node || node->kind == Node::Constant || node->kind == Node::Scalar)
      continue;
    collectLeaves(match.view, node, leaves);
    for (Node *leaf : leaves)
      result.push_back(readingOfLeaf(space, leaf, node)->tensor);
  }
  for (const ScoreRegion::Extra &extra : region.getExtras())
    result.push_back(extra.reading ? extra.reading->tensor : extra.node->value);
  for (Node *node : match.symbols)
    if (const Reading *reading = bestReading(space, node))
      result.push_back(reading->tensor);
  return result;
}

void mlir::attn::rewrite(Match &match, ScoreRegion &region,
                         DenseSet<Operation *> &erased) {
  Operation *rootOp = match.root.getDefiningOp();
  OpBuilder builder(rootOp);
  Location loc = match.root.getLoc();
  OperandWriter writer(match.view, builder, loc, iterationSpace(match));
  SmallVector<Atom> appended;
  OperandWriter::Groups groups =
      writer.groupsOf({match.root, match.rootIndices},
                      unitLoops({match.row, match.value_}), appended);
  SmallVector<Atom> flat;
  for (const SmallVector<Atom> &group : groups)
    llvm::append_range(flat, group);
  llvm::append_range(flat, appended);
  WrittenAttention written = writeAttention(match, region, builder, loc, writer,
                                            flat, /*withLse=*/false);
  Value result = writer.write(written.op->getResult(0),
                              cast<RankedTensorType>(match.root.getType()),
                              groups, appended);
  match.root.replaceAllUsesWith(result);
  eraseDead(rootOp, erased);
}
