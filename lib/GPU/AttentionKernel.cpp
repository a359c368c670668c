//===- AttentionKernel.cpp - what an attention's kernels share ------------===//
#include "AttentionKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using attn_gpu::FragmentType;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void AttentionKernel::addSink() {
  if (op.getSink())
    sink = buffer(attn_gpu::Access::Read, op.getSinkMutable()[0]);
}

void AttentionKernel::addResults() {
  output = buffer(attn_gpu::Access::Write, op.getOutputMutable());
  if (op.getLse())
    lse = buffer(attn_gpu::Access::Write, op.getLseMutable()[0]);
}

void AttentionKernel::addPartials(const Partials &host,
                                  attn_gpu::Access access) {
  partials.acc = kernel.pointer(access, host.acc);
  partials.reference = kernel.pointer(access, host.reference);
  partials.sum = kernel.pointer(access, host.sum);
  partials.parts = host.parts;
}

void AttentionKernel::importResultStrides() {
  if (sink)
    importStrides(kernel, *sink, op.getSink());
  if (!output.pointer)
    return;
  importStrides(kernel, output, op.getOutput());
  if (lse)
    importStrides(kernel, *lse, op.getLse());
}

//===----------------------------------------------------------------------===//
// The softmax state
//===----------------------------------------------------------------------===//

Value AttentionKernel::rowMap(
    ValueRange inputs,
    function_ref<Value(ValueRange elements, Value row)> body) {
  return b.map(inputs, rowType(), [&](ValueRange v, Value row, Value) {
    return SmallVector<Value>{body(v, row)};
  })[0];
}

Value AttentionKernel::matrixMap(ValueRange inputs,
                                 function_ref<Value(ValueRange)> body) {
  return b.map(inputs, inputs[0].getType(), [&](ValueRange v, Value, Value) {
    return SmallVector<Value>{body(v)};
  })[0];
}

Value AttentionKernel::sinkScores() {
  return rowMap({}, [&](ValueRange, Value row) {
    Point point = geometry.batchPoint();
    geometry.setRow(point, b.add(geometry.warpRow, row));
    geometry.clampRow(point);
    Value x = b.load(sink->pointer, sink->offset(b, point), sink->element);
    return convertFloat(b, b.getLoc(), x, b.getF32Type());
  });
}

AttentionKernel::State AttentionKernel::initialState(bool withSink) {
  State state;
  state.acc = b.fill(b.f32(0), accType());
  state.sum = b.fill(b.f32(0), rowType());
  state.reference = b.fill(b.f32(lowestScore), rowType());
  if (sink && withSink)
    state.reference =
        rowMap({sinkScores(), state.reference}, [&](ValueRange v, Value) {
          return LLVM::MaxNumOp::create(b, v[0], v[1]).getResult();
        });
  return state;
}

Value AttentionKernel::correction(Value from, Value to) {
  return rowMap({from, to}, [&](ValueRange v, Value) {
    Value x = arith::SubFOp::create(b, v[0], v[1]);
    return exp2(b, arith::MulFOp::create(b, x, b.f32(llvm::numbers::log2e)));
  });
}

AttentionKernel::State AttentionKernel::scaled(State state, Value factor,
                                               Value reference) {
  auto times = [&](ValueRange v) {
    return arith::MulFOp::create(b, v[0], v[1]).getResult();
  };
  return {matrixMap({state.acc, factor}, times), reference,
          matrixMap({state.sum, factor}, times)};
}

AttentionKernel::State AttentionKernel::rescaled(State state, Value reference) {
  return scaled(state, correction(state.reference, reference), reference);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void mlir::attn::emitStore(KernelEmit &b, Value source, Value base,
                           Type element, int64_t vector, Place place,
                           bool byRows) {
  auto op = attn_gpu::StoreOp::create(b, source, base, TypeAttr::get(element),
                                      b.getI64IntegerAttr(vector),
                                      byRows ? b.getUnitAttr() : UnitAttr());
  emitPlace(b, op.getBody(), place);
}

Value AttentionKernel::partialOffset(Value part, Value row, Value column,
                                     int64_t columns) {
  Value block = b.add(b.mul(part, geometry.blocks), geometry.block);
  Value at = b.add(b.mul(block, geometry.rowsPerBlock()),
                   b.add(geometry.warpRow, row));
  return b.add(b.mul(at, columns), column);
}

void AttentionKernel::storeOutput(State state) {
  bool zero = op.getEmptyRows() == EmptyRows::Zero;
  Value inverse = rowMap(state.sum, [&](ValueRange l, Value) -> Value {
    return reciprocal(b, l[0]);
  });
  Value result =
      matrixMap({state.acc, inverse, state.sum}, [&](ValueRange v) -> Value {
        Value o = arith::MulFOp::create(b, v[0], v[1]);
        return zero ? b.select(isEqual(v[2], 0), b.f32(0), o) : o;
      });
  // Sums of so many columns alone take half of the registers.
  constexpr int64_t wide = 256;
  emitStore(
      b, result, output.pointer, output.element,
      vectorWidth(output, roles.value, 2),
      [&](Value row, Value column) {
        return geometry.rowPlace(output, roles.value,
                                 b.add(geometry.warpRow, row), column);
      },
      /*byRows=*/geometry.paddedColumns(roles.value) >= wide);
}

void AttentionKernel::storeLse(State state) {
  Value result =
      rowMap({state.sum, state.reference}, [&](ValueRange v, Value) -> Value {
        Value x = math::FmaOp::create(b, log2(b, v[0]),
                                      b.f32(llvm::numbers::ln2), v[1]);
        return b.select(isEqual(v[0], 0), b.f32(-inf), x);
      });
  emitStore(b, result, lse->pointer, lse->element, 1,
            [&](Value row, Value) -> std::pair<Value, Value> {
              Point point = geometry.batchPoint();
              geometry.setRow(point, b.add(geometry.warpRow, row));
              return {lse->offset(b, point), geometry.rowExists(point)};
            });
}

void AttentionKernel::finish(State state) {
  if (sink) {
    Value share = correction(sinkScores(), state.reference);
    state.sum = rowMap({state.sum, share}, [&](ValueRange v, Value) {
      return arith::AddFOp::create(b, v[0], v[1]).getResult();
    });
  }
  storeOutput(state);
  if (lse)
    storeLse(state);
}
