//===- RooflineReport.cpp - attn-ledger roofline --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "llvm/ADT/STLExtras.h"

using namespace attn;
using namespace attn::ledger;

namespace {
struct Line {
  Accounting accounting;
  Account account;
};

/// A published measurement on an A100 of the default problem (GPT-2 medium's
/// attention, forward and backward): Dao et al., FlashAttention (2022),
/// figure 2.
struct Measurement {
  const char *name;
  double gigaflop, gigabytes, milliseconds;
};
} // namespace

static constexpr Measurement paperMeasurements[] = {
    {"standard", 66.6, 40.3, 41.7}, {"FlashAttention", 75.2, 4.4, 7.3}};

static llvm::Expected<std::vector<Line>> makeLines(const Options &options,
                                                   Problem &problem) {
  std::vector<Line> lines;
  for (Accounting accounting : allAccountings()) {
    llvm::Expected<Tiling> tiling = makeTiling(options, problem, accounting);
    if (!tiling)
      return tiling.takeError();
    lines.push_back(
        {accounting, makeAccount(problem, accounting, *tiling,
                                 /*initialisation=*/true, options.target)});
  }
  return lines;
}

/// The limit of traffic ratios for long sequences: 32 N^2 d^2 / M of the
/// paper's forward and backward against 11 N^2 of the unfused.
static double leadTerm(const Options &options) {
  double elements = options.sramElements.value_or(options.target.fastBytes /
                                                  bytesOf(options.type));
  double d = std::max<int64_t>(*options.k, *options.d);
  return 32 * d * d / elements;
}

static void printSideFigures(const Options &options, llvm::raw_ostream &os) {
  const Target &target = options.target;
  os << "\nfast memory " << inBytes(target.fastBytes) << " per core, "
     << fixed(target.fastBandwidth / 1e12, 1) << " TB/s in all, "
     << fixed(target.fastBandwidth / target.memoryBandwidth, 1)
     << "x the large memory's\n";
  double lead = leadTerm(options);
  if (lead > 0)
    os << "paper, forward + backward, long sequences: " << fixed(lead, 2)
       << " N^2 elements against naive's 11 N^2, at most "
       << fixed(11 / lead, 1) << "x less\n";
  os << "published, A100, GPT-2 medium:\n";
  Table table({"<measured", "GFLOP", "GB", "ms"});
  for (const Measurement &m : paperMeasurements)
    table.add({m.name, fixed(m.gigaflop, 1), fixed(m.gigabytes, 1),
               fixed(m.milliseconds, 1)});
  table.print(os);
  const Measurement &standard = paperMeasurements[0],
                    &flash = paperMeasurements[1];
  os << fixed(standard.gigabytes / flash.gigabytes, 1) << "x less traffic, "
     << fixed(standard.milliseconds / flash.milliseconds, 1)
     << "x faster; FlashAttention reaches 25-40 % of an A100's peak, "
        "FlashAttention-2 50-73 %\n";
}

static void writeJson(const Options &options, llvm::ArrayRef<Line> lines,
                      llvm::raw_ostream &os) {
  const Target &target = options.target;
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeObject("target", [&] {
      json.attribute("name", target.name);
      json.attribute("source", target.source);
      json.attribute("matrix_flops", target.matrixRate(options.type));
      json.attribute("balance", target.balance(options.type));
      for (const TargetField &field : targetFields()) {
        if (!(target.isGpu() ? field.gpu : field.cpu))
          continue;
        if (field.integer)
          json.attribute(field.name, target.*field.integer);
        else
          json.attribute(field.name, target.*field.real);
      }
    });
    json.attributeArray("accountings", [&] {
      for (const Line &line : lines)
        json.object([&] {
          json.attribute("accounting", toString(line.accounting));
          writeAccount(json, line.account);
        });
    });
    json.attribute("lead_term_n2", leadTerm(options));
  });
  os << "\n";
}

llvm::Error attn::ledger::reportRoofline(const Options &options,
                                         llvm::raw_ostream &os) {
  llvm::Expected<Problem> problem =
      makeProblem(options, options.direction.value_or(Direction::Both));
  if (!problem)
    return problem.takeError();
  llvm::Expected<std::vector<Line>> lines = makeLines(options, *problem);
  if (!lines)
    return lines.takeError();
  if (options.json) {
    writeJson(options, *lines, os);
    return llvm::Error::success();
  }
  os << "attention   " << describe(*problem) << ", "
     << toString(problem->direction) << "\n"
     << "target      " << describe(options.target, options.type) << "\n"
     << "source      " << options.target.source << "\n\n";
  Table table({"<accounting", "GFLOP", "GB", "FLOP/byte", "matrix ms",
               "exponential ms", "memory ms", "time ms", "<bound",
               "bytes / paper", "time / paper"});
  const Account &paper = llvm::find_if(*lines, [](const Line &line) {
                           return line.accounting == Accounting::Paper;
                         })->account;
  auto ratio = [](double a, double b) { return b > 0 ? fixed(a / b, 1) : "-"; };
  for (const auto &[accounting, account] : *lines) {
    const Roofline &roof = account.roofline;
    table.add({toString(accounting).str(),
               fixed(toDouble(account.work.matrix) / 1e9, 1),
               fixed(toDouble(account.bytes) / 1e9, 2),
               fixed(account.intensity(), 1),
               significant(roof.matrixSeconds * 1e3),
               significant(roof.exponentialSeconds * 1e3),
               significant(roof.memorySeconds * 1e3),
               significant(roof.seconds * 1e3), roof.bound().str(),
               ratio(toDouble(account.bytes), toDouble(paper.bytes)),
               ratio(roof.seconds, paper.roofline.seconds)});
  }
  table.print(os);
  printSideFigures(options, os);
  return llvm::Error::success();
}
