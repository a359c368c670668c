//===- Described.cpp - The problem and tiling that options describe -------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "attn/CostModel/Select.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace attn;
using namespace attn::ledger;
using llvm::Error;

/// Over the dims (batch, kv head, group, m, n).
static std::optional<Visible> makeMask(const Options &o) {
  constexpr unsigned numDims = 5;
  if (o.causal == CausalKind::None && !o.window)
    return std::nullopt;
  Expr distance = Expr::dim(3) - Expr::dim(4);
  if (o.causal == CausalKind::BottomRight)
    distance = distance + Expr::symbol(4) - Expr::symbol(3);
  AffineSet set;
  if (o.causal != CausalKind::None)
    set.constraints.push_back({distance});
  if (o.window) {
    set.constraints.push_back({Expr(*o.window - 1) - distance});
    if (o.causal == CausalKind::None)
      set.constraints.push_back({distance + (*o.window - 1)});
  }
  return Visible(numDims, numDims, set);
}

llvm::Expected<Problem> attn::ledger::makeProblem(const Options &o,
                                                  Direction direction) {
  Problem problem;
  problem.batch = {o.batch, *o.kvHeads};
  problem.rows = {*o.kvHeads ? o.heads / *o.kvHeads : 1, *o.m};
  problem.keys = {*o.n};
  problem.depth = *o.k;
  problem.value = *o.d;
  problem.type = o.type;
  problem.direction = direction;
  problem.visible = makeMask(o);
  problem.replacesHidden = o.replace;
  if (o.blocks && o.replace)
    return llvm::createStringError("--blocks: expected no --replace beside it: "
                                   "what a mask of blocks hides is skipped");
  if (o.blocks) {
    if (Error error = checkShape(*o.blocks, problem))
      return error;
    problem.blocks = o.blocks->pattern;
  }
  if (Error error = problem.check())
    return error;
  return problem;
}

/// Blocks where neither --br and --bc nor --tiling says all: the paper's rule
/// for the paper's accounting, the cost model's pick for the others.
static llvm::Expected<Tiling>
defaultTiling(const Options &o, const Problem &problem, Accounting accounting) {
  if (accounting == Accounting::Paper || o.sramElements) {
    int64_t elements = o.target.fastBytes / bytesOf(problem.type);
    return paperTiling(problem, o.sramElements.value_or(elements));
  }
  llvm::Expected<std::vector<RankedTiling>> ranked =
      rankTilings(problem, o.target);
  if (!ranked)
    return ranked.takeError();
  return ranked->front().tiling;
}

/// Sizes are given for the last dims; what is left out stays.
template <typename Sizes>
static Error overwriteLast(const char *name, const Sizes &given, Sizes &sizes) {
  if (given.size() > sizes.size())
    return llvm::createStringError(
        "--tiling: expected at most %zu sizes in %s, got %zu",
        static_cast<size_t>(sizes.size()), name,
        static_cast<size_t>(given.size()));
  std::copy(given.rbegin(), given.rend(), sizes.rbegin());
  return Error::success();
}

/// Names the first size that does not lie in a block of --blocks.
static Error checkNested(const Options &o, const Problem &problem,
                         const Tiling &tiling) {
  if (!problem.blocks)
    return Error::success();
  Problem open = problem;
  open.blocks.reset();
  Tiling wanted = tiling.clampedTo(open), nested = tiling.clampedTo(problem);
  auto check = [&](const char *option, const char *field, int64_t size,
                   int64_t fits) -> Error {
    if (size == fits)
      return Error::success();
    return llvm::createStringError(
        "%s: expected tiles that lie in one block of --blocks, got %s=%lld: "
        "the next that does is %lld",
        o.tiling ? "--tiling" : option, field, static_cast<long long>(size),
        static_cast<long long>(fits));
  };
  for (auto [size, fits] :
       llvm::zip_equal(wanted.queryBlock, nested.queryBlock))
    if (Error error = check("--br", "query_block", size, fits))
      return error;
  for (auto [size, fits] : llvm::zip_equal(wanted.keyBlock, nested.keyBlock))
    if (Error error = check("--bc", "key_block", size, fits))
      return error;
  return Error::success();
}

Accounting attn::ledger::askedAccounting(const Options &o) {
  bool keysOutside = o.tilingHasOrder && o.tiling->order == Order::KeyOuter;
  return o.accounting.value_or(keysOutside ? Accounting::KvOuter
                                           : Accounting::QOuter);
}

llvm::Expected<Tiling> attn::ledger::makeTiling(const Options &o,
                                                const Problem &problem,
                                                Accounting accounting) {
  Tiling tiling;
  bool given = o.br && o.bc;
  if (o.tiling)
    given |= !o.tiling->queryBlock.empty() && !o.tiling->keyBlock.empty();
  if (given || !isTiled(accounting)) {
    tiling.queryBlock.assign(problem.rows.size(), 1);
    tiling.keyBlock.assign(problem.keys.size(), 1);
  } else {
    llvm::Expected<Tiling> chosen = defaultTiling(o, problem, accounting);
    if (!chosen)
      return chosen.takeError();
    tiling = *chosen;
  }
  if (o.br || o.bc)
    tiling.keySplits = 1;
  if (o.br) {
    llvm::fill(tiling.queryBlock, 1);
    tiling.queryBlock.back() = *o.br;
  }
  if (o.bc)
    tiling.keyBlock.back() = *o.bc;
  if (o.tiling) {
    if (Error error = overwriteLast("query_block", o.tiling->queryBlock,
                                    tiling.queryBlock))
      return error;
    if (Error error =
            overwriteLast("key_block", o.tiling->keyBlock, tiling.keyBlock))
      return error;
    tiling.keySplits = o.tiling->keySplits;
    tiling.cpu = o.tiling->cpu;
    tiling.gpu = o.tiling->gpu;
  }
  // The accounting is the order.
  tiling.order =
      accounting == Accounting::QOuter ? Order::QueryOuter : Order::KeyOuter;
  if (o.tilingHasOrder && isTiled(accounting) &&
      o.tiling->order != tiling.order)
    return llvm::createStringError(
        "--tiling: expected order=%s, that of accounting %s, got order=%s: "
        "leave it out, or give --accounting=%s",
        toString(tiling.order).str().c_str(),
        toString(accounting).str().c_str(),
        toString(o.tiling->order).str().c_str(),
        toString(o.tiling->order).str().c_str());
  if (Error error = tiling.check(problem))
    return error;
  // What was chosen here may be cut; what was asked for may not.
  bool chosen = !given && isTiled(accounting);
  Tiling asked = chosen ? tiling.clampedTo(problem) : tiling;
  if (o.br)
    asked.queryBlock = tiling.queryBlock;
  if (o.bc)
    asked.keyBlock = tiling.keyBlock;
  if (o.tiling && !o.tiling->queryBlock.empty())
    asked.queryBlock = tiling.queryBlock;
  if (o.tiling && !o.tiling->keyBlock.empty())
    asked.keyBlock = tiling.keyBlock;
  if (isTiled(accounting))
    if (Error error = checkNested(o, problem, asked))
      return error;
  Tiling clamped = tiling.clampedTo(problem);
  int64_t parts = clamped.keyBlockCount(problem);
  if (isTiled(accounting) && clamped.keySplits > parts)
    return llvm::createStringError(
        "--tiling: expected key_splits to be at most %lld, the key blocks, got "
        "%lld",
        static_cast<long long>(parts),
        static_cast<long long>(clamped.keySplits));
  return clamped;
}
