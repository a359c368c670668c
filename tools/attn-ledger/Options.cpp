//===- Options.cpp - The command line of attn-ledger ----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <functional>

using namespace attn;
using namespace attn::ledger;
using llvm::Error;
using llvm::StringRef;

namespace {

struct CommandInfo {
  Command command;
  const char *name, *summary;
};

/// Which commands take an option, one letter each: s(hape), n, m (sweeps),
/// r(oofline), M(emory), t(iles).
struct OptionInfo {
  const char *name, *argument, *help, *commands;
  std::function<Error(Options &, StringRef)> set;
};

} // namespace

static const CommandInfo commandTable[] = {
    {Command::Shape, "shape",
     "what one attention moves and computes, operand by operand"},
    {Command::SweepN, "sweep-n",
     "traffic and intensity against the sequence length"},
    {Command::SweepM, "sweep-m",
     "the paper's traffic against the size of fast memory"},
    {Command::Roofline, "roofline",
     "every accounting of one attention against a machine's roofs"},
    {Command::Memory, "memory",
     "activations kept for the backward, against the sequence length"},
    {Command::Tiles, "tiles",
     "the tilings the cost model would use, best first, and what they need"},
};

static char letterOf(Command command) {
  return "snmrMt"[static_cast<int>(command)];
}

static Error expected(const char *what, StringRef got) {
  return llvm::createStringError("expected %s, got '%s'", what,
                                 got.str().c_str());
}

static Error readInteger(StringRef text, int64_t least, int64_t &value) {
  if (!text.getAsInteger(10, value) && value >= least)
    return Error::success();
  return llvm::createStringError(
      "expected an integer of at least %lld, got '%s'",
      static_cast<long long>(least), text.str().c_str());
}

static Error readList(StringRef text, int64_t least,
                      std::vector<int64_t> &values) {
  values.clear();
  for (StringRef part : llvm::split(text, ',')) {
    values.push_back(0);
    if (Error error = readInteger(part.trim(), least, values.back()))
      return error;
  }
  return Error::success();
}

/// Setters for the common kinds of option.
static auto integer(int64_t Options::*place, int64_t least) {
  return [=](Options &o, StringRef text) {
    return readInteger(text, least, o.*place);
  };
}
static auto integer(std::optional<int64_t> Options::*place, int64_t least) {
  return [=](Options &o, StringRef text) {
    int64_t value = 0;
    Error error = readInteger(text, least, value);
    o.*place = value;
    return error;
  };
}
static auto modelInteger(int64_t ModelShape::*place, int64_t least) {
  return [=](Options &o, StringRef text) {
    return readInteger(text, least, o.model.*place);
  };
}
static auto list(std::vector<int64_t> Options::*place, int64_t least) {
  return [=](Options &o, StringRef text) {
    return readList(text, least, o.*place);
  };
}
static auto flag(bool Options::*place) {
  return [=](Options &o, StringRef text) -> Error {
    if (!text.empty())
      return expected("no value", text);
    o.*place = true;
    return Error::success();
  };
}

static Error setType(Options &o, StringRef text) {
  std::optional<ElementType> type = parseElementType(text);
  if (!type)
    return expected("f16, bf16, f32 or f64", text);
  o.type = *type;
  o.model.elementBytes = bytesOf(*type);
  return Error::success();
}

static Error setCausal(Options &o, StringRef text) {
  if (!text.empty() && text != "top-left" && text != "bottom-right")
    return expected("top-left or bottom-right", text);
  o.causal =
      text == "bottom-right" ? CausalKind::BottomRight : CausalKind::TopLeft;
  return Error::success();
}

static Error readAccounting(StringRef text, Accounting &accounting) {
  std::optional<Accounting> parsed = parseAccounting(text);
  if (!parsed)
    return expected("naive, naive_eager, paper, kv_outer or q_outer", text);
  accounting = *parsed;
  return Error::success();
}

static Error setAccounting(Options &o, StringRef text) {
  o.accounting.emplace();
  return readAccounting(text, *o.accounting);
}

static Error setBaseline(Options &o, StringRef text) {
  return readAccounting(text, o.baseline);
}

