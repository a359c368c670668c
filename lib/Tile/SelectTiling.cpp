//===- SelectTiling.cpp - attn-select-tiling ------------------------------===//
#include "attn/CostModel/Select.h"
#include "attn/CostModel/Sweeps.h"
#include "attn/CostModel/TilingTable.h"
#include "attn/IR/Roles.h"
#include "attn/Tile/CostQuery.h"
#include "attn/Tile/Passes.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNSELECTTILING
#include "attn/Tile/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using ::attn::Problem;
using ::attn::RankedTiling;
using ::attn::Target;
using ::attn::Tiling;

/// `sizes` for the last of `dims` dims, 1 for those before them.
template <typename Sizes> static void padFront(Sizes &sizes, size_t dims) {
  if (sizes.size() < dims)
    sizes.insert(sizes.begin(), dims - sizes.size(), 1);
}

namespace {
/// What a tiling given by hand is checked against.
struct Question {
  Problem problem;
  Target target;
  /// The problem with dynamic extents so large that nothing is clamped to them.
  Problem bounds;
};
} // namespace

/// A tiling given by hand, brought to the problem: no block larger than it, no
/// more parts than there are key blocks, and on a CPU the default register
/// block if none is given.
static Tiling completeTiling(Tiling tiling, const Question &question) {
  const auto &[problem, target, bounds] = question;
  // A thread array's rows are its warps', whether all exist or not.
  if (!target.isGpu())
    tiling = tiling.clampedTo(bounds);
  tiling.keySplits = std::min(tiling.keySplits, tiling.keyBlockCount(bounds));
  if (target.isGpu())
    return tiling;
  if (!tiling.cpu && !tiling.gpu)
    tiling.cpu = ::attn::registerBlock(target, problem.type,
                                       tiling.queryBlockSize(), problem.value);
  if (tiling.cpu)
    tiling.cpu->mr = std::min(tiling.cpu->mr, tiling.queryBlockSize());
  return tiling;
}

/// On a GPU, the best kernel for blocks that were given without one.
static llvm::Expected<Tiling> findKernel(Tiling tiling,
                                         const Question &question) {
  const auto &[problem, target, bounds] = question;
  llvm::Expected<std::vector<RankedTiling>> ranked =
      ::attn::rankTilings(problem, target, /*top=*/SIZE_MAX);
  if (!ranked)
    return ranked.takeError();
  for (const RankedTiling &entry : *ranked) {
    tiling.gpu = entry.tiling.gpu;
    bool rowsMatch = tiling.gpu->warps * tiling.gpu->rowsPerWarp ==
                     ::attn::ownBlockSize(problem, tiling);
    if (rowsMatch &&
        !::attn::computeFootprint(problem, tiling, target).violation())
      return tiling;
  }
  return llvm::createStringError(
      "no kernel of target %s holds a query_block of %lld rows and a key_block "
      "of %lld keys: give kernel=gpu<..> or other blocks",
      target.name.c_str(), static_cast<long long>(tiling.queryBlockSize()),
      static_cast<long long>(tiling.keyBlockSize()));
}

/// Checks a tiling given by hand and fills in what it leaves open.
static llvm::Expected<Tiling> acceptTiling(Tiling tiling,
                                           const Question &question) {
  const auto &[problem, target, bounds] = question;
  if (llvm::Error error = tiling.check(problem))
    return error;
  tiling = completeTiling(std::move(tiling), question);
  if (target.isGpu() && !tiling.cpu && !tiling.gpu) {
    llvm::Expected<Tiling> found = findKernel(tiling, question);
    if (!found)
      return found.takeError();
    tiling = *found;
  }
  if (llvm::Error error = ::attn::checkFits(problem, tiling, target))
    return error;
  return tiling;
}

