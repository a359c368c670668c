//===- Table.h - Aligned tables, units, JSON of counts ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LEDGER_TABLE_H
#define ATTN_LEDGER_TABLE_H

#include "attn/CostModel/Roofline.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace attn::ledger {

/// Columns as wide as their widest cell, two spaces apart. Columns whose header
/// starts with '<' are set flush left, the others flush right.
class Table {
public:
  explicit Table(std::vector<std::string> header) : header(std::move(header)) {}
  void add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  void print(llvm::raw_ostream &os) const;

private:
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

/// "1.4 MiB"; binary multiples as the field's tables use them.
std::string inBytes(Count bytes);
/// `value` with `digits` digits after the point.
std::string fixed(double value, int digits);
/// At least `count` significant digits: "0.385", "41.7", "2056".
std::string significant(double value, int count = 3);

/// One accounting of one problem: everything the reports print of it.
struct Account {
  Traffic traffic;
  Work work;
  Roofline roofline;
  Count elements = 0, bytes = 0;

  /// Matrix operations per byte.
  double intensity() const;
};

Account makeAccount(const Problem &problem, Accounting accounting,
                    const Tiling &tiling, bool initialisation,
                    const Target &target);

/// Writes "name": count with all its digits.
void writeCount(llvm::json::OStream &json, llvm::StringRef name, Count count);
/// elements, bytes, flops, intensity, time_ms, bound and the like, as
/// attributes of the open object.
void writeAccount(llvm::json::OStream &json, const Account &account);
void writeTiling(llvm::json::OStream &json, const Tiling &tiling);

} // namespace attn::ledger

#endif // ATTN_LEDGER_TABLE_H
