//===- Table.cpp - Aligned tables, units, JSON of counts ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::ledger;

void Table::print(llvm::raw_ostream &os) const {
  std::vector<size_t> widths;
  std::vector<bool> left;
  std::vector<std::string> titles;
  for (llvm::StringRef title : header) {
    left.push_back(title.consume_front("<"));
    titles.push_back(title.str());
    widths.push_back(title.size());
  }
  for (const auto &row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());
  auto printRow = [&](const std::vector<std::string> &row) {
    std::string line;
    for (auto [i, cell] : llvm::enumerate(row)) {
      std::string pad(widths[i] - cell.size(), ' ');
      line += (i ? "  " : "") + (left[i] ? cell + pad : pad + cell);
    }
    os << llvm::StringRef(line).rtrim() << "\n";
  };
  printRow(titles);
  for (const auto &row : rows)
    printRow(row);
}

std::string attn::ledger::fixed(double value, int digits) {
  // Halves go up, as in printed tables, not to the even digit.
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.*f", digits, value * (1 + 1e-12));
  return text;
}

std::string attn::ledger::significant(double value, int count) {
  if (value == 0 || !std::isfinite(value))
    return fixed(value, 0);
  int digits =
      count - 1 - static_cast<int>(std::floor(std::log10(std::fabs(value))));
  return fixed(value, std::clamp(digits, 0, 9));
}

std::string attn::ledger::inBytes(Count bytes) {
  static constexpr const char *units[] = {"B",   "KiB", "MiB", "GiB",
                                          "TiB", "PiB", "EiB"};
  double value = toDouble(bytes);
  unsigned unit = 0;
  // The tables of the literature stay in MiB up to tens of GiB; a reader of
  // mixed sizes is better served by four digits at most.
  while (value >= 9999.5 || (unit < 2 && value >= 1024)) {
    if (unit + 1 == std::size(units))
      break;
    value /= 1024;
    ++unit;
  }
  return fixed(value, unit ? 1 : 0) + " " + units[unit];
}

double Account::intensity() const {
  return bytes ? toDouble(work.matrix) / toDouble(bytes) : 0;
}

Account attn::ledger::makeAccount(const Problem &problem, Accounting accounting,
                                  const Tiling &tiling, bool initialisation,
                                  const Target &target) {
  Account account;
  account.traffic =
      computeTraffic(problem, accounting, tiling, {initialisation});
  account.work = computeWork(problem, accounting, tiling);
  account.elements = account.traffic.elements();
  account.bytes = account.traffic.bytes();
  account.roofline =
      computeRoofline(account.work, account.bytes, problem.type, target);
  return account;
}

void attn::ledger::writeCount(llvm::json::OStream &json, llvm::StringRef name,
                              Count count) {
  json.attributeBegin(name);
  json.rawValue(toString(count));
  json.attributeEnd();
}

void attn::ledger::writeAccount(llvm::json::OStream &json,
                                const Account &account) {
  writeCount(json, "elements", account.elements);
  writeCount(json, "bytes", account.bytes);
  writeCount(json, "flops", account.work.matrix);
  writeCount(json, "exponentials", account.work.exponential);
  writeCount(json, "other_flops", account.work.other);
  json.attribute("intensity", account.intensity());
  json.attribute("time_ms", account.roofline.seconds * 1e3);
  json.attribute("bound", account.roofline.bound());
  json.attribute("resource", toString(account.roofline.resource));
}

void attn::ledger::writeTiling(llvm::json::OStream &json,
                               const Tiling &tiling) {
  json.attributeObject("tiling", [&] {
    json.attributeArray("query_block", [&] {
      for (int64_t size : tiling.queryBlock)
        json.value(size);
    });
    json.attributeArray("key_block", [&] {
      for (int64_t size : tiling.keyBlock)
        json.value(size);
    });
    json.attribute("order", toString(tiling.order));
    json.attribute("key_splits", tiling.keySplits);
    if (tiling.cpu)
      json.attributeObject("cpu", [&] {
        json.attribute("mr", tiling.cpu->mr);
        json.attribute("nr", tiling.cpu->nr);
      });
    if (tiling.gpu)
      json.attributeObject("gpu", [&] {
        json.attribute("warps", tiling.gpu->warps);
        json.attribute("rows_per_warp", tiling.gpu->rowsPerWarp);
        json.attribute("stages", tiling.gpu->stages);
      });
  });
}
