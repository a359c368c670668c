//===- SweepReport.cpp - attn-ledger sweep-n and sweep-m ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"

using namespace attn;
using namespace attn::ledger;

namespace {

/// One line of a sweep: the baseline against a tiled accounting.
struct Step {
  int64_t at; ///< sequence length, or elements of fast memory
  Tiling tiling;
  Account baseline, tiled;

  double ratio() const {
    return tiled.bytes ? toDouble(baseline.bytes) / toDouble(tiled.bytes) : 0;
  }
  int64_t keyBlocks(int64_t keys) const {
    return ceilDiv(keys, tiling.keyBlock.back());
  }
};

} // namespace

static llvm::Expected<Step> makeStep(const Options &options, int64_t at,
                                     Accounting accounting,
                                     Direction direction) {
  llvm::Expected<Problem> problem = makeProblem(options, direction);
  if (!problem)
    return problem.takeError();
  llvm::Expected<Tiling> tiling = makeTiling(options, *problem, accounting);
  if (!tiling)
    return tiling.takeError();
  return Step{at, *tiling,
              makeAccount(*problem, options.baseline, *tiling,
                          options.initialisation, options.target),
              makeAccount(*problem, accounting, *tiling, options.initialisation,
                          options.target)};
}

static void writeSteps(const Options &options, llvm::StringRef variable,
                       llvm::ArrayRef<Step> steps, Accounting accounting,
                       Direction direction, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("target", options.target.name);
    json.attribute("baseline_accounting", toString(options.baseline));
    json.attribute("accounting", toString(accounting));
    json.attribute("direction", toString(direction));
    json.attribute("balance", options.target.balance(options.type));
    json.attributeArray("rows", [&] {
      for (const Step &step : steps)
        json.object([&] {
          json.attribute(variable, step.at);
          writeTiling(json, step.tiling);
          json.attributeObject("baseline",
                               [&] { writeAccount(json, step.baseline); });
          json.attributeObject("tiled",
                               [&] { writeAccount(json, step.tiled); });
          json.attribute("ratio", step.ratio());
        });
    });
  });
  os << "\n";
}

static void printHead(const Options &options, llvm::StringRef what,
                      Accounting accounting, Direction direction,
                      llvm::raw_ostream &os) {
  os << what << "; head dims " << *options.k << " and " << *options.d << ", "
     << toString(options.type) << ", " << toString(direction) << "; "
     << toString(options.baseline) << " against " << toString(accounting)
     << (options.initialisation ? " with initialisation" : "") << "\n"
     << describe(options.target, options.type) << "\n\n";
}

llvm::Error attn::ledger::reportSweepN(const Options &options,
                                       llvm::raw_ostream &os) {
  Accounting accounting = options.accounting.value_or(Accounting::Paper);
  Direction direction = options.direction.value_or(Direction::Forward);
  std::vector<Step> steps;
  for (int64_t length : options.lengths) {
    Options at = options;
    at.m = at.n = length;
    llvm::Expected<Step> step = makeStep(at, length, accounting, direction);
    if (!step)
      return step.takeError();
    steps.push_back(std::move(*step));
  }
  if (options.json) {
    writeSteps(options, "n", steps, accounting, direction, os);
    return llvm::Error::success();
  }
  printHead(options, "Traffic against the sequence length N", accounting,
            direction, os);
  std::string base = toString(options.baseline).str();
  std::string name = toString(accounting).str();
  Table table({"N", "key blocks", base + " elements", "bytes", "", "FLOP/byte",
               "memory ms", name + " elements", "bytes", "", "FLOP/byte",
               "memory ms", "ratio", "<" + name + " bound"});
  for (const Step &step : steps) {
    std::vector<std::string> cells = {std::to_string(step.at),
                                      std::to_string(step.keyBlocks(step.at))};
    for (const Account *account : {&step.baseline, &step.tiled}) {
      cells.push_back(toString(account->elements, true));
      cells.push_back(toString(account->bytes, true));
      cells.push_back(inBytes(account->bytes));
      cells.push_back(fixed(account->intensity(), 1));
      cells.push_back(fixed(account->roofline.memorySeconds * 1e3, 3));
    }
    cells.push_back(fixed(step.ratio(), 1));
    cells.push_back(step.tiled.roofline.bound().str());
    table.add(std::move(cells));
  }
  table.print(os);
  return llvm::Error::success();
}

llvm::Error attn::ledger::reportSweepM(const Options &options,
                                       llvm::raw_ostream &os) {
  // Only the paper's block sizes follow from the size of fast memory.
  constexpr Accounting accounting = Accounting::Paper;
  Direction direction = options.direction.value_or(Direction::Both);
  std::vector<Step> steps;
  for (int64_t size : options.sramSizes) {
    Options at = options;
    at.sramElements = size;
    llvm::Expected<Step> step = makeStep(at, size, accounting, direction);
    if (!step)
      return step.takeError();
    steps.push_back(std::move(*step));
  }
  if (options.json) {
    writeSteps(options, "sram_elements", steps, accounting, direction, os);
    return llvm::Error::success();
  }
  printHead(options,
            "Traffic against fast memory, " + std::to_string(*options.m) +
                " queries, " + std::to_string(*options.n) + " keys",
            accounting, direction, os);
  std::string base = toString(options.baseline).str();
  Table table({"fast elements", "Bc", "Br", "key blocks", base + " elements",
               "paper elements", "ratio"});
  for (const Step &step : steps)
    table.add({std::to_string(step.at), std::to_string(step.tiling.keyBlock[0]),
               std::to_string(step.tiling.queryBlock.back()),
               std::to_string(step.keyBlocks(*options.n)),
               toString(step.baseline.elements, true),
               toString(step.tiled.elements, true), fixed(step.ratio(), 1)});
  table.print(os);
  return llvm::Error::success();
}
