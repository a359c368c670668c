//===- ShapeReport.cpp - attn-ledger shape --------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "attn/CostModel/Blocks.h"
#include <map>

using namespace attn;
using namespace attn::ledger;

std::string attn::ledger::describe(const Problem &p) {
  std::string text = "batch " + std::to_string(p.batch[0]) + ", heads " +
                     std::to_string(p.rows[0] * p.batch[1]) + " over " +
                     std::to_string(p.batch[1]) + ", " +
                     std::to_string(p.rows[1]) + " queries, " +
                     std::to_string(p.keys[0]) + " keys, head dims " +
                     std::to_string(p.depth) + " and " +
                     std::to_string(p.value) + ", " + toString(p.type).str();
  if (p.blocks)
    text += p.blocks->seen.empty()
                ? ", blocks known at run time"
                : ", " + fixed(100 * p.blocks->seenShare(), 1) + " % of blocks";
  return text + (p.visible ? ", mask " + p.visible->str() : "");
}

std::string attn::ledger::describe(const Target &target, ElementType type) {
  return target.name + ": " + fixed(target.matrixRate(type) / 1e12, 1) +
         " TFLOP/s " + toString(type).str() + ", " +
         fixed(target.memoryBandwidth / 1e12, 3) + " TB/s, balance " +
         fixed(target.balance(type), 1) + " FLOP/byte";
}

namespace {

struct Shape {
  Problem problem;
  Tiling tiling;
  BlockCounts blocks;
  Count visiblePairs;
  Accounting accounting;
  Direction asked;
  Account forward, backward, total;
  Surcharge surcharge;          ///< with --replace
  std::vector<std::string> map; ///< with --map
};

/// Blocks along a side of a picture, at most.
constexpr int64_t mostDrawn = 512;

} // namespace

static llvm::Expected<Shape> makeShape(const Options &options) {
  Shape shape;
  shape.accounting = askedAccounting(options);
  shape.asked = options.direction.value_or(Direction::Forward);
  llvm::Expected<Problem> problem = makeProblem(options, shape.asked);
  if (!problem)
    return problem.takeError();
  shape.problem = *problem;
  llvm::Expected<Tiling> tiling =
      makeTiling(options, shape.problem, shape.accounting);
  if (!tiling)
    return tiling.takeError();
  shape.tiling = *tiling;
  shape.blocks = countBlocks(shape.problem, shape.tiling);
  shape.visiblePairs = countVisiblePairs(shape.problem);
  if (options.map && isTiled(shape.accounting)) {
    llvm::Expected<std::vector<std::string>> map =
        drawBlocks(shape.problem, shape.tiling, mostDrawn);
    if (!map)
      return map.takeError();
    shape.map = std::move(*map);
  }
  if (isTiled(shape.accounting))
    shape.surcharge = computeSurcharge(shape.problem, shape.tiling);
  auto account = [&](Direction direction) {
    Problem of = shape.problem;
    of.direction = direction;
    return makeAccount(of, shape.accounting, shape.tiling,
                       options.initialisation, options.target);
  };
  shape.forward = account(Direction::Forward);
  shape.backward = account(Direction::Backward);
  shape.total = account(shape.asked);
  return shape;
}

static void writeOperands(llvm::json::OStream &json, const Traffic &traffic) {
  // Parts of one operand are one entry: what an instrumented run counts.
  std::map<std::string, std::pair<Count, Count>> sums;
  for (const TrafficRow &row : traffic.rows) {
    auto &[read, written] = sums[countedName(row)];
    read += row.read;
    written += row.written;
  }
  json.attributeObject("operands", [&] {
    for (auto &entry : sums)
      json.attributeObject(entry.first, [&] {
        writeCount(json, "read", entry.second.first);
        writeCount(json, "write", entry.second.second);
      });
  });
  json.attributeArray("rows", [&] {
    for (const TrafficRow &row : traffic.rows)
      json.object([&] {
        json.attribute("operand", row.operand);
        json.attribute("part", toString(row.part));
        writeCount(json, "read", row.read);
        writeCount(json, "write", row.written);
        json.attribute("element_bytes", row.elementBytes);
      });
  });
}

