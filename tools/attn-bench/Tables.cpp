//===- Tables.cpp - the tables that attn-bench prints ---------------------===//
//
// Four shapes of self-attention that differ in what binds them (long rows,
// several heads, wide heads, short rows), then what a user may ask for beside:
// sizes that divide nothing, grouped heads, score functions, windows, other
// types, another vector width, decoding, threads, long sequences.
//
//===----------------------------------------------------------------------===//
#include "Tables.h"
#include "attn/Runtime/CpuSpec.h"

using namespace mlir::attn;
using namespace mlir::attn::bench;

static Case shape(int64_t batch, int64_t heads, int64_t queries,
                  int64_t depth) {
  Case item;
  item.batch = batch;
  item.heads = heads;
  item.queries = queries;
  item.depth = depth;
  return item;
}

template <typename Change> static Case with(Case item, Change change) {
  change(item);
  return item;
}

static bool runsHere(llvm::StringRef target) {
  auto cpu = getCpuSpec(target);
  if (!cpu) {
    llvm::consumeError(cpu.takeError());
    return false;
  }
  llvm::Error error = checkRunsHere(*cpu, target);
  bool runs = !error;
  llvm::consumeError(std::move(error));
  return runs;
}

std::vector<Table> mlir::attn::bench::allTables() {
  const Case shapes[] = {shape(1, 1, 4096, 64), shape(1, 8, 1024, 64),
                         shape(1, 4, 2048, 128), shape(1, 12, 512, 64)};
  const Case &long_ = shapes[0], &heads = shapes[1];
  auto causal = [](Case &c) { c.mask = Mask::Causal; };
  auto type = [](const char *name) {
    return [name](Case &c) { c.dtype = name; };
  };
  auto twoThreads = [](Case &c) { c.threads = 2; };
  std::vector<Table> tables;
  auto overShapes = [&](const char *title, auto change) {
    Table table{title, {}};
    for (const Case &item : shapes)
      table.cases.push_back(with(item, change));
    tables.push_back(std::move(table));
  };
  overShapes("f32", [](Case &) {});
  overShapes("f32 causal", causal);
  overShapes("bf16", type("bf16"));
  overShapes("f32 backward", [](Case &c) { c.backward = true; });
  overShapes("f32 causal backward", [](Case &c) {
    c.backward = true;
    c.mask = Mask::Causal;
  });
  overShapes("bf16 backward", [](Case &c) {
    c.backward = true;
    c.dtype = "bf16";
  });
  overShapes("bf16 causal backward", [](Case &c) {
    c.backward = true;
    c.dtype = "bf16";
    c.mask = Mask::Causal;
  });

  Case odd = shape(1, 8, 1009, 80), grouped = shape(1, 32, 1024, 128);
  grouped.kvHeads = 8;
  Case window = with(long_, [](Case &c) {
    c.mask = Mask::Window;
    c.window = 256;
  });
  tables.push_back(
      {"other shapes, masks and score functions",
       {odd, with(odd, causal), grouped, with(grouped, causal),
        with(heads, [](Case &c) { c.score = Score::Bias; }),
        with(heads, [](Case &c) { c.score = Score::SoftCap; }), window}});
  tables.push_back({"other types",
                    {with(long_, type("f16")), with(heads, type("f16")),
                     with(long_, type("f64")), with(heads, type("f64"))}});
  if (runsHere("avx2")) {
    auto avx2 = [](Case &c) { c.target = "avx2"; };
    tables.push_back(
        {"for a narrower vector unit", {with(long_, avx2), with(heads, avx2)}});
  }
  Case decode = shape(1, 32, 1, 128);
  decode.keys = 8192;
  Case decodeNarrow = with(decode, type("bf16"));
  Case decodeGrouped = with(decode, [](Case &c) { c.kvHeads = 8; });
  tables.push_back({"decoding",
                    {decode, with(decode, twoThreads), decodeNarrow,
                     with(decodeNarrow, twoThreads), decodeGrouped,
                     with(decodeGrouped, twoThreads)}});
  tables.push_back({"two threads",
                    {with(shapes[0], twoThreads), with(shapes[1], twoThreads),
                     with(shapes[2], twoThreads)}});
  tables.push_back({"long sequences", {shape(1, 1, 16384, 64)}});
  return tables;
}