static Error setDirection(Options &o, StringRef text) {
  o.direction = parseDirection(text);
  return o.direction ? Error::success() : expected("fwd, bwd or both", text);
}

static Error setTarget(Options &o, StringRef text) {
  llvm::Expected<Target> target = findTarget(text);
  if (!target)
    return target.takeError();
  o.target = *target;
  return Error::success();
}

static Error setTiling(Options &o, StringRef text) {
  llvm::Expected<Tiling> tiling = parseTiling(text);
  if (!tiling)
    return tiling.takeError();
  o.tiling = *tiling;
  // A field that is left out is as in the base.
  Tiling other;
  other.order = Order::KeyOuter;
  llvm::Expected<Tiling> again = parseTiling(text, other);
  o.tilingHasOrder = again && again->order == tiling->order;
  llvm::consumeError(again.takeError());
  return Error::success();
}

static Error setJson(Options &o, StringRef text) {
  o.json = true;
  o.jsonFile = text;
  return Error::success();
}

static Error setBlocks(Options &o, StringRef text) {
  llvm::Expected<BlockOption> blocks = parseBlocks(text);
  if (!blocks)
    return blocks.takeError();
  o.blocks = std::move(*blocks);
  return Error::success();
}

static Error setBudget(Options &o, StringRef text) {
  if (text.getAsDouble(o.budgetGiB) || !(o.budgetGiB > 0))
    return expected("a number of GiB greater than 0", text);
  return Error::success();
}

static Error setHeads(Options &o, StringRef text) {
  Error error = readInteger(text, 0, o.heads);
  o.model.heads = o.heads;
  return error;
}

static Error setBatch(Options &o, StringRef text) {
  Error error = readInteger(text, 0, o.batch);
  o.model.batch = o.batch;
  return error;
}

static llvm::ArrayRef<OptionInfo> optionTable() {
  static const OptionInfo table[] = {
      {"batch", "B", "batch size (1)", "snmrMt", setBatch},
      {"heads", "H", "query heads (1; roofline 16, memory 24)", "snmrMt",
       setHeads},
      {"kv-heads", "H", "key and value heads; divides --heads (as --heads)",
       "snmrt", integer(&Options::kvHeads, 0)},
      {"m", "M", "queries (as --n; 1024)", "smrt", integer(&Options::m, 0)},
      {"n", "N", "keys (as --m)", "smrt", integer(&Options::n, 0)},
      {"k", "K", "head dim of Q and K (as --d; 64)", "snmrt",
       integer(&Options::k, 0)},
      {"d", "D", "head dim of V and O (as --k)", "snmrt",
       integer(&Options::d, 0)},
      {"dtype", "T", "f16, bf16, f32 or f64 (f16)", "snmrMt", setType},
      {"causal", "[KIND]",
       "hide later keys; =top-left (default: query i sees keys 0..i) or "
       "=bottom-right (the last query sees all keys)",
       "snrt", setCausal},
      {"window", "W", "hide keys W or more away (causal: before) from a query",
       "snrt", integer(&Options::window, 1)},
      {"blocks", "BRxBC[:P]",
       "block-sparse mask with blocks of BR rows x BC keys; P its elements, as "
       "0110/1011/.. or a .npy of bool ([batch x] [kv heads x] rows x keys); "
       "without P they are run-time data",
       "srt", setBlocks},
      {"replace", "",
       "hidden keys have a finite score: print what folding them adds", "s",
       flag(&Options::replace)},
      {"direction", "DIR", "fwd, bwd or both (fwd; sweep-m, roofline both)",
       "snmrt", setDirection},
      {"accounting", "A",
       "naive, naive_eager, paper, kv_outer or q_outer (q_outer; sweep-n "
       "paper)",
       "sn", setAccounting},
      {"baseline", "A", "the accounting compared with (naive)", "nm",
       setBaseline},
      {"initialisation", "", "paper: count the first writes of O, l and m",
       "snm", flag(&Options::initialisation)},
      {"br", "BR", "rows of a query block", "snr", integer(&Options::br, 1)},
      {"bc", "BC", "keys of a key block", "snr", integer(&Options::bc, 1)},
      {"tiling", "T",
       "query_block=..,key_block=..,order=..,key_splits=..,kernel=..", "s",
       setTiling},
      {"map", "", "draw the blocks: # visible, + in part, . skipped", "s",
       flag(&Options::map)},
      {"sram-elements", "E",
       "fast memory for the paper's block sizes (the target's)", "snr",
       integer(&Options::sramElements, 1)},
      {"target", "NAME",
       "host, avx512, sapphirerapids, avx2, neon, a100, rtx3090, rtx4090, "
       "l40s, h100, h200, "
       "b200, a chip (sm_80) or a .json file (a100; tiles host)",
       "snmrt", setTarget},
      {"lengths", "N,..", "sequence lengths (512 to 65536)", "nM",
       list(&Options::lengths, 0)},
      {"sram-sizes", "E,..", "sizes of fast memory in elements (2^10 to 2^19)",
       "m", list(&Options::sramSizes, 1)},
      {"model-dim", "D", "width of the model (3072)", "M",
       modelInteger(&ModelShape::modelDim, 0)},
      {"layers", "L", "layers (32)", "M", modelInteger(&ModelShape::layers, 0)},
      {"linear", "T", "kept tensors of N x model-dim per layer (6)", "M",
       modelInteger(&ModelShape::linearTensors, 0)},
      {"quadratic", "T", "kept tensors of heads x N x N per layer, unfused (3)",
       "M", modelInteger(&ModelShape::quadraticTensors, 0)},
      {"budget", "GIB", "memory of the machine (80)", "M", setBudget},
      {"top", "K", "tilings to print (10)", "t", integer(&Options::top, 1)},
      {"time", "", "how long selection takes, the fastest of 100 calls", "t",
       flag(&Options::time)},
      {"json", "[F]", "print JSON; =F: into that file, which is kept whole",
       "snmrMt", setJson},
      {"help", "", "print this", "snmrMt", flag(&Options::help)},
  };
  return table;
}