static void writeJson(const Options &options, const Shape &shape,
                      llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeObject("problem", [&] {
      json.attribute("batch", options.batch);
      json.attribute("heads", options.heads);
      json.attribute("kv_heads", *options.kvHeads);
      json.attribute("m", *options.m);
      json.attribute("n", *options.n);
      json.attribute("k", *options.k);
      json.attribute("d", *options.d);
      json.attribute("dtype", toString(options.type));
      writeCount(json, "visible_pairs", shape.visiblePairs);
    });
    json.attribute("target", options.target.name);
    json.attribute("accounting", toString(shape.accounting));
    json.attribute("direction", toString(shape.asked));
    if (isTiled(shape.accounting)) {
      writeTiling(json, shape.tiling);
      json.attributeObject("blocks", [&] {
        writeCount(json, "visited", shape.blocks.visited);
        writeCount(json, "total", shape.blocks.total);
        json.attribute("at_most", shape.problem.hidesUnknown());
      });
      if (options.map)
        json.attributeArray("map", [&] {
          for (const std::string &line : shape.map)
            json.value(line);
        });
    }
    writeAccount(json, shape.total);
    if (options.replace)
      json.attributeObject("surcharge", [&] {
        writeCount(json, "blocks", shape.surcharge.blocks);
        writeCount(json, "elements", shape.surcharge.traffic.elements());
        writeCount(json, "bytes", shape.surcharge.traffic.bytes());
        writeOperands(json, shape.surcharge.traffic);
      });
    for (auto [name, account] : {std::pair("forward", &shape.forward),
                                 std::pair("backward", &shape.backward)})
      json.attributeObject(name, [&, account = account] {
        writeAccount(json, *account);
        writeOperands(json, account->traffic);
      });
  });
  os << "\n";
}

static void printBlocks(const Shape &shape, llvm::raw_ostream &os) {
  os << "blocks      " << toString(shape.tiling) << "\n            "
     << toString(shape.blocks.visited, true) << " of "
     << toString(shape.blocks.total, true) << " visited";
  if (shape.blocks.total)
    os << ", "
       << fixed(100 * (1 - toDouble(shape.blocks.visited) /
                               toDouble(shape.blocks.total)),
                1)
       << " % skipped";
  os << "; " << toString(shape.visiblePairs, true) << " visible pairs"
     << (shape.problem.hidesUnknown() ? ", at most" : "") << "\n";
  if (shape.surcharge.blocks)
    os << "surcharge   folding hidden keys too: "
       << toString(shape.surcharge.blocks, true) << " blocks, "
       << toString(shape.surcharge.traffic.elements(), true) << " elements, "
       << inBytes(shape.surcharge.traffic.bytes()) << "\n";
}

static void printTraffic(const Shape &shape, llvm::raw_ostream &os) {
  Table table({"<direction", "<operand", "<part", "read", "written", "elements",
               "bytes each", "bytes"});
  for (const TrafficRow &row : shape.total.traffic.rows)
    table.add({row.backward ? "bwd" : "fwd", row.operand,
               toString(row.part).str(), toString(row.read, true),
               toString(row.written, true), toString(row.elements(), true),
               std::to_string(row.elementBytes), inBytes(row.bytes())});
  table.print(os);
}

static void printTotals(const Shape &shape, llvm::raw_ostream &os) {
  Table table({"<direction", "elements", "bytes", "", "matrix GFLOP", "Gexp",
               "other GFLOP", "FLOP/byte", "time ms", "<bound"});
  auto add = [&](llvm::StringRef name, const Account &account) {
    table.add({name.str(), toString(account.elements, true),
               toString(account.bytes, true), inBytes(account.bytes),
               significant(toDouble(account.work.matrix) / 1e9),
               significant(toDouble(account.work.exponential) / 1e9),
               significant(toDouble(account.work.other) / 1e9),
               fixed(account.intensity(), 1),
               significant(account.roofline.seconds * 1e3),
               account.roofline.bound().str() + " (" +
                   toString(account.roofline.resource).str() + ")"});
  };
  if (shape.asked != Direction::Backward)
    add("fwd", shape.forward);
  if (shape.asked != Direction::Forward)
    add("bwd", shape.backward);
  if (shape.asked == Direction::Both)
    add("both", shape.total);
  table.print(os);
}

llvm::Error attn::ledger::reportShape(const Options &options,
                                      llvm::raw_ostream &os) {
  llvm::Expected<Shape> shape = makeShape(options);
  if (!shape)
    return shape.takeError();
  if (options.json) {
    writeJson(options, *shape, os);
    return llvm::Error::success();
  }
  os << "attention   " << describe(shape->problem) << "\n"
     << "target      " << describe(options.target, options.type) << "\n"
     << "accounting  " << toString(shape->accounting)
     << (options.initialisation ? ", with initialisation" : "") << "\n";
  if (isTiled(shape->accounting))
    printBlocks(*shape, os);
  for (const std::string &line : shape->map)
    os << "            " << line << "\n";
  os << "\n";
  printTraffic(*shape, os);
  os << "\n";
  printTotals(*shape, os);
  return llvm::Error::success();
}
