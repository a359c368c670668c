//===- Trace.cpp - the recurrence of a row, block by block ----------------===//
#include "attn/Runtime/Trace.h"
#include "attn/IR/Roles.h"
#include "attn/IR/Transforms.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Runtime/Diagnostics.h"
#include "attn/Support/Algebra.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;
using ::attn::Array;

namespace {
/// The row and the blocks that a trace goes through.
struct TracePlan {
  SmallVector<int64_t> offsets, sizes; ///< per iteration dim: the row
  SmallVector<unsigned> keyDims;
  SmallVector<int64_t> keyExtents, keyBlocks; ///< per key dim
  int64_t numBlocks = 1;
  int64_t blockScores = 1, allScores = 1; ///< elements, for a query block
};
} // namespace

static FailureOr<TracePlan> planTrace(AttentionOp op, unsigned row) {
  auto score = cast<ScoreOpInterface>(op.getOperation());
  Roles roles = inferRoles(score);
  SmallVector<int64_t> extents =
      staticSizes(cast<IndexedOpInterface>(op.getOperation()));
  if (llvm::any_of(extents, ShapedType::isDynamic))
    return op.emitError("--trace expects static extents; give the file static "
                        "shapes");
  TilingAttr tiling = score.getTilingAttr();
  TracePlan plan;
  plan.offsets.assign(extents.size(), 0);
  plan.sizes = extents;
  for (unsigned dim : roles.batch)
    plan.sizes[dim] = std::min<int64_t>(extents[dim], 1);
  int64_t rest = row, rows = 1;
  for (unsigned dim : llvm::reverse(roles.row)) {
    rows *= extents[dim];
    plan.sizes[dim] = std::min<int64_t>(extents[dim], 1);
    if (extents[dim] != 0) {
      plan.offsets[dim] = rest % extents[dim];
      rest /= extents[dim];
    }
  }
  if (row >= rows)
    return op.emitError("--trace: expected a row below ")
           << rows << ", got " << row;
  for (auto [index, dim] : llvm::enumerate(roles.key)) {
    int64_t extent = extents[dim];
    int64_t block = tiling ? tiling.getKeyBlock()[index] : extent;
    block = std::max<int64_t>(1, std::min(block, extent));
    plan.keyDims.push_back(dim);
    plan.keyExtents.push_back(extent);
    plan.keyBlocks.push_back(block);
    plan.numBlocks *= llvm::divideCeil(extent, block);
    plan.blockScores *= block;
    plan.allScores *= extent;
  }
  plan.allScores *= rows;
  for (auto [index, dim] : llvm::enumerate(roles.row))
    plan.blockScores *= std::min(
        extents[dim], tiling ? tiling.getQueryBlock()[index] : extents[dim]);
  return plan;
}

/// The offsets and sizes of key block `index` within the plan's row.
static void selectBlock(const TracePlan &plan, int64_t index,
                        SmallVectorImpl<int64_t> &offsets,
                        SmallVectorImpl<int64_t> &sizes) {
  offsets.assign(plan.offsets.begin(), plan.offsets.end());
  sizes.assign(plan.sizes.begin(), plan.sizes.end());
  for (size_t k = plan.keyDims.size(); k-- > 0;) {
    int64_t count = llvm::divideCeil(plan.keyExtents[k], plan.keyBlocks[k]);
    int64_t begin = index % count * plan.keyBlocks[k];
    index /= count;
    offsets[plan.keyDims[k]] = begin;
    sizes[plan.keyDims[k]] =
        std::min(plan.keyBlocks[k], plan.keyExtents[k] - begin);
  }
}

/// Folds the blocks one after the other; returns max and sum after each.
static FailureOr<SmallVector<Value>> foldBlocks(RewriterBase &rewriter,
                                                OnlineAttentionOp online,
                                                const TracePlan &plan) {
  SmallVector<Value> state, returned;
  for (int64_t block = 0; block < plan.numBlocks; ++block) {
    SmallVector<int64_t> offsets, sizes;
    selectBlock(plan, block, offsets, sizes);
    auto tiled = cast<TilingInterface>(online.getOperation())
                     .getTiledImplementation(
                         rewriter,
                         getAsIndexOpFoldResult(rewriter.getContext(), offsets),
                         getAsIndexOpFoldResult(rewriter.getContext(), sizes));
    if (failed(tiled))
      return online.emitError("cannot cut a key block from this attention");
    auto fold = cast<OnlineAttentionOp>(tiled->tiledOps.front());
    for (auto [init, value] : llvm::zip(fold.getDpsInitsMutable(), state))
      init.set(value);
    state.assign(fold->result_begin(), fold->result_end());
    returned.append({state[1], state[2]});
  }
  return returned;
}

