//===- attn-ledger.cpp - Predicts what an attention moves -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "attn/Support/AtomicFile.h"

using namespace attn;
using namespace attn::ledger;

/// What a wrong command line or an impossible request ends with.
static constexpr int usageError = 2;

static llvm::Error report(const Options &options, llvm::raw_ostream &os) {
  switch (options.command) {
  case Command::Shape:
    return reportShape(options, os);
  case Command::SweepN:
    return reportSweepN(options, os);
  case Command::SweepM:
    return reportSweepM(options, os);
  case Command::Roofline:
    return reportRoofline(options, os);
  case Command::Memory:
    return reportMemory(options, os);
  case Command::Tiles:
    return reportTiles(options, os);
  }
  return llvm::Error::success();
}

/// Prints a report when all of it is there.
static llvm::Error run(const Options &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = report(options, os))
    return error;
  if (!options.jsonFile.empty())
    return writeFileAtomically(options.jsonFile, text);
  llvm::outs() << text;
  llvm::outs().flush();
  std::error_code code = llvm::outs().error();
  llvm::outs().clear_error();
  if (code)
    return llvm::createStringError("cannot write the report: %s",
                                   code.message().c_str());
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
