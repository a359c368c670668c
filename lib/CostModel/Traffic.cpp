//===- Traffic.cpp - Names of accountings, sums of their rows -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Traffic.h"

using namespace attn;
using llvm::StringRef;

namespace {
struct AccountingName {
  Accounting accounting;
  const char *name;
  bool tiled;
};
} // namespace

static constexpr AccountingName accountingNames[] = {
    {Accounting::Naive, "naive", false},
    {Accounting::NaiveEager, "naive_eager", false},
    {Accounting::Paper, "paper", true},
    {Accounting::KvOuter, "kv_outer", true},
    {Accounting::TwoSweeps, "two_sweeps", true},
    {Accounting::OneSweep, "one_sweep", true},
    {Accounting::QOuter, "q_outer", true},
};

std::optional<Accounting> attn::parseAccounting(StringRef name) {
  for (const AccountingName &entry : accountingNames)
    if (name == entry.name)
      return entry.accounting;
  return std::nullopt;
}

StringRef attn::toString(Accounting accounting) {
  for (const AccountingName &entry : accountingNames)
    if (accounting == entry.accounting)
      return entry.name;
  return "";
}

bool attn::isTiled(Accounting accounting) {
  for (const AccountingName &entry : accountingNames)
    if (accounting == entry.accounting)
      return entry.tiled;
  return false;
}

llvm::ArrayRef<Accounting> attn::allAccountings() {
  static constexpr Accounting all[] = {
      Accounting::Naive, Accounting::NaiveEager, Accounting::Paper,
      Accounting::KvOuter, Accounting::QOuter};
  return all;
}

StringRef attn::toString(Part part) {
  switch (part) {
  case Part::Loop:
    return "loop";
  case Part::Init:
    return "init";
  case Part::Finish:
    return "finish";
  case Part::Merge:
    return "merge";
  case Part::Delta:
    return "delta";
  case Part::Completion:
    return "completion";
  }
  return "";
}

Count Traffic::elements() const {
  Count sum = 0;
  for (const TrafficRow &row : rows)
    sum += row.elements();
  return sum;
}

Count Traffic::bytes() const {
  Count sum = 0;
  for (const TrafficRow &row : rows)
    sum += row.bytes();
  return sum;
}

std::string attn::countedName(const TrafficRow &row) {
  return row.part == Part::Finish ? "finish" : row.operand;
}

static Traffic oneDirection(const Traffic &traffic, bool backward) {
  Traffic result;
  for (const TrafficRow &row : traffic.rows)
    if (row.backward == backward)
      result.rows.push_back(row);
  return result;
}

Traffic Traffic::forward() const { return oneDirection(*this, false); }
Traffic Traffic::backward() const { return oneDirection(*this, true); }
