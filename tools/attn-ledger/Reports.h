//===- Reports.h - The reports of attn-ledger -------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each subcommand; each prints aligned tables with units, or
// with --json the same figures unrounded.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LEDGER_REPORTS_H
#define ATTN_LEDGER_REPORTS_H

#include "Options.h"
#include "Table.h"

namespace attn::ledger {

llvm::Error reportShape(const Options &options, llvm::raw_ostream &os);
llvm::Error reportSweepN(const Options &options, llvm::raw_ostream &os);
llvm::Error reportSweepM(const Options &options, llvm::raw_ostream &os);
llvm::Error reportRoofline(const Options &options, llvm::raw_ostream &os);
llvm::Error reportMemory(const Options &options, llvm::raw_ostream &os);
llvm::Error reportTiles(const Options &options, llvm::raw_ostream &os);

/// One line each: the problem and the target.
std::string describe(const Problem &problem);
std::string describe(const Target &target, ElementType type);

} // namespace attn::ledger

#endif // ATTN_LEDGER_REPORTS_H