static bool takes(const OptionInfo &option, Command command) {
  return StringRef(option.commands).contains(letterOf(command));
}

static bool isFlag(const OptionInfo &option) {
  return option.argument[0] == 0 || option.argument[0] == '[';
}

static std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

std::string attn::ledger::helpText(std::optional<Command> command) {
  std::string text;
  if (!command) {
    text = "usage: attn-ledger COMMAND [options]\n\n"
           "Predicts what an attention moves, computes and takes, by named "
           "accountings.\n\n";
    for (const CommandInfo &info : commandTable)
      text += "  " + padded(info.name, 10) + info.summary + "\n";
    return text + "\nattn-ledger COMMAND --help lists a command's options.\n";
  }
  const CommandInfo &info = commandTable[static_cast<int>(*command)];
  text = std::string("usage: attn-ledger ") + info.name +
         " [options]\n\nPrints " + info.summary + ".\n\n";
  for (const OptionInfo &option : optionTable()) {
    if (!takes(option, *command))
      continue;
    std::string name = std::string("--") + option.name;
    if (option.argument[0] == '[')
      name += "[=" + std::string(option.argument + 1);
    else if (option.argument[0])
      name += std::string("=") + option.argument;
    text += "  " + padded(name, 20) + option.help + "\n";
  }
  return text;
}

/// The name among `names` most like `got`.
static std::string nearest(StringRef got, llvm::ArrayRef<StringRef> names) {
  return llvm::min_element(names,
                           [&](StringRef a, StringRef b) {
                             return got.edit_distance(a) < got.edit_distance(b);
                           })
      ->str();
}

static llvm::Expected<Command> parseCommand(StringRef text) {
  llvm::SmallVector<StringRef> names;
  for (const CommandInfo &info : commandTable) {
    if (text == info.name)
      return info.command;
    names.push_back(info.name);
  }
  return llvm::createStringError(
      "unknown command '%s': did you mean '%s'? Commands are %s",
      text.str().c_str(), nearest(text, names).c_str(),
      llvm::join(names, ", ").c_str());
}

