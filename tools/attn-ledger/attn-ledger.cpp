//===- attn-ledger.cpp - Predicts what an attention moves -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"

using namespace attn;
using namespace attn::ledger;

/// What a wrong command line or an impossible request ends with.
static constexpr int usageError = 2;

static llvm::Error run(const Options &options) {
  switch (options.command) {
  case Command::Shape:
    return reportShape(options, llvm::outs());
  case Command::SweepN:
    return reportSweepN(options, llvm::outs());
  case Command::SweepM:
    return reportSweepM(options, llvm::outs());
  case Command::Roofline:
    return reportRoofline(options, llvm::outs());
  case Command::Memory:
    return reportMemory(options, llvm::outs());
  case Command::Tiles:
    return reportTiles(options, llvm::outs());
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::ArrayRef<const char *> args(argv + 1, argc ? argc - 1 : 0);
  if (!args.empty() && (llvm::StringRef(args[0]) == "--help" ||
                        llvm::StringRef(args[0]) == "-h")) {
    llvm::outs() << helpText(std::nullopt);
    return 0;
  }
  auto fail = [](llvm::Error error) {
    llvm::errs() << "attn-ledger: error: " << llvm::toString(std::move(error))
                 << "\n";
    return usageError;
  };
  llvm::Expected<Options> options = parseOptions(args);
  if (!options)
    return fail(options.takeError());
  if (options->help) {
    llvm::outs() << helpText(options->command);
    return 0;
  }
  if (llvm::Error error = run(*options))
    return fail(std::move(error));
  return 0;
}
