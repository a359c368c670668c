//===- Tables.h - the tables that attn-bench prints -------------*- C++ -*-===//
#ifndef ATTN_TOOLS_BENCH_TABLES_H
#define ATTN_TOOLS_BENCH_TABLES_H

#include "Case.h"
#include <vector>

namespace mlir::attn::bench {

struct Table {
  std::string title;
  std::vector<Case> cases;
};

/// All of them. A table whose target this machine cannot run is left out.
std::vector<Table> allTables();

} // namespace mlir::attn::bench

#endif // ATTN_TOOLS_BENCH_TABLES_H