static llvm::Expected<const OptionInfo *> findOption(StringRef name,
                                                     Command command) {
  llvm::SmallVector<StringRef> names;
  for (const OptionInfo &option : optionTable()) {
    if (!takes(option, command))
      continue;
    if (name == option.name)
      return &option;
    names.push_back(option.name);
  }
  return llvm::createStringError(
      "unknown option '--%s' for '%s': did you mean '--%s'?",
      name.str().c_str(), commandTable[static_cast<int>(command)].name,
      nearest(name, names).c_str());
}

/// The blocks that a mask leaves are counted one by one, as many as it has rows
/// of them: within seconds up to here.
static constexpr int64_t mostMaskedRows = int64_t(1) << 27;

static Error checkMaskedRows(const Options &o) {
  int64_t rows = *o.m;
  if (o.command == Command::SweepN)
    for (int64_t length : o.lengths)
      rows = std::max(rows, length);
  if ((o.causal == CausalKind::None && !o.window) || rows <= mostMaskedRows)
    return Error::success();
  return llvm::createStringError(
      "a mask's blocks are counted row by row: expected at most %lld queries "
      "beside --causal or --window, got %lld",
      static_cast<long long>(mostMaskedRows), static_cast<long long>(rows));
}

/// Values that depend on the command or on other options.
static Error finish(Options &o, bool headsGiven, bool batchGiven,
                    bool targetGiven) {
  if (o.command == Command::Roofline) {
    // GPT-2 medium's attention, which the literature's table is about.
    if (!headsGiven)
      o.heads = 16;
    if (!batchGiven)
      o.batch = 8;
  }
  if (!targetGiven)
    if (Error error =
            setTarget(o, o.command == Command::Tiles ? "host" : "a100"))
      return error;
  if (o.lengths.empty())
    o.lengths = {512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
  if (o.sramSizes.empty())
    for (int exponent = 10; exponent <= 19; ++exponent)
      o.sramSizes.push_back(int64_t(1) << exponent);
  if (!o.m && !o.n)
    o.m = o.command == Command::SweepM ? 4096 : 1024;
  o.m = o.m ? o.m : o.n;
  o.n = o.n ? o.n : o.m;
  if (!o.k && !o.d)
    o.k = 64;
  o.k = o.k ? o.k : o.d;
  o.d = o.d ? o.d : o.k;
  o.kvHeads = o.kvHeads ? o.kvHeads : o.heads;
  bool divides = *o.kvHeads == 0 ? o.heads == 0 : o.heads % *o.kvHeads == 0;
  if (!divides)
    return llvm::createStringError(
        "--kv-heads: expected a divisor of --heads = %lld, got %lld",
        static_cast<long long>(o.heads), static_cast<long long>(*o.kvHeads));
  return checkMaskedRows(o);
}

llvm::Expected<Options>
attn::ledger::parseOptions(llvm::ArrayRef<const char *> args) {
  Options options;
  if (args.empty())
    return llvm::createStringError("expected a command: shape, sweep-n, "
                                   "sweep-m, roofline, memory or tiles");
  llvm::Expected<Command> command = parseCommand(args[0]);
  if (!command)
    return command.takeError();
  options.command = *command;
  llvm::SmallVector<StringRef> given;
  for (size_t i = 1; i < args.size(); ++i) {
    StringRef arg = args[i];
    if (arg == "-h")
      arg = "--help";
    if (!arg.consume_front("--"))
      return llvm::createStringError(
          "expected an option --NAME=VALUE, got '%s'", args[i]);
    auto [name, value] = arg.split('=');
    llvm::Expected<const OptionInfo *> option = findOption(name, *command);
    if (!option)
      return option.takeError();
    bool hasValue = arg.contains('=');
    if (!hasValue && !isFlag(**option)) {
      if (i + 1 == args.size())
        return llvm::createStringError("--%s: expected a value",
                                       (*option)->name);
      value = args[++i];
    }
    if (Error error = (*option)->set(options, value))
      return llvm::createStringError("--%s: %s", (*option)->name,
                                     llvm::toString(std::move(error)).c_str());
    given.push_back((*option)->name);
  }
  if (options.help)
    return options;
  if (Error error = finish(options, llvm::is_contained(given, "heads"),
                           llvm::is_contained(given, "batch"),
                           llvm::is_contained(given, "target")))
    return error;
  return options;
}