/// Makes the function return `values` instead of what it did.
static void replaceResults(func::FuncOp function, ArrayRef<Value> values) {
  auto terminator =
      cast<func::ReturnOp>(function.getBody().front().getTerminator());
  terminator.getOperandsMutable().assign(values);
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getArgumentTypes(),
      llvm::to_vector(llvm::map_range(
          values, [](Value value) { return value.getType(); }))));
  function.setResAttrsAttr(nullptr);
}

/// Four decimals, without zeros at the end.
static std::string formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4f", value);
  if (text.find('.') == std::string::npos)
    return text; // nan, inf
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text == "-0" ? "0" : text;
}

static std::string formatTrace(const TracePlan &plan, unsigned row,
                               ArrayRef<Array> states) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "trace      row " << row << ", " << plan.numBlocks
     << " key blocks; largest temporary " << plan.blockScores
     << " elements against " << plan.allScores << '\n';
  using State = ::attn::SoftmaxState<double>;
  double previous = State::kNegInf;
  for (int64_t block = 0; block < plan.numBlocks; ++block) {
    // An empty batch has no row.
    if (states[2 * block].numElements() == 0)
      break;
    double m = states[2 * block].get(0), l = states[2 * block + 1].get(0);
    double corr = std::exp(previous - State::finite(m));
    previous = m;
    os << llvm::left_justify("block " + std::to_string(block), 11) << "m "
       << formatNumber(m) << " l " << formatNumber(l) << " corr "
       << formatNumber(corr) << '\n';
  }
  return text;
}

/// The function that returns the states, compiled and run.
static FailureOr<std::vector<Array>>
runStates(ModuleOp module, func::FuncOp function, ArrayRef<Array> arguments) {
  FailureOr<EntryPoint> entry = getEntryPoint(function);
  if (failed(entry) || failed(runOraclePipeline(module)))
    return failure();
  auto compiled = CompiledModule::create(module);
  if (!compiled)
    return emitTo(module.getLoc(), compiled.takeError());
  auto packed = (*compiled)->lookup(entry->name);
  if (!packed)
    return module.emitError(llvm::toString(packed.takeError()));
  auto results = PreparedCall(*entry, arguments).run(*packed);
  if (!results)
    return module.emitError(llvm::toString(results.takeError()));
  return std::move(*results);
}

FailureOr<std::string> mlir::attn::traceAttention(ModuleOp module,
                                                  const EntryPoint &entry,
                                                  ArrayRef<Array> arguments,
                                                  unsigned row) {
  auto function = module.lookupSymbol<func::FuncOp>(entry.name);
  AttentionOp op;
  for (Operation &candidate : function.getBody().front())
    if (auto attention = dyn_cast<AttentionOp>(candidate)) {
      op = attention;
      break;
    }
  if (!op)
    return function.emitError("--trace: no attention was recognised in @")
           << entry.name;
  FailureOr<TracePlan> plan = planTrace(op, row);
  if (failed(plan))
    return failure();
  IRRewriter rewriter(module.getContext());
  FailureOr<FinishOp> finish = rewriteAsOnline(rewriter, op);
  if (failed(finish))
    return op.emitError("--trace expects an attention on tensors");
  auto online = finish->getAcc().getDefiningOp<OnlineAttentionOp>();
  rewriter.setInsertionPoint(*finish);
  FailureOr<SmallVector<Value>> states = foldBlocks(rewriter, online, *plan);
  if (failed(states))
    return failure();
  replaceResults(function, *states);
  auto results = runStates(module, function, arguments);
  if (failed(results))
    return failure();
  return formatTrace(*plan, row, *results);
}
