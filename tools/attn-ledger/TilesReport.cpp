//===- TilesReport.cpp - attn-ledger tiles --------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "attn/CostModel/Select.h"
#include <chrono>

using namespace attn;
using namespace attn::ledger;

static Accounting accountingOf(const Tiling &tiling) {
  return tiling.order == Order::QueryOuter ? Accounting::QOuter
                                           : Accounting::KvOuter;
}

/// Microseconds that choosing a tiling takes, the fastest of many calls.
static double timeSelection(const Options &options, const Problem &problem) {
  double best = 0;
  for (int i = 0; i < 100; ++i) {
    auto start = std::chrono::steady_clock::now();
    llvm::consumeError(rankTilings(problem, options.target).takeError());
    double us = std::chrono::duration<double, std::micro>(
                    std::chrono::steady_clock::now() - start)
                    .count();
    best = i == 0 ? us : std::min(best, us);
  }
  return best;
}

static void writeJson(const Options &options, const Problem &problem,
                      llvm::ArrayRef<RankedTiling> ranked,
                      llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("target", options.target.name);
    json.attribute("direction", toString(problem.direction));
    if (options.time)
      json.attribute("selection_us", timeSelection(options, problem));
    json.attributeArray("tilings", [&] {
      for (const RankedTiling &entry : ranked)
        json.object([&] {
          writeTiling(json, entry.tiling);
          json.attribute("text", toString(entry.tiling));
          json.attribute("predicted_ms", entry.seconds * 1e3);
          json.attributeArray("levels", [&] {
            for (const LevelUse &use : entry.footprint.levels)
              json.object([&] {
                json.attribute("level", use.level);
                json.attribute("used", use.used);
                json.attribute("limit", use.limit);
                json.attribute("hard", use.hard);
              });
          });
          if (options.target.isGpu()) {
            json.attribute("resident_blocks", entry.footprint.residentBlocks);
            json.attribute("resident_limit", entry.footprint.residentLimit);
          }
          writeAccount(json, makeAccount(problem, accountingOf(entry.tiling),
                                         entry.tiling, false, options.target));
        });
    });
  });
  os << "\n";
}

llvm::Error attn::ledger::reportTiles(const Options &options,
                                      llvm::raw_ostream &os) {
  llvm::Expected<Problem> problem =
      makeProblem(options, options.direction.value_or(Direction::Forward));
  if (!problem)
    return problem.takeError();
  llvm::Expected<std::vector<RankedTiling>> ranked =
      rankTilings(*problem, options.target, options.top);
  if (!ranked)
    return ranked.takeError();
  if (options.json) {
    writeJson(options, *problem, *ranked, os);
    return llvm::Error::success();
  }
  os << "attention   " << describe(*problem) << ", "
     << toString(problem->direction) << "\n"
     << "target      " << describe(options.target, options.type) << "\n"
     << "source      " << options.target.source << "\n";
  if (options.time)
    os << "selection   " << fixed(timeSelection(options, *problem), 1)
       << " us\n";
  os << "\n";
  std::vector<std::string> header = {"", "<tiling", "predicted ms", "bytes",
                                     "bound ms"};
  for (const LevelUse &use : ranked->front().footprint.levels)
    header.push_back(use.level);
  if (options.target.isGpu()) {
    header.push_back("blocks per SM");
    header.push_back("<limited by");
  }
  Table table(header);
  for (const RankedTiling &entry : *ranked) {
    Account account = makeAccount(*problem, accountingOf(entry.tiling),
                                  entry.tiling, false, options.target);
    std::vector<std::string> cells = {
        std::to_string(&entry - ranked->data() + 1), toString(entry.tiling),
        significant(entry.seconds * 1e3), inBytes(account.bytes),
        significant(account.roofline.seconds * 1e3)};
    for (const LevelUse &use : entry.footprint.levels)
      cells.push_back(use.unit.empty()
                          ? std::to_string(use.used) + "/" +
                                std::to_string(use.limit)
                          : inBytes(use.used) + "/" + inBytes(use.limit));
    if (options.target.isGpu()) {
      cells.push_back(std::to_string(entry.footprint.residentBlocks));
      cells.push_back(entry.footprint.residentLimit);
    }
    table.add(std::move(cells));
  }
  table.print(os);
  return llvm::Error::success();
}