namespace {
struct SelectTilingPass
    : mlir::attn::impl::AttnSelectTilingBase<SelectTilingPass> {
  using AttnSelectTilingBase::AttnSelectTilingBase;

  /// The pick, with what the `tiling` option says laid over it.
  llvm::Expected<Tiling> optionTiling(Tiling pick, const Question &question) {
    const Problem &problem = question.problem;
    Tiling base = pick;
    base.queryBlock.clear();
    base.keyBlock.clear();
    llvm::Expected<Tiling> given = ::attn::parseTiling(tiling, base);
    if (!given)
      return given.takeError();
    bool blocksGiven = !given->queryBlock.empty() || !given->keyBlock.empty();
    std::string text = tiling;
    llvm::erase(text, ' ');
    // A kernel or a split chosen for other blocks says nothing about these.
    if (blocksGiven && !StringRef(text).contains("kernel="))
      given->gpu.reset();
    if (blocksGiven && !StringRef(text).contains("key_splits="))
      given->keySplits = 1;
    if (given->queryBlock.empty())
      given->queryBlock = pick.queryBlock;
    if (given->keyBlock.empty())
      given->keyBlock = pick.keyBlock;
    padFront(given->queryBlock, problem.rows.size());
    padFront(given->keyBlock, problem.keys.size());
    return acceptTiling(*given, question);
  }

  llvm::Expected<Tiling> choose(ScoreOpInterface op, const Question &question) {
    const auto &[problem, target, bounds] = question;
    if (TilingAttr attr = op.getTilingAttr(); attr && tiling.empty()) {
      // An op without row dims poses a problem of one row.
      Tiling given = fromAttribute(attr);
      padFront(given.queryBlock, problem.rows.size());
      return acceptTiling(std::move(given), question);
    }
    llvm::Expected<Tiling> pick = pickFor(question);
    if (!pick || tiling.empty())
      return pick;
    return optionTiling(*pick, question);
  }

  /// The table's tiling, else the model's.
  llvm::Expected<Tiling> pickFor(const Question &question) {
    const auto &[problem, target, bounds] = question;
    std::string machine = ::attn::machineName(target);
    if (const ::attn::TilingEntry *entry = timed.find(problem.str(), machine)) {
      llvm::Expected<Tiling> found = ::attn::parseTiling(entry->tiling);
      if (found)
        found = acceptTiling(std::move(*found), question);
      if (!found)
        return llvm::createStringError(
            table + ": " + llvm::toString(found.takeError()) +
            "; the entry is that of problem '" + entry->problem + "'");
      ++numFromTable;
      return found;
    }
    llvm::Expected<std::vector<RankedTiling>> ranked =
        ::attn::rankTilings(problem, target);
    if (!ranked)
      return ranked.takeError();
    return ranked->front().tiling;
  }

  LogicalResult readTable() {
    if (table.empty())
      return success();
    llvm::Expected<::attn::TilingTable> read = ::attn::TilingTable::read(table);
    if (!read)
      return getOperation()->emitError("attn-select-tiling: table: ")
             << llvm::toString(read.takeError());
    timed = std::move(*read);
    return success();
  }

  void remarkOn(ScoreOpInterface op, const Tiling &chosen,
                const Question &question) {
    const auto &[problem, target, bounds] = question;
    std::string function;
    if (auto parent = op->getParentOfType<FunctionOpInterface>())
      function = parent.getName().str();
    double seconds = ::attn::predictSeconds(problem, chosen, target);
    remark::analysis(op.getLoc(), remark::RemarkOpts::name("tiling")
                                      .category("attn-select-tiling")
                                      .function(function))
        << remark::metric("Target", target.name)
        << remark::metric("Tiling", ::attn::toString(chosen))
        << remark::metric("PredictedMs", seconds * 1e3);
  }

  void runOnOperation() override {
    if (failed(readTable()))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([&](ScoreOpInterface op) {
      if (!choosesTiling(op))
        return WalkResult::advance();
      FailureOr<Target> target = getTarget(op);
      if (failed(target))
        return WalkResult::interrupt();
      AssumedExtents large;
      large.sequence = int64_t(1) << 30;
      Question question{getProblem(op), *target, getProblem(op, large)};
      if (atomics && !target->isGpu()) {
        op->emitOpError("expected a GPU target for atomics, got ")
            << target->name
            << ": a CPU's gradients are summed in one order; leave atomics out";
        return WalkResult::interrupt();
      }
      if (atomics && isa<AttentionBackwardOp>(op))
        question.problem.atomics = question.bounds.atomics = true;
      llvm::Expected<Tiling> chosen = choose(op, question);
      if (!chosen) {
        op->emitOpError() << llvm::toString(chosen.takeError());
        return WalkResult::interrupt();
      }
      Tiling spelled = *chosen;
      if (inferRoles(op).row.empty())
        spelled.queryBlock.clear();
      op->setAttr("tiling", toAttribute(&getContext(), spelled));
      remarkOn(op, *chosen, question);
      ++numSelected;
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  ::attn::TilingTable timed;
};
} // namespace
