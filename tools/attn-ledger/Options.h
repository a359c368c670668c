//===- Options.h - The command line of attn-ledger --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every option is a row of one table that says which subcommands take it; the
// help text and the errors come from the same table. Options are written
// --name=value or --name value.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LEDGER_OPTIONS_H
#define ATTN_LEDGER_OPTIONS_H

#include "attn/CostModel/Memory.h"
#include "attn/CostModel/Target.h"
#include "attn/CostModel/Traffic.h"

namespace attn::ledger {

enum class Command { Shape, SweepN, SweepM, Roofline, Memory, Tiles };

enum class CausalKind { None, TopLeft, BottomRight };

/// A block-sparse mask as --blocks gives it.
struct BlockOption {
  BlockPattern pattern;
  llvm::SmallVector<int64_t, 4> shape; ///< of its elements; empty: not given
};

struct Options {
  Command command = Command::Shape;
  bool help = false;
  bool json = false;
  std::string jsonFile; ///< empty: standard output

  // The problem; what was not given follows from what was (finish()).
  int64_t batch = 1, heads = 1;
  std::optional<int64_t> kvHeads, m, n, k, d, window;
  ElementType type = ElementType::F16;
  CausalKind causal = CausalKind::None;
  std::optional<BlockOption> blocks;
  bool replace = false; ///< hidden keys have a finite score
  std::optional<Direction> direction;

  // How it is counted, and for which machine.
  std::optional<Accounting> accounting;
  Accounting baseline = Accounting::Naive;
  bool initialisation = false;
  std::optional<int64_t> br, bc, sramElements;
  std::optional<Tiling> tiling;
  bool tilingHasOrder = false; ///< --tiling says order=
  bool map = false;            ///< draw the blocks
  Target target;

  // Sweeps and memory.
  std::vector<int64_t> lengths, sramSizes;
  ModelShape model;
  double budgetGiB = 80;
  int64_t top = 10;
  bool time = false; ///< how long selection takes
};

/// Reads the arguments after the program's name. Errors name the option and
/// what was expected.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> args);

/// BRxBC[:ROWS|:F.npy]
llvm::Expected<BlockOption> parseBlocks(llvm::StringRef text);
/// Compares the shape of the elements with what the problem needs.
llvm::Error checkShape(const BlockOption &option, const Problem &problem);

/// The usage of one subcommand, or of the tool.
std::string helpText(std::optional<Command> command);

/// The attention that the options describe, in `direction`.
llvm::Expected<Problem> makeProblem(const Options &options,
                                    Direction direction);
/// What is counted by: --accounting, or that of the order that --tiling gives.
Accounting askedAccounting(const Options &options);
/// The blocks for a tiled accounting: --tiling, --br and --bc, the paper's rule
/// with --sram-elements or the target's fast memory for `paper`, else what the
/// cost model picks for the target. Fails where a given size has to change for
/// --blocks, or a given order is not the accounting's.
llvm::Expected<Tiling> makeTiling(const Options &options,
                                  const Problem &problem,
                                  Accounting accounting);

} // namespace attn::ledger

#endif // ATTN_LEDGER_OPTIONS_H
