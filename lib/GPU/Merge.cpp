//===- Merge.cpp - states of parts of the keys, merged --------------------===//
#include "AttentionKernel.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
class MergeKernel : AttentionKernel {
public:
  using AttentionKernel::AttentionKernel;

  void build(const Partials &host) {
    addSink();
    addResults();
    addPartials(host, attn_gpu::Access::Scratch);
    importResultStrides();
    geometry.locate();
    State state = initialState(/*withSink=*/true);
    auto loop = scf::ForOp::create(b, b.index(0), b.index(host.parts),
                                   b.index(1), state.values());
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      ValueRange carried = loop.getRegionIterArgs();
      State merged = merge({carried[0], carried[1], carried[2]},
                           load(loop.getInductionVar()));
      scf::YieldOp::create(b, merged.values());
    }
    finish({loop.getResult(0), loop.getResult(1), loop.getResult(2)});
    kernel.launch(geometry.grid, geometry.warps * attn_gpu::kWarpSize, 0);
  }

private:
  State load(Value part) {
    Type f32 = b.getF32Type();
    auto rows = [&](Value base) {
      return rowMap({}, [&](ValueRange, Value row) {
        return b.load(base, partialOffset(part, row, b.index(0), 1), f32);
      });
    };
    int64_t columns = accType().getColumns();
    Value at = partialOffset(part, b.index(0), b.index(0), columns);
    Value acc = attn_gpu::LoadSumsOp::create(b, accType(), partials.acc, at,
                                             columns / 8);
    return {acc, rows(partials.reference), rows(partials.sum)};
  }

  State merge(State x, State y) {
    Value reference =
        rowMap({x.reference, y.reference}, [&](ValueRange v, Value) {
          return arith::MaxNumFOp::create(b, v[0], v[1]).getResult();
        });
    x = rescaled(x, reference);
    y = rescaled(y, reference);
    auto plus = [&](ValueRange v) {
      return arith::AddFOp::create(b, v[0], v[1]).getResult();
    };
    return {matrixMap({x.acc, y.acc}, plus), reference,
            matrixMap({x.sum, y.sum}, plus)};
  }
};
} // namespace

void mlir::attn::mergePartials(AttentionOp op, const ::attn::Target &target,
                               StringRef name, const Partials &partials) {
  MergeKernel(op, target, name).build(partials);
}
